// The likely meaning of a mistyped name.

/// Finds the known name nearest to a mistyped one.
package enum Suggestion {
  /// The nearest candidate, or nil if no candidate is near.
  ///
  /// A candidate is near if a third of its letters or fewer must change, or if it is the only one that begins
  /// with the typed text. Of candidates that are equally near the first is used.
  package static func nearest(to typed: String, among candidates: [String]) -> String? {
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let bound = max(1, max(typed.count, candidate.count) / 3)
      guard abs(typed.count - candidate.count) <= bound else { continue }
      let distance = distance(from: typed, to: candidate)
      // One letter for a name of one or two is not near.
      guard distance <= bound, distance < max(typed.count, candidate.count) else { continue }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    if let best { return best.name }
    let longer = typed.isEmpty ? [] : candidates.filter { $0.hasPrefix(typed) }
    return longer.count == 1 ? longer.first : nil
  }

  /// The Damerau-Levenshtein distance: the least number of insertions, deletions, replacements and swaps of
  /// neighbors that turn one text into the other, without editing any part twice.
  package static func distance(from left: String, to right: String) -> Int {
    let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let change = left[row] == right[column] ? 0 : 1
        var least = min(last[column + 1] + 1, current[column] + 1, last[column] + change)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
