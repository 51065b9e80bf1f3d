// Fonts as summaries show them.

import ObjectGraph

/// A font in a line.
struct FontText {
  var name: String?
  var size: Double?

  /// `Helvetica 12 pt`, nil if nothing is known.
  var line: String? {
    let parts = [name.map { SummaryText.clipped($0) }, size.map { "\(ColorText.short($0)) pt" }]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: " ")
  }
}
