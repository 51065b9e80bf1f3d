// Patterns of file names: `*`, `?`, `[a-z]`, and `**` for any folders.

import FileTransactions

/// A pattern of names, or of paths if it has a slash.
public struct Glob: Hashable, Sendable {
  /// What stands for one character, or any number of them.
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

  /// A name of a path, or any number of names.
  private enum Step: Hashable {
    case name([Part])
    case anyFolders
  }

  private let steps: [Step]
  /// Whether the pattern is one of paths.
  private let isPath: Bool

  /// Reads a pattern; every text is one.
  ///
  /// A backslash takes what follows literally, and so does a `[` that nothing closes. A pattern of paths begins at the
  /// folder that was named, with or without a slash.
  public init(_ text: String) {
    isPath = text.unicodeScalars.contains("/")
    var names = text.split(separator: "/", omittingEmptySubsequences: true)
    while names.first == "." { names.removeFirst() }
    steps = names.map { $0 == "**" ? .anyFolders : .name(Self.parts(of: $0)) }
  }

  /// Whether the pattern matches a file or folder.
  ///
  /// - Parameter path: its path below the folder that was named, or as it was named itself.
  public func matches(_ path: String) -> Bool {
    var names = path.split(separator: "/", omittingEmptySubsequences: true)
    while names.first == "." { names.removeFirst() }
    if !isPath { names = names.suffix(1) }
    return matches(names)
  }

  /// Matches name by name; a mismatch returns to the last `**`, which then takes a name more.
  private func matches(_ names: [Substring]) -> Bool {
    var (step, name) = (0, 0)
    var retry: (step: Int, name: Int)?
    while name < names.count {
      if step < steps.count, case .anyFolders = steps[step] {
        // At the end it stands for what is in a folder, not for the folder.
        if step == steps.count - 1 { return true }
        retry = (step + 1, name)
        step += 1
      } else if step < steps.count, case .name(let parts) = steps[step],
        Self.matches(parts, names[name])
      {
        step += 1
        name += 1
      } else if let last = retry {
        retry = (last.step, last.name + 1)
        (step, name) = (last.step, last.name + 1)
      } else {
        return false
      }
    }
    return step == steps.count
  }

  /// Matches character by character; a mismatch returns to the last `*`, so that the work is no more than quadratic.
  private static func matches(_ parts: [Part], _ name: Substring) -> Bool {
    let text = Array(name.unicodeScalars)
    var (part, place) = (0, 0)
    var retry: (part: Int, place: Int)?
    while place < text.count {
      if part < parts.count, parts[part] == .anyText {
        part += 1
        retry = (part, place)
      } else if part < parts.count, parts[part].matches(text[place]) {
        part += 1
        place += 1
      } else if let last = retry {
        retry = (last.part, last.place + 1)
        (part, place) = (last.part, last.place + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyText }
  }

  // MARK: Reading

  private static func parts(of name: Substring) -> [Part] {
    var rest = name.unicodeScalars[...]
    var parts: [Part] = []
    while let character = rest.popFirst() {
      switch character {
      case "*": if parts.last != .anyText { parts.append(.anyText) }
      case "?": parts.append(.anyCharacter)
      case "[":
        if let set = bracket(&rest) {
          parts.append(set)
        } else {
          parts.append(.character("["))
        }
      case "\\": parts.append(.character(rest.popFirst() ?? "\\"))
      default: parts.append(.character(character))
      }
    }
    return parts
  }

  /// `[abc]`, `[a-z]`, `[!abc]`; a `]` that stands first is one of the characters (POSIX.1-2017, XCU 2.13.1).
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
