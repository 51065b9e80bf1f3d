// Text of a file for a terminal: it must not act as a control sequence or begin a line of its own.

extension String {
  /// The text with some of its characters escaped.
  ///
  /// - Parameter escape: what is written for a character; nil if it stays as it is.
  package func escaping(_ escape: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if let escaped = escape(scalar) {
        text += escaped
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text with what terminals and editors obey as escapes: control characters, separators of lines, and marks that
  /// turn the direction of writing.
  package var escapedForTerminal: String {
    utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? self : escaping(\.escapedForTerminal)
  }

  /// Several lines as a terminal shows them: as one line, but for line ends and tabs.
  package var escapedLines: String {
    escaping { $0 == "\n" || $0 == "\t" ? nil : $0.escapedForTerminal }
  }

  /// A line with names of files in it, as it is shown: what a terminal obeys is escaped, and so are bytes that are no
  /// UTF-8.
  package var escapedLine: String { shownPath.escapedForTerminal }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor does something else than show the character: C0, C1, separators of lines and
  /// paragraphs, marks of direction (Unicode Standard Annex 9), and tag characters, which are invisible.
  package var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xE0001, 0xE0020...0xE007F: true
    default: false
    }
  }

  /// The escape of a character that is obeyed, nil for others.
  package var escapedForTerminal: String? {
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

// MARK: - Characters in paths as RFC 9535 escapes them

/// A character behind `\u`.
package enum EscapedScalar {
  /// Reads a character whose `\u` was read already.
  ///
  /// - Parameter position: where its digits begin, and then where they have ended.
  /// - Throws: `ArchiveError` with code `malformed` if digits are missing, or half of a surrogate pair.
  package static func read(
    _ scalars: [Unicode.Scalar], _ position: inout Int
  ) throws(ArchiveError) -> Unicode.Scalar {
    let lead = try unit(scalars, &position)
    if let scalar = Unicode.Scalar(lead) { return scalar }
    guard lead < 0xDC00, scalars[position...].starts(with: ["\\", "u"]) else {
      throw ArchiveError(.malformed, "half of a surrogate pair", offset: position)
    }
    position += 2
    let trail = try unit(scalars, &position)
    guard (0xDC00..<0xE000).contains(trail),
      let pair = Unicode.Scalar(0x10000 + (lead & 0x3FF) << 10 + trail & 0x3FF)
    else { throw ArchiveError(.malformed, "half of a surrogate pair", offset: position) }
    return pair
  }

  private static func unit(
    _ scalars: [Unicode.Scalar], _ position: inout Int
  ) throws(ArchiveError) -> UInt32 {
    let digits = scalars[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw ArchiveError(.malformed, "\\u needs four hexadecimal digits", offset: position) }
    position += 4
    return number
  }
}

// MARK: - How many columns of a terminal a text takes

/// Measures texts in the cells of a terminal.
package enum TerminalCells {
  /// The scalars with the property East_Asian_Width W or F (Unicode Standard Annex 11), without emoji, which
  /// `Emoji_Presentation` finds; blocks of ideographs are whole, with what is not assigned in them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0x4DBF, 0x4DC0...0x4DFF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376,
    0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251,
    0x1F260...0x1F265, 0x20000...0x3FFFD,
  ]

  /// How many columns a text takes that has no control characters.
  package static func count(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + count(of: $1) }
  }

  /// How many columns a character takes: as many as its widest part, and two if a selector makes it an emoji.
  package static func count(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value < 0x80, scalars.dropFirst().isEmpty { return 1 }
    // U+FE0F asks for the colored picture of a character that is text by itself.
    if scalars.count > 1, scalars.contains("\u{FE0F}") { return 2 }
    return scalars.reduce(0) { max($0, count(of: $1)) }
  }

  private static func count(of scalar: Unicode.Scalar) -> Int {
    if isWide(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return scalar == "\u{AD}" ? 1 : 0
    default: return scalar.value == 0 ? 0 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation { return true }
    let number = wide.indices.firstNumber { wide[$0].upperBound >= scalar.value }
    return number < wide.count && wide[number].contains(scalar.value)
  }

  /// How many columns the bytes of a line take on a terminal, which obeys the styles in them.
  package static func count(ofLine bytes: ByteView) -> Int {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var isStyle = false
    for byte in bytes {
      if isStyle {
        isStyle = byte != UInt8(ascii: "m")
      } else if byte == 0x1B {
        isStyle = true
      } else {
        plain.append(byte)
      }
    }
    return count(of: String(decoding: plain, as: UTF8.self))
  }
}

// MARK: - How wide a text may be on a terminal

/// The number of columns that prose is filled to.
public enum TerminalWidth {
  /// Prose is hard to read in narrower or wider lines.
  static let bounds = 60...100
  /// The width without a terminal, so that output is the same everywhere.
  package static let standard = 80

  /// The width for a stream: `COLUMNS` or the width of its terminal, within bounds.
  package static func columns(of descriptor: Int32) -> Int {
    columns(
      isTerminal: isatty(descriptor) == 1, size: { size(of: descriptor)?.columns },
      environment: variable)
  }

  /// The width of a stream's terminal, whatever it is, or `COLUMNS`; nil if the stream is no terminal.
  package static func terminal(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    return number("COLUMNS", variable) ?? size(of: descriptor)?.columns ?? standard
  }

  /// The number of lines of a stream's terminal, or `LINES`; nil if the stream is no terminal.
  package static func lines(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    return number("LINES", variable) ?? size(of: descriptor)?.lines
  }

  private static func number(_ name: String, _ environment: (String) -> String?) -> Int? {
    environment(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The value of a variable of the environment.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The width for a stream in an environment.
  static func columns(
    isTerminal: Bool, size: () -> Int?, environment: (String) -> String?
  ) -> Int {
    guard isTerminal else { return standard }
    let columns = number("COLUMNS", environment) ?? size() ?? standard
    return min(max(columns, bounds.lowerBound), bounds.upperBound)
  }

  /// The size that the terminal reports, or nil.
  private static func size(of descriptor: Int32) -> (columns: Int, lines: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

// MARK: - Color and weight on a terminal, only if they are wanted

/// Styles for text; when off, text stays as it is.
public struct TerminalStyle: Hashable, Sendable {
  /// When output is colored: the values of `--color`.
  public enum Choice: String, CaseIterable, Sendable {
    /// On a terminal that can, unless NO_COLOR forbids.
    case auto
    /// Always.
    case always
    /// Never.
    case never
  }

  /// Whether text is styled.
  package let isOn: Bool

  /// Makes a style.
  package init(isOn: Bool) { self.isOn = isOn }

  /// No styles.
  package static let plain = TerminalStyle(isOn: false)

  /// The style of a stream.
  ///
  /// - Parameters:
  ///   - choice: the value of `--color`.
  ///   - descriptor: the stream's file descriptor.
  package init(_ choice: Choice, descriptor: Int32) {
    self.init(choice, isTerminal: isatty(descriptor) == 1)
  }

  /// The style of a stream of which it is known whether it is a terminal.
  package init(_ choice: Choice, isTerminal: Bool) {
    self.init(choice, isTerminal: isTerminal, environment: TerminalWidth.variable)
  }

  /// The style of a stream in an environment.
  init(_ choice: Choice, isTerminal: Bool, environment: (String) -> String?) {
    switch choice {
    case .always: isOn = true
    case .never: isOn = false
    case .auto:
      let isForbidden = environment("NO_COLOR").map { !$0.isEmpty } ?? false
      isOn = isTerminal && !isForbidden && environment("TERM") != "dumb"
    }
  }

  /// Bold text.
  package func bold(_ text: String) -> String { styled(text, 1) }
  /// Red text.
  package func red(_ text: String) -> String { styled(text, 31) }
  /// Green text.
  package func green(_ text: String) -> String { styled(text, 32) }
  /// Yellow text.
  package func yellow(_ text: String) -> String { styled(text, 33) }
  /// Magenta text: the name of a file before what is found in it.
  package func magenta(_ text: String) -> String { styled(text, 35) }
  /// Cyan text.
  package func cyan(_ text: String) -> String { styled(text, 36) }

  /// Lines `label: value`, of which the label is bold; indented lines stay as they are.
  package func labeling(lines: String) -> String {
    guard isOn else { return lines }
    return lines.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard !line.hasPrefix(" "), let end = line.firstIndex(of: ":") else { return String(line) }
      return bold(String(line[..<end])) + line[end...]
    }.joined(separator: "\n")
  }

  /// A message in which only the word for its severity is colored: `FILE@92: error: …`.
  package func marking(_ line: String) -> String {
    guard isOn else { return line }
    // The first that there is, since a message may have the other word in it.
    var best: (range: Range<String.Index>, color: Int)?
    for (word, color) in [("error: ", 31), ("warning: ", 33)] {
      var range = line.firstOccurrence(of: ": " + word)
      if line.hasPrefix(word) {
        range = line.startIndex..<line.index(line.startIndex, offsetBy: word.count)
      }
      if let range, best.map({ range.lowerBound < $0.range.lowerBound }) ?? true {
        best = (range, color)
      }
    }
    guard let (range, color) = best else { return line }
    let found = line[range]
    let start = found.hasPrefix(": ") ? ": " : ""
    let word = String(found.dropFirst(start.count).dropLast())
    return line[..<range.lowerBound] + start + styled(word, color) + " " + line[range.upperBound...]
  }

  /// Text between a code of ECMA-48's SGR function and its reset.
  private func styled(_ text: String, _ code: Int) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
