// Patterns of file names: `*`, `?`, `[a-z]`, and `**` for any folders.

import ArchiveBasics

/// A pattern of names, or of paths if it has a slash.
package struct Glob: Hashable, Sendable {
  /// A part that matches one character, or any number of characters.
  private enum Part: Hashable {
    case character(Unicode.Scalar)
    case anyCharacter
    case anyText
    case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)

    func matches(_ character: Unicode.Scalar) -> Bool {
      switch self {
      case .character(let own): own == character
      case .anyCharacter: true
      case .anyText: false
      case .oneOf(let ranges, let isNegated):
        ranges.contains { $0.contains(character) } != isNegated
      }
    }
  }

  /// A name in a path, or any number of names.
  private enum Step: Hashable {
    case name([Part])
    case anyFolders
  }

  private let steps: [Step]
  private let isPath: Bool
  /// Whether it begins with a slash, as absolute paths are printed.
  private let isRooted: Bool

  /// Reads a pattern; every text is a valid one.
  ///
  /// A backslash escapes the next character, and an unclosed `[` is a literal one. A pattern of paths begins at the
  /// named folder, with or without a slash.
  package init(_ text: String) {
    isPath = text.unicodeScalars.contains("/")
    isRooted = text.utf8.first == UInt8(ascii: "/")
    var names = text.split(separator: "/", omittingEmptySubsequences: true)
    while names.first == "." { names.removeFirst() }
    var steps = names.map { $0 == "**" ? Step.anyFolders : .name(Self.parts(of: $0)) }
    // At the end it matches the contents of a folder, not the folder itself.
    if steps.last == .anyFolders { steps.append(.name([.anyText])) }
    self.steps = steps
  }

  /// Whether the pattern matches a file or folder.
  ///
  /// - Parameter path: its path below the named folder, or as it was named itself.
  package func matches(_ path: String) -> Bool {
    var names = path.split(separator: "/", omittingEmptySubsequences: true)
    while names.first == "." { names.removeFirst() }
    if !isPath { names = names.suffix(1) }
    return WildcardMatch(
      of: steps, in: names, isRun: { $0 == .anyFolders },
      fits: { step, name in
        if case .name(let parts) = step { Self.matches(parts, name) } else { false }
      }) != nil
  }

  /// Whether it matches a path as it is printed: an absolute one only if the pattern begins with a slash, too.
  func matches(printed path: String) -> Bool {
    (path.utf8.first == UInt8(ascii: "/")) == isRooted && matches(path)
  }

  private static func matches(_ parts: [Part], _ name: Substring) -> Bool {
    WildcardMatch(
      of: parts, in: Array(name.unicodeScalars), isRun: { $0 == .anyText },
      fits: { $0.matches($1) }) != nil
  }

  // MARK: Reading

  private static func parts(of name: Substring) -> [Part] {
    var rest = name.unicodeScalars[...]
    var parts: [Part] = []
    while let character = rest.popFirst() {
      switch character {
      case "*": if parts.last != .anyText { parts.append(.anyText) }
      case "?": parts.append(.anyCharacter)
      case "[": parts.append(bracket(&rest) ?? .character("["))
      case "\\": parts.append(.character(rest.popFirst() ?? "\\"))
      default: parts.append(.character(character))
      }
    }
    return parts
  }

  /// `[abc]`, `[a-z]`, `[!abc]`; a leading `]` is one of the characters (POSIX.1-2017, XCU 2.13.1).
  private static func bracket(_ rest: inout Substring.UnicodeScalarView) -> Part? {
    var inner = rest
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    let isNegated = inner.first == "!" || inner.first == "^"
    if isNegated { inner.removeFirst() }
    var isFirst = true
    while let character = inner.popFirst() {
      if character == "]", !isFirst {
        rest = inner
        return .oneOf(ranges, isNegated: isNegated)
      }
      isFirst = false
      var low = character
      if low == "\\", let escaped = inner.popFirst() { low = escaped }
      guard inner.first == "-", let high = inner.dropFirst().first, high != "]" else {
        ranges.append(low...low)
        continue
      }
      inner = inner.dropFirst(2)
      if low <= high { ranges.append(low...high) }
    }
    return nil
  }
}
