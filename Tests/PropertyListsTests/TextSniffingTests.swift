// Texts told apart by their beginnings: what no format would begin so is not refused with a format's syntax error.

import Basics
import Foundation
import ObjectGraph
import PropertyLists
import TestSupport
import Testing

@Suite struct TextSniffingTests {
  private func sniff(_ data: Data) -> Sniffed {
    let storage = ByteStorage(copying: Array(data))
    return Sniffing.sniff(storage.bytes)
  }

  @Test(
    arguments: [
      ("<plist>", .xml), (" \n<?xml version=\"1.0\"?>", .xml), ("<!-- c --><plist/>", .xml),
      ("<a>", .xml), ("<dd>text</dd>", .xml), ("<html>", .xml),
      ("<0a0b>", .openStep), ("<>", .openStep), ("<abcdef>", .openStep), ("<0a0>", .openStep),
      ("<*I5>", .openStep), ("<[AQI=]>", .openStep), ("(", .openStep), ("( )", .openStep),
      ("(a, b)", .openStep), ("({a = b;})", .openStep), ("(\"a b\", c)", .openStep),
      ("{a = b;}", .openStep), ("{a;}", .openStep), ("{\"a\" = b;}", .openStep),
      ("{'a b';}", .openStep), ("{ /* c */ }", .openStep), ("a = b;", .openStep),
      ("\"a\" = \"b\";", .openStep), ("a; b = c;", .openStep), ("/* c */", .openStep),
      ("// c\n'a' = b;", .openStep), ("a = {", .openStep), ("\"\\U00fc\"", .openStep),
      ("{}", .json), ("{ }", .json), ("[]", .json), ("[1", .json), ("[\"a\"]", .json),
      ("{\"a\": 1}", .json), ("{a: 1}", .json), ("{'a' : 1}", .json), ("// c\n{\"a\": 1}", .json),
      ("[true]", .json), ("[null, 1]", .json), ("\"a\"", .json), ("17", .json), ("-1.5e3", .json),
      ("true", .json), ("null", .json), ("0x1F", .json), (".5", .json), ("Infinity", .json),
      ("", .unknown), (" \n", .unknown), ("Hello, world", .unknown), ("hello", .unknown),
      ("key value", .unknown), ("Dear Sir;\nI write", .unknown), ("[section]\nkey = 1", .unknown),
      ("# comment\na = b", .unknown), ("- a\n- b", .unknown), ("a: b", .unknown),
      ("(see above)", .unknown), ("1.2.3 is out", .unknown), ("< 5", .unknown),
      ("a = b c", .unknown),
      ("{\\rtf1 a}", .unknown), ("\u{0}\u{1}\u{2}", .unknown), ("{\\", .json),
      ("{\\u0061: 1}", .json), ("{a\\u0061: 1}", .json),
    ] as [(String, Sniffed)], [UnicodeForm.utf8, .utf16BigEndianMarked, .utf32LittleEndianMarked])
  func isToldByItsBeginning(_ sample: (text: String, wanted: Sniffed), _ form: UnicodeForm) throws {
    #expect(sniff(try form.data(sample.text)) == sample.wanted)
  }
}
