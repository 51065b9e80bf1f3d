// One rule for class names: `OldApp.Movie=NewApp.Movie`, `OldApp.*=NewApp.*`.

import ArchiveBasics
import ArchiveWriting
import KeyedArchives

/// A class's old name or a pattern for several, and the new one.
package struct ClassRename: Hashable, Sendable {
  /// The old name: `*` matches any run of characters, `?` one.
  package let old: String
  /// The new name, whose wildcards take what those of the old one matched, in their order; one without wildcards is that
  /// of all that match.
  package let new: String

  private let oldPattern: WildcardPattern
  private let newPattern: WildcardPattern
  /// The declared names in an old name that is written mangled, and in such a new one.
  private let oldPath: String?
  private let newPath: String?

  /// The rule as it is written.
  package var text: String { "\(old)=\(new)" }

  /// Makes a rule of its two sides.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if a side is empty or the wildcards of the sides do not pair.
  package init(old: String, new: String) throws(ArchiveError) {
    let text = "\(old)=\(new)"
    guard !old.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(text)' lacks the old class name before '='")
    }
    guard !new.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(text)' lacks the new class name after '='")
    }
    oldPattern = WildcardPattern(old)
    newPattern = WildcardPattern(new)
    let (left, right) = (oldPattern.wildcards, newPattern.wildcards)
    // Without wildcards after '=' all matches get one name.
    guard left == right || right == (0, 0) else {
      let mark = left.runs == right.runs ? "?" : "*"
      throw ArchiveError(
        .malformed, "the rule '\(text)' needs as many '\(mark)' after '=' as before it, or none")
    }
    self.old = old
    self.new = new
    oldPath = Self.path(of: old)
    newPath = Self.path(of: new)
  }

  /// Reads a rule `OLD=NEW`.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for other text.
  package init(rule: String) throws(ArchiveError) {
    let sides = try RuleText.sides(of: rule, form: "OLD=NEW")
    try self.init(old: sides.left, new: sides.right)
  }

  private static func path(of name: String) -> String? {
    DemangledName(name)?.path.plain.joined(separator: ".")
  }

  /// The replacement of a stored name.
  struct NewName: Equatable {
    let name: String
    /// Whether a mangled name had to be replaced by one that is not.
    let isUnmangled: Bool
  }

  /// The new name for a stored one; nil if the rule does not match it.
  ///
  /// A mangled name is matched by its declared names, or whole by a rule that is written mangled.
  func newName(for stored: String) -> NewName? {
    guard let demangled = DemangledName(stored) else {
      if let captures = oldPattern.captures(in: stored) {
        return NewName(name: newPattern.filled(with: captures), isUnmangled: false)
      }
      return oldPath == stored ? NewName(name: newPath ?? new, isUnmangled: false) : nil
    }
    if stored == old { return renaming(of: stored, as: new) }
    let plain = demangled.path.plain.joined(separator: ".")
    if let oldPath { return oldPath == plain ? renaming(of: stored, as: new) : nil }
    if isMangledPattern {
      guard let captures = oldPattern.captures(in: stored) else { return nil }
      return NewName(name: newPattern.filled(with: captures), isUnmangled: false)
    }
    guard
      let captures = oldPattern.captures(in: plain) ?? oldPattern.captures(in: demangled.display)
    else { return nil }
    return renaming(of: stored, as: newPattern.filled(with: captures))
  }

  /// An example of a name that the rule makes: its wildcards become a letter.
  var exampleOfNew: String { newPattern.filled(with: "x") }

  /// Whether the pattern is one for mangled names themselves.
  private var isMangledPattern: Bool {
    ["_Tt", "$s", "_$s", "$S", "_$S"].contains { old.hasPrefix($0) }
  }

  private func renaming(of stored: String, as name: String) -> NewName {
    if DemangledName(name) != nil { return NewName(name: name, isUnmangled: false) }
    let components = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let mangled = MangledNominal(stored)?.renamed(components) else {
      return NewName(name: name, isUnmangled: true)
    }
    return NewName(name: mangled, isUnmangled: false)
  }
}
