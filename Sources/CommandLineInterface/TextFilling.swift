// Prose broken into lines.

/// Breaks text into lines at spaces.
enum TextFilling {
  /// The lines of a text, none longer than `width` unless one word is.
  static func fill(_ text: some StringProtocol, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.split(separator: " ") {
      let count = word.count
      if length > 0, length + 1 + count > width {
        lines.append(line)
        (line, length) = ("", 0)
      }
      if length > 0 {
        line += " "
        length += 1
      }
      line += word
      length += count
    }
    if length > 0 { lines.append(line) }
    return lines
  }

  /// The lines of a text with spaces before each.
  static func fill(_ text: String, width: Int, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return fill(text, width: width - indent).map { margin + $0 + "\n" }.joined()
  }

  /// What fits of a line: all of it, or its first words and an ellipsis.
  static func cut(_ text: String, to width: Int) -> String {
    if text.count <= width { return text }
    let words = fill(text, width: max(0, width - 2)).first ?? ""
    return words.count + 2 <= width ? words + " …" : String(text.prefix(width))
  }

  /// The column at which the meaning of terms begins, behind the widest that is not too wide for it.
  static func column(for terms: [String], widest: Int) -> Int {
    (terms.map(\.count).filter { $0 <= widest }.max() ?? widest) + 4
  }

  /// Terms and what they mean in two columns; a term that is too wide for its column has a line of its own.
  static func columns(_ rows: [(term: String, text: String)], column: Int, width: Int) -> String {
    var output = ""
    for row in rows {
      var lines = fill(row.text, width: width - column)
      var start = "  " + row.term
      if row.term.count + 4 <= column, !lines.isEmpty {
        start += String(repeating: " ", count: column - start.count) + lines.removeFirst()
      }
      output += start + "\n"
      let margin = String(repeating: " ", count: column)
      for line in lines { output += margin + line + "\n" }
    }
    return output
  }
}
