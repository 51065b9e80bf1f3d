// Dates between seconds from 2001-01-01T00:00:00Z and ISO 8601, in the proleptic Gregorian calendar.

/// A moment in UTC, split into calendar fields.
public struct Timestamp: Equatable, Sendable {
  /// The year; 0 is 1 BC.
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  /// 0 to 23.
  package var hour: Int
  /// 0 to 59.
  package var minute: Int
  /// 0 to 60, with its fraction.
  package var second: Double

  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323
  /// The seconds from 1970 to 2001.
  package static let referenceSecondsFrom1970 = Double(referenceDay) * 86_400

  /// Whether a date, in seconds from 2001-01-01T00:00:00Z, is not before the Gregorian calendar was introduced.
  ///
  /// For earlier dates Foundation's calendars, and with them DateFormatter and JSONEncoder, use the day in the Julian
  /// calendar; property lists in the Gregorian one (CoreFoundation, CFCalendar.c and CFDate.c).
  package static func isGregorian(_ seconds: Double) -> Bool { seconds >= -13_197_600_000 }

  /// Splits seconds from 2001-01-01T00:00:00Z; nil for NaN, infinities and years out of range.
  ///
  /// The fraction of a second is the shortest that gives the same date again; it has at most nine digits.
  package init?(secondsFromReference seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e17 else { return nil }
    var whole = seconds.rounded(.down)
    var fraction = 0.0
    if seconds != whole {
      fraction = Self.shortest(of: seconds, whole)
      if fraction >= 1 {
        whole += 1
        fraction = 0
      }
    }
    let days = (whole / 86_400).rounded(.down)
    let rest = Int(whole - days * 86_400)
    (year, month, day) = Self.civil(fromDays: Int(days) + Self.referenceDay)
    hour = rest / 3600
    minute = rest / 60 % 60
    second = Double(rest % 60) + fraction
  }

  /// The fraction with the fewest digits that gives the same seconds, as `secondsFromReference` adds it.
  ///
  /// Seconds are exact to a ten-millionth in this century, so the digits that follow are noise.
  private static func shortest(of seconds: Double, _ whole: Double) -> Double {
    let minute = (whole / 60).rounded(.down) * 60
    var unit = 1.0
    for _ in 0..<9 {
      unit *= 10
      let fraction = ((seconds - whole) * unit).rounded() / unit
      if minute + (whole - minute + fraction) == seconds { return fraction }
    }
    return ((seconds - whole) * unit).rounded() / unit
  }

  /// Makes a moment of fields that the caller checked.
  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Double) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Seconds from 2001-01-01T00:00:00Z.
  ///
  /// Fields beyond their ranges carry over, as in CoreFoundation.
  package var secondsFromReference: Double {
    let monthIndex = month - 1
    let carried = year + Int((Double(monthIndex) / 12).rounded(.down))
    let inYear = ((monthIndex % 12) + 12) % 12 + 1
    let days = Self.days(year: carried, month: inYear, day: day) - Self.referenceDay
    return Double(days) * 86_400 + Double(hour) * 3600 + Double(minute) * 60 + second
  }

  /// ISO 8601 with `Z`, and a fraction only if it is not zero: `2019-04-06T03:50:00Z`.
  package var text: String {
    let whole = Int(second)
    var text = (year < 0 ? "-" : "") + String(abs(year), width: 4)
    for (mark, part) in [("-", month), ("-", day), ("T", hour), (":", minute), (":", whole)] {
      text += mark + String(part, width: 2)
    }
    let nanoseconds = Int(((second - Double(whole)) * 1e9).rounded())
    if nanoseconds > 0 {
      var digits = String(nanoseconds, width: 9)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "Z"
  }

  /// Appends `2019-04-06T03:50:00Z`; a fraction of a second is left out.
  package func append(to output: inout ByteBuffer) {
    if (0...9_999).contains(year), (0..<100).contains(second) { return appendShort(to: &output) }
    var whole = self
    whole.second.round(.down)
    output.append(whole.text)
  }

  /// The same for a year of four digits: every field has its position.
  private func appendShort(to output: inout ByteBuffer) {
    // Twenty characters, and each field is followed by a mark.
    let pointer = output.reserve(20)
    Self.store(year / 100, "0", at: pointer)
    Self.store(year % 100, "-", at: pointer + 2)
    Self.store(month, "-", at: pointer + 5)
    Self.store(day, "T", at: pointer + 8)
    Self.store(hour, ":", at: pointer + 11)
    Self.store(minute, ":", at: pointer + 14)
    Self.store(Int(second), "Z", at: pointer + 17)
    output.filled(20)
  }

  /// Stores two digits and a mark.
  @inline(__always)
  private static func store(_ number: Int, _ mark: Mark, at pointer: UnsafeMutableRawPointer) {
    let tens = UInt8(truncatingIfNeeded: number / 10)
    let ones = UInt8(truncatingIfNeeded: number % 10)
    pointer.storeBytes(of: UInt8(ascii: "0") &+ tens, as: UInt8.self)
    pointer.storeBytes(of: UInt8(ascii: "0") &+ ones, toByteOffset: 1, as: UInt8.self)
    pointer.storeBytes(of: UInt8(ascii: mark), toByteOffset: 2, as: UInt8.self)
  }

  private typealias Mark = Unicode.Scalar

  /// Days from 1970-01-01, by the civil calendar's 400-year cycle.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(fromDays days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
  }
}

// MARK: - ISO 8601 texts read back into seconds: what `Timestamp.text` writes, and the offsets

extension Timestamp {
  /// Parses `[-]YYYY-MM-DDThh:mm:ss[.fraction]` with `Z` or an offset like `+02:00`; nil for other text.
  package init?(text: String) {
    var cursor = DigitCursor(text)
    let isNegative = cursor.skip("-")
    guard let year = cursor.number(of: 4...9), cursor.skip("-"),
      let month = cursor.number(of: 2...2), (1...12).contains(month), cursor.skip("-"),
      let day = cursor.number(of: 2...2), (1...31).contains(day), cursor.skip("T"),
      let hour = cursor.number(of: 2...2), hour < 24, cursor.skip(":"),
      let minute = cursor.number(of: 2...2), minute < 60, cursor.skip(":"),
      let second = cursor.number(of: 2...2), second <= 60
    else { return nil }
    let fraction = cursor.skip(".") ? cursor.fraction() : 0
    guard let fraction, let offset = cursor.offset(), cursor.isAtEnd else { return nil }
    self.init(
      year: isNegative ? -year : year, month: month, day: day, hour: hour, minute: minute - offset,
      second: Double(second) + fraction)
  }
}

extension Timestamp {
  /// The present moment in ISO 8601, to the microsecond, in UTC: runs of one second are in order by it.
  package static var exactNow: String {
    var now = timespec()
    guard clock_gettime(CLOCK_REALTIME, &now) == 0,
      var moment = Timestamp(
        secondsFromReference: Double(Int(now.tv_sec) - referenceDay * 86_400))
    else { return Self.now }
    moment.second += Double(now.tv_nsec / 1000) / 1e6
    return moment.text
  }

  /// The present moment in ISO 8601, to the second, in UTC: as locks and the ends of runs have it.
  package static var now: String {
    Timestamp(secondsFromReference: Double(Int(time(nil)) - referenceDay * 86_400))?.text ?? ""
  }
}

// MARK: - The present moment as apps stamp feeds with it

extension MediumDate {
  /// Now, in the local time zone.
  package static var now: String {
    var moment = time(nil)
    var fields = tm()
    _ = localtime_r(&moment, &fields)
    return text(
      of: Timestamp(
        year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
        hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Double(fields.tm_sec)))
  }
}

// MARK: - Time that only goes forward

/// Measures elapsed time, independent of changes to the calendar.
public enum MonotonicClock {
  /// Seconds from some moment on.
  package static var seconds: Double {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
