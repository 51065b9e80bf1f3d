// Lines of comma-separated values.

import ArchiveBasics

/// A line of comma-separated values (RFC 4180): lines end with CRLF, and quotation marks enclose what needs them.
///
/// A cell that a spreadsheet would run as a formula begins with an apostrophe (OWASP, CSV Injection).
package struct CSVLine: Sendable {
  /// Whether cells have no such apostrophe.
  private let isPlain: Bool

  /// Makes lines.
  ///
  /// - Parameter isPlain: whether cells are written as they are, even if a spreadsheet would run one as a formula.
  package init(isPlain: Bool) { self.isPlain = isPlain }

  /// A cell of a line.
  package enum Cell: Sendable {
    /// Any text.
    case text(String)
    /// The digits of a number, which is no formula even if it is negative.
    case number(String)
  }

  /// The line of some fields, without its end.
  package func line(_ fields: [String]) -> String { line(fields.map { Cell.text($0) }) }

  /// The line of some cells, without its end.
  package func line(_ cells: [Cell]) -> String {
    cells.map { cell in
      switch cell {
      case .number(let digits): digits
      case .text(let text): quoted(isPlain || !Self.isFormula(text) ? text : "'" + text)
      }
    }.joined(separator: ",")
  }

  /// Whether spreadsheets take a cell as a formula: by its first character, of full width too, after any blanks.
  private static func isFormula(_ field: String) -> Bool {
    guard let first = field.unicodeScalars.first else { return false }
    let shown = field.unicodeScalars.first { !$0.properties.isWhitespace }
    return first.value < 0x20
      || "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(shown ?? first)
  }

  private func quoted(_ field: String) -> String {
    // Some spreadsheets divide lines at semicolons or tabs.
    let needsMarks = field.unicodeScalars.contains { ",;\t\"\r\n".unicodeScalars.contains($0) }
    guard needsMarks else { return field }
    return "\""
      + field.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
  }
}
