// Texts recognized by their beginnings: an unknown beginning does not cause a syntax error of some format.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct TextSniffingTests {
  private func sniff(_ data: Data) -> DetectedFormat {
    let storage = ByteStorage(copying: Array(data))
    return Formats.all.detect(storage.bytes)
  }

  @Test(
    arguments: [
      ("<plist>", .known(.xmlPropertyList)),
      (" \n<?xml version=\"1.0\"?>", .known(.xmlPropertyList)),
      ("<!-- c --><plist/>", .known(.xmlPropertyList)),
      ("<a>", .known(.xmlPropertyList)), ("<dd>text</dd>", .known(.xmlPropertyList)),
      ("<html>", .known(.xmlPropertyList)),
      ("<0a0b>", .known(.openStepPropertyList)), ("<>", .known(.openStepPropertyList)),
      ("<abcdef>", .known(.openStepPropertyList)), ("<0a0>", .known(.openStepPropertyList)),
      ("<*I5>", .known(.openStepPropertyList)), ("<[AQI=]>", .known(.openStepPropertyList)),
      ("(", .known(.openStepPropertyList)), ("( )", .known(.openStepPropertyList)),
      ("(a, b)", .known(.openStepPropertyList)), ("({a = b;})", .known(.openStepPropertyList)),
      ("(\"a b\", c)", .known(.openStepPropertyList)),
      ("{a = b;}", .known(.openStepPropertyList)), ("{a;}", .known(.openStepPropertyList)),
      ("{\"a\" = b;}", .known(.openStepPropertyList)),
      ("{'a b';}", .known(.openStepPropertyList)), ("{ /* c */ }", .known(.openStepPropertyList)),
      ("a = b;", .known(.openStepPropertyList)),
      ("\"a\" = \"b\";", .known(.openStepPropertyList)),
      ("a; b = c;", .known(.openStepPropertyList)), ("/* c */", .known(.openStepPropertyList)),
      ("// c\n'a' = b;", .known(.openStepPropertyList)), ("a = {", .known(.openStepPropertyList)),
      ("\"\\U00fc\"", .known(.openStepPropertyList)),
      ("{}", .known(.json)), ("{ }", .known(.json)), ("[]", .known(.json)), ("[1", .known(.json)),
      ("[\"a\"]", .known(.json)),
      ("{\"a\": 1}", .known(.json)), ("{a: 1}", .known(.json)), ("{'a' : 1}", .known(.json)),
      ("// c\n{\"a\": 1}", .known(.json)),
      ("[true]", .known(.json)), ("[null, 1]", .known(.json)), ("\"a\"", .known(.json)),
      ("17", .known(.json)), ("-1.5e3", .known(.json)),
      ("true", .known(.json)), ("null", .known(.json)), ("0x1F", .known(.json)),
      (".5", .known(.json)), ("Infinity", .known(.json)),
      ("", .unknown), (" \n", .known(.openStepPropertyList)), ("Hello, world", .unknown),
      ("hello", .unknown),
      ("key value", .unknown), ("Dear Sir;\nI write", .unknown), ("[section]\nkey = 1", .unknown),
      ("# comment\na = b", .unknown), ("- a\n- b", .unknown), ("a: b", .unknown),
      ("(see above)", .unknown), ("1.2.3 is out", .unknown), ("< 5", .unknown),
      ("a = b c", .unknown),
      ("{\\rtf1 a}", .unknown), ("\u{0}\u{1}\u{2}", .unknown), ("{\\", .known(.json)),
      ("{\\u0061: 1}", .known(.json)), ("{a\\u0061: 1}", .known(.json)),
    ] as [(String, DetectedFormat)],
    [UnicodeForm.utf8, .utf16BigEndianMarked, .utf32LittleEndianMarked])
  func isToldByItsBeginning(_ sample: (text: String, wanted: DetectedFormat), _ form: UnicodeForm)
    throws
  {
    #expect(sniff(try form.data(sample.text)) == sample.wanted)
  }
}
