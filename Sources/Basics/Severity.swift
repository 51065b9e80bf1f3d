// How much a problem matters, and the line in which people read of it.

/// How much a problem of an input matters.
public enum Severity: String, Sendable {
  /// The input is not as it should be.
  case error
  /// The input can be used, and this is worth a word.
  case warning

  /// The line on standard error, of whatever kind the problem is: `FILE:OFFSET: error: MESSAGE (at PATH)`, or
  /// `FILE:LINE:COLUMN: …` where the position in a text is known.
  public func line(
    file: String, position: TextPosition?, offset: Int?, message: String, path: String?
  ) -> String {
    var line = file
    if let position { line += ":\(position)" } else if let offset { line += ":\(offset)" }
    line += ": \(rawValue): \(message)"
    if let path { line += " (at \(path))" }
    return line
  }
}
