// A position in a text as people and editors count it.

/// A line and a column, both from 1; the column counts characters.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line.
  public let line: Int
  /// The character in the line.
  public let column: Int

  /// Makes a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// As in `FILE:3:7`.
  public var description: String { "\(line):\(column)" }
}
