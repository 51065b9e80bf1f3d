// Text of a file for a terminal: it must not act as a control sequence or begin a line of its own.

extension String {
  /// The text with what terminals and editors obey as escapes: control characters, separators of lines, and marks that
  /// turn the direction of writing.
  public var escapedForTerminal: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var text = ""
    for scalar in unicodeScalars { text += scalar.escapedForTerminal ?? String(scalar) }
    return text
  }

  /// Several lines as a terminal shows them: as one line, but for line ends and tabs.
  public var escapedLines: String {
    var text = ""
    for scalar in unicodeScalars {
      let isKept = scalar == "\n" || scalar == "\t"
      text += isKept ? String(scalar) : scalar.escapedForTerminal ?? String(scalar)
    }
    return text
  }

  /// A line with names of files in it, as it is shown: what a terminal obeys is escaped, and so are bytes that are no
  /// UTF-8.
  public var escapedLine: String { shownPath.escapedForTerminal }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor does something else than show the character: C0, C1, separators of lines and
  /// paragraphs, marks of direction (Unicode Standard Annex 9), and tag characters, which are invisible.
  public var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xE0001, 0xE0020...0xE007F: true
    default: false
    }
  }

  /// The escape of a character that is obeyed, nil for others.
  public var escapedForTerminal: String? {
    guard isObeyed else { return nil }
    switch self {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      return String(self).utf16.map { "\\u" + String($0, radix: 16, width: 4) }.joined()
    }
  }
}
