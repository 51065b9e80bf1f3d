// The keys of one object under the rules for its class, or those of the top level.

/// What becomes of an object's keys.
struct KeyRenaming {
  /// Keys that change: where they stand, what they become as it is stored, and by which rule.
  private(set) var changes: [(position: Int, key: String, rule: Int)] = []
  /// The rules that matched a key, even one that they leave as it is.
  private(set) var matched: Set<Int> = []
  /// A key that would be there twice, as it is stored; nil if there is none.
  private(set) var collision: String?

  /// Applies rules to keys as they are stored; nil stands for a key that is no string.
  init(_ keys: [String?], _ rules: [(number: Int, old: String, new: String)]) {
    var result = keys
    for (position, key) in keys.enumerated() {
      guard let key,
        let rule = rules.first(where: {
          KeyRename.stored($0.old).utf8.elementsEqual(key.utf8)
        })
      else { continue }
      matched.insert(rule.number)
      let new = KeyRename.stored(rule.new)
      guard !new.utf8.elementsEqual(key.utf8) else { continue }
      changes.append((position, new, rule.number))
      result[position] = new
    }
    for change in changes {
      let isTaken = result.enumerated().contains {
        $0.offset != change.position && $0.element?.utf8.elementsEqual(change.key.utf8) == true
      }
      if isTaken { collision = change.key }
    }
  }
}
