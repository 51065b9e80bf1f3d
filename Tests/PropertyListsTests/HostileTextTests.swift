// Malicious or truncated OpenStep property lists and JSON: a value, or an error with a location, and never a trap.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct HostileTextTests {
  private func read(_ bytes: some Collection<UInt8>) throws(ArchiveError) -> ObjectGraph {
    try ArchiveReader(allowsJSON5: true).read(ByteStorage(copying: Array(bytes)))
  }

  /// What opens a container, and at which byte the container begins that is one too many.
  @Test(arguments: [
    ("(", 10_000), ("{a=", 30_000), ("( {a = ", 35_000), ("[", 10_000), ("{\"a\":", 50_000),
    ("{a:", 30_000), ("[{'a':", 30_000),
  ])
  func deepNestingIsALimitNotACrash(_ opening: String, _ offset: Int) {
    let text = String(repeating: opening, count: 100_000)
    #expect(throws: ArchiveError(.limit, "", offset: offset)) { _ = try read(text.utf8) }
  }

  /// Pairs without braces are a level of their own.
  @Test func pairsWithoutBracesAreALevel() {
    let text = "a=" + String(repeating: "(", count: 100_000)
    #expect(throws: ArchiveError(.limit, "", offset: 2 + 9_999)) { _ = try read(text.utf8) }
  }

  @Test(arguments: [("(", ")"), ("{a=", ";}"), ("[", "]"), ("{\"a\":", "}"), ("{a:", "}")])
  func nestingUpToTheLimitIsRead(_ opening: String, _ closing: String) throws {
    for (depth, isRead) in [(10_000, true), (10_001, false)] {
      let inner = opening.count == 1 ? "" : opening.hasPrefix("{a=") ? "b" : "1"
      let text =
        String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)
      if isRead {
        #expect(try read(text.utf8).documents[0].table.count >= depth)
      } else {
        let error = #expect(throws: ArchiveError.self) { try read(text.utf8) }
        #expect(error?.code == .limit)
      }
    }
  }

  private static let long = String(repeating: "a\\n", count: 50_000)

  /// What begins and has no end, however long; the byte that is named.
  @Test(arguments: [
    ("(\"", 1), ("('", 1), ("{k=\"", 3), ("\"k\"=\"", 4), ("a = '", 4), ("(<*I\"", 1),
    ("(\"\\U12\u{FC}", 1),
    ("{a=b;/*", 5), ("(/*/", 1), ("[/*", 1), ("{a:1}/*/", 5),
  ])
  func whatHasNoEndIsNamedWhereItBegins(_ opening: String, _ offset: Int) {
    for end in ["", "\\"] {
      let error = #expect(throws: ArchiveError.self) { try read((opening + Self.long + end).utf8) }
      #expect(error?.offset == offset, "\(String(describing: error))")
    }
  }

  @Test(arguments: ["[\"", "['", "{\"a\":\"", "{'", "\""])
  func stringsOfJSONWithoutEndAreTruncated(_ opening: String) {
    for end in ["", "\\", "\\u12"] {
      let text = opening + Self.long + end
      let error = #expect(throws: ArchiveError.self) { try read(text.utf8) }
      #expect(error?.code == .truncated || end == "\\u12", "\(String(describing: error))")
      #expect((error?.offset ?? 0) >= text.utf8.count - 4)
    }
  }

  /// What is short but much, all of it in a row.
  @Test(arguments: [
    ("(", "a,", ")"), ("{", "a;", "}"), ("", "a;", ""), ("", "a=b;", ""), ("(", "/**/", ")"),
    ("(", "//\n", ")"), ("<", "0a", ">"), ("(<", "0a /**/", ">)"), ("(", "{a;a;},", ")"),
    ("(", "{CF$UID=1;},", ")"), ("(", "<*I5>,", ")"), ("(", "\"\\U12\",", ")"),
    ("\"", "\\377", "\";"),
    ("[", "1,", "]"), ("{", "a:1,", "}"), ("[", "{a:1,a:2},", "]"), ("[", "/**/", "]"),
    ("['", "\\x41", "']"), ("[1", "\u{3000}", "]"), ("{a", "\\u0061", ":1}"), ("[0x", "0", "1]"),
  ])
  func muchOfTheSameIsRead(_ opening: String, _ item: String, _ closing: String) throws {
    let text = opening + String(repeating: item, count: 10_000) + closing
    let graph = try read(text.utf8)
    // A thousand oddities are told a hundred times at most.
    #expect(graph.warnings.count <= 100)
  }

  private static let samples = [
    "/* c */ {\n  a = (b, \"c\\U00fc\\n\\101\", 'd',);\n  e; // f\n  \"ü\" = <0a0b 0c>; g = {}; }\n",
    "{i = <*I-5>; r = <*R1.5>; b = <*BY>; d = <*D2019-04-06 04:30:00.5 +0000>; x = <[AQI=]>;"
      + " u = {CF$UID = 5;}; q = <*I\"5\">;}",
    "// c\n\"k\" = \"v\\\"\";\n\"e\"; k2 = (1, 2);\n",
    "{\"a\": [1, -2.5e+3, true, false, null, \"\\u00fc\\ud83d\\ude00\\n\"], \"ü\": {\"b\": {}}, \"c\": []}",
    "// c\n{a: 0x1F, 'b': [+.5, 5., Infinity, -NaN,], /* d */ \\u0063: 'e\\\nf\\x41\\v', }",
    "<?xml version=\"1.0\"?><plist><dict><key>a</key><date>2001-01-01T00:00:00Z</date></dict></plist>",
  ]

  @Test(arguments: samples, [UnicodeForm.utf8, .utf16LittleEndian, .utf32BigEndianMarked])
  func cutsAreReadOrRefused(_ sample: String, _ form: UnicodeForm) throws {
    let whole = [UInt8](try form.data(sample))
    _ = try read(whole)
    for length in 0..<whole.count {
      do { _ = try read(whole.prefix(length)) } catch {
        #expect(!error.message.isEmpty)
        #expect((0...length).contains(error.offset ?? 0), "\(length): \(error)")
      }
    }
  }

  @Test(arguments: samples) func anyOtherByteIsReadOrRefused(_ sample: String) throws {
    let whole = Array(sample.utf8)
    for position in whole.indices {
      for byte in Array("\0\t\n\"'\\/*<>{}()[];=,:.+-_0aU".utf8) + [0x80, 0xC3, 0xE2, 0xF0, 0xFF] {
        var damaged = whole
        damaged[position] = byte
        do { _ = try read(damaged) } catch {
          #expect(!error.message.isEmpty)
          #expect((0...whole.count).contains(error.offset ?? 0), "\(error)")
        }
      }
    }
  }
}
