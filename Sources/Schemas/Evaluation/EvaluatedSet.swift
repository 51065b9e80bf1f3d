// Which members or elements some keyword has evaluated: what `unevaluatedProperties` and `unevaluatedItems` leave alone.

/// Positions in a container.
struct EvaluatedSet {
  private var words: [UInt64] = []
  private var hasAll = false

  /// Adds every position.
  mutating func insertAll() { hasAll = true }

  /// Adds a position.
  mutating func insert(_ position: Int) {
    let word = position >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(position & 63)
  }

  /// Whether a position is in the set.
  func contains(_ position: Int) -> Bool {
    let word = position >> 6
    return hasAll || word < words.count && words[word] & (1 << UInt64(position & 63)) != 0
  }

  /// Adds all of another set.
  mutating func formUnion(_ other: EvaluatedSet) {
    hasAll = hasAll || other.hasAll
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }
}
