// The Bidi rule for domain names (RFC 5893, section 2): how labels mix directions of writing.

import RegularExpressions

/// What must hold for all labels as soon as one is written from right to left.
enum BidirectionalRule {
  /// Whether the rule holds, or does not apply since nothing is written from right to left.
  static func holds(for labels: [String]) -> Bool {
    // Hebrew is the first script that is.
    guard labels.contains(where: { $0.unicodeScalars.contains { $0.value >= 0x590 } }) else {
      return true
    }
    do throws(PatternFault) {
      let rightToLeft = try ECMAPattern(translated: rightToLeft)
      var isBidirectional = false
      for label in labels where try rightToLeft.matches(label) { isBidirectional = true }
      guard isBidirectional else { return true }
      let rule = try ECMAPattern(translated: "\(leftLabel)|\(rightLabel)")
      for label in labels {
        guard try rule.matches(label) else { return false }
      }
      return true
    } catch {
      // Without PCRE2 there is libidn2's word for each label by itself.
      return error.code == .libraryMissing
    }
  }

  /// What makes a label one that is written from right to left.
  private static let rightToLeft = characters("R", "AL", "AN")

  /// Rules 5 and 6.
  private static let leftLabel =
    "\\A(?=" + characters("L") + ")"
    + characters("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM") + "*" + characters("L", "EN")
    + characters("NSM") + "*\\z"

  /// Rules 2 to 4.
  private static let rightLabel =
    "\\A(?=" + characters("R", "AL") + ")(?!.*\\p{bidiclass:EN}.*\\p{bidiclass:AN})"
    + "(?!.*\\p{bidiclass:AN}.*\\p{bidiclass:EN})"
    + characters("R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM") + "*"
    + characters("R", "AL", "EN", "AN") + characters("NSM") + "*\\z"

  /// A class of all characters of some directions.
  private static func characters(_ directions: String...) -> String {
    "[" + directions.map { "\\p{bidiclass:\($0)}" }.joined() + "]"
  }
}
