// Dates in GNUstep's notation, exact to the last bit: fractions of a second are decimal digits of the seconds
// since 2001, not a sum of doubles.

import ArchiveBasics

/// The dates `2009-01-02 03:04:05.25 +0100`.
enum OpenStepDate {
  /// Seconds from 2001-01-01T00:00:00Z; nil if the text is not such a date.
  ///
  /// The fraction and the difference from UTC may be left out.
  static func seconds(_ text: String) -> Double? {
    var cursor = DigitCursor(text)
    let isNegative = cursor.skip("-")
    guard let year = cursor.number(of: 4...10), cursor.skip("-"),
      let month = cursor.number(of: 2...2),
      cursor.skip("-"), let day = cursor.number(of: 2...2), cursor.skip(" ") || cursor.skip("T"),
      let hour = cursor.number(of: 2...2), cursor.skip(":"), let minute = cursor.number(of: 2...2),
      cursor.skip(":"), let second = cursor.number(of: 2...2)
    else { return nil }
    var fraction: Substring = ""
    if cursor.skip(".") {
      guard let digits = cursor.digits(1...1200) else { return nil }
      fraction = digits
    }
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61,
      let difference = difference(&cursor)
    else { return nil }
    let moment = Timestamp(
      year: isNegative ? -year : year, month: month, day: day, hour: hour, minute: minute,
      second: Double(second))
    let whole = moment.secondsFromReference - Double(difference)
    return fraction.allSatisfy { $0 == "0" } ? whole : joined(whole, String(fraction))
  }

  /// Seconds east of UTC: `+0000`, `+01:00`, `Z` or nothing, up to the text's end.
  private static func difference(_ cursor: inout DigitCursor) -> Int? {
    _ = cursor.skip(" ")
    if cursor.isAtEnd { return 0 }
    if cursor.skip("Z") { return cursor.isAtEnd ? 0 : nil }
    let isWest = cursor.skip("-")
    guard isWest || cursor.skip("+"), let hours = cursor.digits(2...2).flatMap({ Int($0) }) else {
      return nil
    }
    _ = cursor.skip(":")
    guard let minutes = cursor.number(of: 2...2), minutes < 60, hours < 24, cursor.isAtEnd else {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  /// Whole seconds and a fraction as the nearest double; before 2001 the fraction counts towards zero.
  private static func joined(_ whole: Double, _ fraction: String) -> Double? {
    guard let seconds = Int64(exactly: whole) else { return nil }
    if seconds >= 0 { return Double("\(seconds).\(fraction)") }
    return Double("-\((seconds + 1).magnitude).\(complement(fraction))")
  }

  /// The digits of 1 less a fraction that is not zero.
  private static func complement(_ fraction: String) -> String {
    var digits = Array(fraction.utf8)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    for location in digits.indices {
      let nines: UInt8 = location == digits.count - 1 ? 10 : 9
      digits[location] = UInt8(ascii: "0") + nines - (digits[location] - UInt8(ascii: "0"))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  // MARK: Writing

  /// The text of a date; nil if no text reads back the same.
  static func text(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 9e15 else { return nil }
    let whole = seconds.rounded(.down)
    guard let moment = Timestamp(secondsFromReference: whole) else { return nil }
    var text = String(moment.text.dropLast().map { $0 == "T" ? " " : $0 })
    if whole != seconds {
      var digits = fractionDigits(abs(seconds))
      if seconds < 0 { digits = complement(digits) }
      text += "." + digits
    }
    text += " +0000"
    return self.seconds(text) == seconds ? text : nil
  }

  /// The digits after the point of the shortest notation that reads back the same.
  private static func fractionDigits(_ number: Double) -> String {
    let notation = number.description.split(separator: "e", omittingEmptySubsequences: false)
    let parts = notation[0].split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.count > 1 && parts[1] != "0" ? parts[1] : ""
    guard notation.count > 1, let exponent = Int(notation[1]), exponent < 0 else {
      return String(digits)
    }
    return String(repeating: "0", count: -exponent - parts[0].count) + parts[0] + digits
  }
}
