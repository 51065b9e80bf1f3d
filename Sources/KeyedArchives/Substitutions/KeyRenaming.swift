// The keys of one object under the rules for its class, or those of the top level.

import Basics
import ObjectGraph

/// What becomes of an object's keys.
struct KeyRenaming {
  /// Keys that change: their locations, their new stored form, and the rule.
  private(set) var changes: [(position: Int, key: String, rule: Int)] = []
  /// The rules that matched a key, even one that they leave as it is.
  private(set) var matched: Set<Int> = []
  /// A key that would be repeated, as it is stored; nil if there is none.
  private(set) var collision: String?

  /// Applies rules to stored keys; nil represents a key that is not a string.
  init(_ keys: [String?], _ rules: [(number: Int, old: String, new: String)]) {
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
      let isTaken = result.enumerated().contains {
        $0.offset != change.position && $0.element?.utf8.elementsEqual(change.key.utf8) == true
      }
      if isTaken { collision = change.key }
    }
  }
}
