// Dates in strings, in the formats that lens files specify.

import Basics
import ObjectGraph

// Dates are in seconds from 2001-01-01T00:00:00Z.
extension ScalarConversion.DateFormat {
  /// The text of a date; nil if the format cannot represent it.
  func text(of seconds: Double) -> String? {
    if case .number = self {} else if !Timestamp.isGregorian(seconds) { return nil }
    switch self {
    case .iso8601: return Timestamp(secondsFromReference: seconds)?.text
    case .rfc5322: return Self.rfc5322Pattern?.text(of: seconds)
    case .medium(let offset):
      guard let moment = Timestamp(secondsFromReference: seconds + Double(offset)),
        (1000...9999).contains(moment.year)
      else { return nil }
      return MediumDate.text(of: moment)
    case .pattern(let pattern): return pattern.text(of: seconds)
    case .number(let epoch):
      let number = epoch.number(of: seconds)
      return number.isFinite ? SyntheticValue.real(number).decimalText : nil
    }
  }

  /// The date in a text; nil if the text does not have the format.
  func seconds(of text: String) -> Double? {
    let seconds: Double?
    switch self {
    case .iso8601: seconds = Timestamp(text: text)?.secondsFromReference
    case .rfc5322: seconds = Self.rfc5322(text)
    case .medium(let offset):
      seconds = MediumDate.moment(in: text).map { $0.secondsFromReference - Double(offset) }
    case .pattern(let pattern): seconds = pattern.seconds(of: text)
    case .number(let epoch):
      return SyntheticValue.real(ofDecimal: text).map { epoch.reference(of: $0) }
    }
    return seconds.flatMap { Timestamp.isGregorian($0) ? $0 : nil }
  }

  private static func weekday(of seconds: Double) -> String {
    String(DatePattern.weekdays[DatePattern.weekday(of: seconds)].prefix(3))
  }

  private static let rfc5322Pattern = DatePattern("EEE, dd MMM yyyy HH:mm:ss '+0000'")

  /// `[Sat, ]6 Apr 2019 03:50[:00] +0000` (RFC 5322 section 3.3, without its obsolete forms).
  private static func rfc5322(_ text: String) -> Double? {
    var words = text.split(separator: " ").map(String.init)
    let weekday = words.first.flatMap { $0.hasSuffix(",") ? String($0.dropLast()) : nil }
    if weekday != nil { words.removeFirst() }
    guard words.count == 5, let day = number(words[0], 1...2), (1...31).contains(day),
      let month = MediumDate.months.firstIndex(of: words[1]), let year = number(words[2], 4...4),
      let zone = zone(words[4])
    else { return nil }
    let clock = words[3].split(separator: ":", omittingEmptySubsequences: false)
      .map { number(String($0), 2...2) }
    guard (2...3).contains(clock.count), let hour = clock[0], hour < 24, let minute = clock[1],
      minute < 60, let second = clock.count == 3 ? clock[2] : 0, second <= 60
    else { return nil }
    // A nonexistent day, or a wrong weekday, makes the date invalid.
    let midnight = Timestamp(
      year: year, month: month + 1, day: day, hour: 0, minute: 0, second: 0
    ).secondsFromReference
    guard Timestamp(secondsFromReference: midnight)?.day == day,
      weekday == nil || weekday == Self.weekday(of: midnight)
    else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: Double(second)
    ).secondsFromReference - Double(zone)
  }

  private static func number(_ text: String, _ width: ClosedRange<Int>) -> Int? {
    var cursor = DigitCursor(text)
    let number = cursor.number(of: width)
    return cursor.isAtEnd ? number : nil
  }

  /// `+0900`, in seconds.
  private static func zone(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-",
      let digits = number(String(text.dropFirst()), 4...4), digits % 100 < 60
    else { return nil }
    return (digits / 100 * 3600 + digits % 100 * 60) * (sign == "-" ? -1 : 1)
  }

  /// The offset of `UTC`, `Z` or `+09:00`, in seconds; nil for anything else.
  static func offset(_ zone: String) -> Int? {
    if zone == "UTC" { return 0 }
    var cursor = DigitCursor(zone)
    guard let minutes = cursor.offset(), cursor.isAtEnd else { return nil }
    return minutes * 60
  }
}
