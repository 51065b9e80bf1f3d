// One rule for the keys of a class's fields: `NewApp.Movie.title=name`.

import Basics

/// A class or a pattern for several, a key that its objects have, and what it becomes.
public struct KeyRename: Hashable, Sendable {
  /// The name of the class; `*` stands for any run of characters, `?` for one.
  public let className: String
  /// The key, as the class's own code spells it.
  public let old: String
  /// The new key.
  public let new: String

  let pattern: WildcardPattern

  /// The rule as it is written.
  public var text: String { "\(className).\(old)=\(new)" }

  /// Makes a rule of its parts.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if one is empty.
  public init(className: String, old: String, new: String) throws(ArchiveError) {
    let text = "\(className).\(old)=\(new)"
    guard !className.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(text)' lacks a class name before the key")
    }
    guard !old.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(text)' lacks the old key before '='")
    }
    guard !new.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(text)' lacks the new key after '='")
    }
    self.className = className
    self.old = old
    self.new = new
    pattern = WildcardPattern(className)
  }

  /// Reads a rule `CLASS.old=new`, whose last dot stands before the key.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if it is none.
  public init(rule: String) throws(ArchiveError) {
    let sides = try RuleText.sides(of: rule, form: "CLASS.OLD=NEW")
    guard let dot = sides.left.lastIndex(of: ".") else {
      throw ArchiveError(
        .malformed, "the rule '\(rule)' should be CLASS.OLD=NEW, but has no '.' before the key")
    }
    try self.init(
      className: String(sides.left[..<dot]),
      old: String(sides.left[sides.left.index(after: dot)...]), new: sides.right)
  }

  /// A key as archivers store it: one more `$` before a key that begins with one
  /// (swift-corelibs-foundation: NSKeyedArchiver.swift, `escapeArchiverKey`).
  static func stored(_ key: String) -> String { key.hasPrefix("$") ? "$" + key : key }
}
