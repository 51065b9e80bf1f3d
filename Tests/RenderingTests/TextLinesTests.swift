// Lines of texts, and the parts of them in reports.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveRendering
import Testing

@Suite struct TextLinesTests {
  /// A report of faults at some offsets of a text that cannot be read.
  private static func located(_ text: String, _ offsets: [Int?], isText: Bool = true) -> FileReport
  {
    let faults = offsets.map { Diagnostic(ArchiveError(.malformed, "wrong", offset: $0)) }
    return Array(text.utf8).withByteView { bytes in
      FileReport(file: "x", unreadable: faults).located(
        in: isText ? TextLines(of: bytes, format: JSONFormat.self) : nil, byteCount: bytes.count)
    }
  }

  @Test(arguments: ["", "a", "\n", "a\nb", "\n\na\n", "é\r\n雨\r\n", "\r\r", "a\n\n\n\nb"])
  func everyByteIsInTheLineThatItsPredecessorsMake(_ text: String) {
    let bytes = Array(text.utf8)
    let offsets = Array(0...(bytes.count + 2))
    let lines = offsets.map { offset in
      bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    }
    #expect(Self.located(text, offsets).diagnostics.map(\.line) == lines)
  }

  @Test func whatIsBehindTheLastByteIsAtTheEnd() {
    let report = Self.located("{\n\"a\": ", [7, 2, nil])
    #expect(report.diagnostics.map(\.line) == [2, 2, nil])
    #expect(report.diagnostics.map(\.isAtEnd) == [true, false, false])
    let binary = Self.located("{\n\"a\": ", [7, 2, nil], isText: false)
    #expect(binary.diagnostics.map(\.line) == [nil, nil, nil])
    #expect(binary.diagnostics.map(\.isAtEnd) == [true, false, false])
  }
}
