// Color and weight on a terminal, only if they are wanted.

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
  public let isOn: Bool

  /// Makes a style.
  public init(isOn: Bool) { self.isOn = isOn }

  /// No styles.
  public static let plain = TerminalStyle(isOn: false)

  /// The style of a stream.
  ///
  /// - Parameters:
  ///   - choice: the value of `--color`.
  ///   - descriptor: the stream's file descriptor.
  public init(_ choice: Choice, descriptor: Int32) {
    self.init(choice, isTerminal: isatty(descriptor) == 1) { name in
      getenv(name).map { String(cString: $0) }
    }
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
  public func bold(_ text: String) -> String { styled(text, 1) }
  /// Red text.
  public func red(_ text: String) -> String { styled(text, 31) }
  /// Green text.
  public func green(_ text: String) -> String { styled(text, 32) }
  /// Yellow text.
  public func yellow(_ text: String) -> String { styled(text, 33) }
  /// Cyan text.
  public func cyan(_ text: String) -> String { styled(text, 36) }

  /// Dim text.
  public func dim(_ text: String) -> String { styled(text, 2) }

  /// A message in which only the word for its severity is colored: `FILE@92: error: …`.
  public func marking(_ line: String) -> String {
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
