// A table for people: columns as wide as their widest cell, two spaces between them.

import ArchiveBasics

/// A table of text under construction.
package struct TextTable {
  /// The side of a column on which its cells begin.
  package enum Alignment: Sendable {
    /// For names and words.
    case left
    /// For numbers.
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]
  /// The rows about what is wrong.
  private var badRows: Set<Int> = []

  /// Makes a table with a heading for each column.
  package init(_ columns: [(heading: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.heading)]
  }

  /// Adds a row with a cell for each column; control characters of a terminal are escaped.
  ///
  /// - Parameter isBad: whether it is about something that is wrong.
  package mutating func append(_ cells: [String], isBad: Bool = false) {
    if isBad { badRows.insert(rows.count) }
    rows.append(cells.map(\.escapedLine))
  }

  /// How many rows there are under the headings.
  package var rowCount: Int { rows.count - 1 }

  /// The lines, with the headings in bold and bad rows in red.
  package func lines(_ style: TerminalStyle) -> [String] {
    guard style.isOn else { return lines }
    return lines.enumerated().map { number, line in
      number == 0 ? style.bold(line) : badRows.contains(number) ? style.red(line) : line
    }
  }

  /// The lines, without spaces at their ends.
  package var lines: [String] {
    let widths = alignments.indices.map { column in
      rows.map { TerminalCells.count(of: $0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      var gap = 0
      for (column, cell) in row.enumerated() {
        let space = widths[column] - TerminalCells.count(of: cell)
        let isRight = alignments[column] == .right
        if !cell.isEmpty {
          line += String(repeating: " ", count: gap + (isRight ? space : 0)) + cell
          gap = 0
        }
        gap += (cell.isEmpty || !isRight ? space : 0) + 2
      }
      return line
    }
  }
}

extension String {
  /// The text, or its first characters and an ellipsis if it has more than a count.
  func clipped(to count: Int) -> String {
    self.count > count ? prefix(count - 1) + "…" : self
  }
}
