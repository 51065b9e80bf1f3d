// Durations of ISO 8601 as RFC 3339 (appendix A) has them: whole numbers, and no unit left out between two.

import Basics

/// The format `duration`.
enum Durations {
  /// `"P" (dur-date / dur-time / dur-week)`.
  static func isDuration(_ text: String) -> Bool {
    var cursor = DigitCursor(text)
    guard cursor.skip("P") else { return false }
    if cursor.skip("T") { return elements(&cursor, of: ["H", "M", "S"]) && cursor.isAtEnd }
    var week = cursor
    if week.skipDigits() > 0, week.skip("W") { return week.isAtEnd }
    guard elements(&cursor, of: ["Y", "M", "D"]) else { return false }
    if cursor.skip("T"), !elements(&cursor, of: ["H", "M", "S"]) { return false }
    return cursor.isAtEnd
  }

  /// Numbers with their units: any unit may be the first, and then one follows the other.
  private static func elements(_ cursor: inout DigitCursor, of units: [Unicode.Scalar]) -> Bool {
    var next: Int?
    while true {
      let start = cursor
      guard cursor.skipDigits() > 0 else {
        cursor = start
        return next != nil
      }
      let candidates = next.map { $0..<min($0 + 1, units.count) } ?? 0..<units.count
      guard let unit = candidates.first(where: { cursor.skip(units[$0]) }) else { return false }
      next = unit + 1
    }
  }
}
