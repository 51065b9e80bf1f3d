// Text of a file on its way to a terminal: nothing of it may be obeyed there, or begin a line of its own.

extension String {
  /// The text with control characters, and marks that turn the direction of writing, spelled as escapes.
  public var escapedForTerminal: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    var text = ""
    for scalar in unicodeScalars { text += scalar.escapedForTerminal ?? String(scalar) }
    return text
  }
}

extension Unicode.Scalar {
  /// The escape of a character that a terminal would obey, nil for others.
  public var escapedForTerminal: String? {
    let isControl = value < 0x20 || (0x7F..<0xA0).contains(value)
    let turns = (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    guard isControl || turns else { return nil }
    switch self {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
