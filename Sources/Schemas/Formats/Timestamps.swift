// Dates and times of RFC 3339 (section 5.6).

import Basics

/// The formats `date-time`, `date` and `time`.
enum Timestamps {
  /// `full-date "T" full-time`.
  static func isDateTime(_ text: String) -> Bool {
    var cursor = DigitCursor(text)
    guard date(&cursor), cursor.skip("T") || cursor.skip("t") else { return false }
    return time(&cursor) && cursor.isAtEnd
  }

  /// `full-date`.
  static func isDate(_ text: String) -> Bool {
    var cursor = DigitCursor(text)
    return date(&cursor) && cursor.isAtEnd
  }

  /// `full-time`.
  static func isTime(_ text: String) -> Bool {
    var cursor = DigitCursor(text)
    return time(&cursor) && cursor.isAtEnd
  }

  private static func date(_ cursor: inout DigitCursor) -> Bool {
    guard let year = cursor.number(of: 4...4), cursor.skip("-"),
      let month = cursor.number(of: 2...2), (1...12).contains(month), cursor.skip("-"),
      let day = cursor.number(of: 2...2)
    else { return false }
    return (1...days(inMonth: month, of: year)).contains(day)
  }

  private static func time(_ cursor: inout DigitCursor) -> Bool {
    guard let hour = cursor.number(of: 2...2), hour < 24, cursor.skip(":"),
      let minute = cursor.number(of: 2...2), minute < 60, cursor.skip(":"),
      let second = cursor.number(of: 2...2), second <= 60
    else { return false }
    if cursor.skip("."), cursor.skipDigits() == 0 { return false }
    guard let offset = cursor.skip("z") ? 0 : cursor.offset() else { return false }
    if second < 60 { return true }
    // A leap second ends a day of UTC (RFC 3339, 5.7).
    let minuteOfDay = (hour * 60 + minute - offset) % 1440
    return (minuteOfDay + 1440) % 1440 == 1439
  }

  /// RFC 3339, 5.7 and appendix C.
  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

// MARK: - Durations of ISO 8601, as RFC 3339 (appendix A) defines them: whole numbers, and no unit skipped in between

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

  /// Numbers with their units: any unit may be the first, and the next units follow in order.
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
