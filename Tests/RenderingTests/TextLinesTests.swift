// Lines of texts, and what of them stands in reports.

import ObjectGraph
import Rendering
import Testing

@Suite struct TextLinesTests {
  private static func lines(_ text: String) -> TextLines {
    Array(text.utf8).withUnsafeBytes { TextLines(of: $0) }
  }

  @Test(arguments: ["", "a", "\n", "a\nb", "\n\na\n", "é\r\n雨\r\n", "\r\r", "a\n\n\n\nb"])
  func everyByteIsInTheLineThatItsPredecessorsMake(_ text: String) {
    let bytes = Array(text.utf8)
    for offset in 0...(bytes.count + 2) {
      let before = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
      #expect(Self.lines(text).line(at: offset) == before + 1, "\(offset)")
    }
  }

  /// A report on a text knows lines; none of it lies behind the last byte.
  @Test func reportsAreLocatedInTheirText() throws {
    let text = "{\n\"a\": "
    let error = ArchiveError(.malformed, "no value", offset: text.utf8.count)
    let inside = ArchiveError(.malformed, "no key", offset: 2)
    let whole = ArchiveError(.malformed, "nothing")
    let report = FileReport(
      file: "x", unreadable: [error, inside, whole].map { Diagnostic($0) }
    ).located(in: Self.lines(text), byteCount: text.utf8.count)
    #expect(report.diagnostics.map(\.line) == [2, 2, nil])
    #expect(report.diagnostics.map(\.isAtEnd) == [true, false, false])
    let binary = report.located(in: nil, byteCount: 100)
    #expect(binary.diagnostics.map(\.line) == [nil, nil, nil])
    #expect(binary.diagnostics.map(\.isAtEnd) == [false, false, false])
  }
}
