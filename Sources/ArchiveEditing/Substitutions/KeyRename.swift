// One rule for the keys of a class's fields: `NewApp.Movie.title=name`.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

/// A class or a pattern for several, a key of its objects, and the new key.
package struct KeyRename: Hashable, Sendable {
  /// The name of the class; `*` matches any run of characters, `?` one.
  package let className: String
  /// The key, as in the class's own code.
  package let old: String
  /// The new key.
  package let new: String

  let pattern: WildcardPattern

  /// The rule as it is written.
  package var text: String { "\(className).\(old)=\(new)" }

  /// Makes a rule of its parts.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if one is empty.
  package init(className: String, old: String, new: String) throws(ArchiveError) {
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

  /// Reads a rule `CLASS.old=new`, whose last dot precedes the key.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for other text.
  package init(rule: String) throws(ArchiveError) {
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

// MARK: - The keys of one object under the rules for its class, or those of the top level

/// What becomes of an object's keys.
struct KeyRenaming {
  /// The position of a key, its new stored form, and the rule.
  typealias Change = (position: Int, key: String, rule: Int)

  /// Keys that change.
  private(set) var changes: [Change] = []
  /// The rules that matched a key, even one that they leave as it is.
  private(set) var matched: Set<Int> = []
  /// A key that would be repeated, as it is stored; nil if there is none.
  private(set) var collision: String?

  /// Applies rules to stored keys; nil represents a key that is not a string.
  init(_ keys: [String?], _ rules: [SubstitutionRules.KeyRule]) {
    var result = keys
    for (position, key) in keys.enumerated() {
      guard let key, let rule = rules.first(where: { Self.names($0.old, key, among: keys) }) else {
        continue
      }
      matched.insert(rule.number)
      let new = KeyRename.stored(rule.new)
      guard !new.utf8.elementsEqual(key.utf8) else { continue }
      changes.append((position, new, rule.number))
      result[position] = new
    }
    findCollision(in: result)
  }

  /// Whether a rule's key is a stored one.
  ///
  /// It is stored as by an archiver, or with the single dollar sign of a writer that does not escape, unless another
  /// key is stored as by an archiver. `$class` belongs to the archive.
  private static func names(_ old: String, _ key: String, among keys: [String?]) -> Bool {
    let stored = KeyRename.stored(old)
    if stored.hasSameScalars(as: key) { return true }
    return stored != old && old.hasSameScalars(as: key) && key != "$class"
      && !keys.contains { $0?.hasSameScalars(as: stored) == true }
  }

  private mutating func findCollision(in result: [String?]) {
    for change in changes {
      let isRepeated = result.enumerated().contains {
        $0.offset != change.position && $0.element?.utf8.elementsEqual(change.key.utf8) == true
      }
      if isRepeated { collision = change.key }
    }
  }
}

// MARK: - One rule for the top-level keys of keyed archives: `tabs=root`

/// A top-level key and the new one.
package struct TopRename: Hashable, Sendable {
  /// The key, as in the app's code.
  package let old: String
  /// The new key.
  package let new: String

  /// The rule as it is written.
  package var text: String { "\(old)=\(new)" }

  /// Reads a rule `OLD=NEW`.
  ///
  /// - Throws: `ArchiveError` with code `malformed` for other text.
  package init(rule: String) throws(ArchiveError) {
    (old, new) = try RuleText.sides(of: rule, form: "OLD=NEW")
    guard !old.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(rule)' lacks the old key before '='")
    }
    guard !new.isEmpty else {
      throw ArchiveError(.malformed, "the rule '\(rule)' lacks the new key after '='")
    }
  }
}
