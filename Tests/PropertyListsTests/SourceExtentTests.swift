// The extent of values in a text.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Testing

@Suite struct SourceExtentTests {
  /// A text, the value at whose mark `^` is measured, and that value.
  static let cases: [(Encoding, String, String?)] = [
    (.json, "{\"a\": ^\"x\\\"]\", \"b\": 1}", "\"x\\\"]\""),
    (.json, "{\"a\": ^[1, {\"b\": \"]\"}], \"c\": 2}", "[1, {\"b\": \"]\"}]"),
    (.json, "{\"a\": ^-1.5e3, \"b\": 1}", "-1.5e3"), (.json, "^true", "true"),
    (.json, "[^null]", "null"), (.json, "[^\"open", nil), (.json, "[^[1, 2", nil),
    (.openStepPropertyList, "{ a = ^bare; }", "bare"),
    (.openStepPropertyList, "{ a = ^(\"x;)\", y); }", "(\"x;)\", y)"),
    (.openStepPropertyList, "{ a = ^<0a 0b>; }", "<0a 0b>"),
    (.xmlPropertyList, "<dict><key>a</key>^<string>x</string></dict>", "<string>x</string>"),
    (
      .xmlPropertyList, "<plist>^<dict><key>d</key><dict/></dict></plist>",
      "<dict><key>d</key><dict/></dict>"
    ),
    (.xmlPropertyList, "<array>^<true/><true/></array>", "<true/>"),
    (.xmlPropertyList, "<array>^<data>AQ==", nil), (.bookmark, "^x", nil),
  ]

  @Test(arguments: cases)
  func measuresAValue(_ encoding: Encoding, _ marked: String, _ value: String?) throws {
    let parts = marked.split(separator: "^", maxSplits: 1, omittingEmptySubsequences: false)
    let text = Array(parts.joined().utf8)
    let format = try #require(Formats.propertyLists[encoding])
    let found = text.withByteView {
      SourceExtent.byteCount(at: parts[0].utf8.count, in: $0, format)
    }
    #expect(found == value?.utf8.count)
  }
}
