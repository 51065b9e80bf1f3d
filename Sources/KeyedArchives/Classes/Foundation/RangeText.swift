// Ranges as summaries show them.

import ObjectGraph

/// Ranges within a line.
enum RangeText {
  /// How many ranges are shown.
  static let most = 8

  /// `0–3, 7, 300–301`, the ends included; `empty` without ranges.
  static func list(_ ranges: [Range<Int64>], spell: (Int64) -> String) -> String {
    if ranges.isEmpty { return "empty" }
    let texts = ranges.prefix(most).map { range -> String in
      let last = range.upperBound - 1
      return range.lowerBound == last
        ? spell(last) : "\(spell(range.lowerBound))–\(spell(last))"
    }
    return texts.joined(separator: ", ") + (ranges.count > most ? ", …" : "")
  }
}
