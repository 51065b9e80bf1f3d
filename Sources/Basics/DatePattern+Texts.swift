// Dates as the texts of a pattern, and back.

extension DatePattern {
  // MARK: Writing

  /// The text of a date, in seconds from 2001-01-01T00:00:00Z; nil if the pattern has none for it.
  ///
  /// What the pattern has no field for is left out.
  package func text(of seconds: Double) -> String? {
    guard Timestamp.isGregorian(seconds), let (whole, digits) = rounded(seconds),
      let moment = Timestamp(secondsFromReference: whole + Double(offset)),
      (1000...9999).contains(moment.year)
    else { return nil }
    return fields.map { text(of: $0, moment, digits) }.joined()
  }

  /// The whole seconds of a date, and the digits of the rest as the pattern has them.
  private func rounded(_ seconds: Double) -> (whole: Double, digits: Int)? {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let count = fields.reduce(0) { if case .fraction(let count) = $1 { count } else { $0 } }
    if count == 0 { return (whole, 0) }
    let unit = Self.power(of: count)
    let digits = ((seconds - whole) * unit).rounded()
    return digits < unit ? (whole, Int(digits)) : (whole + 1, 0)
  }

  private static func power(of count: Int) -> Double {
    (0..<count).reduce(1) { power, _ in power * 10 }
  }

  private func text(of field: Field, _ moment: Timestamp, _ digits: Int) -> String {
    switch field {
    case .literal(let text): return text
    case .year: return Self.padded(moment.year, 4)
    case .month(let count):
      if count < 3 { return Self.padded(moment.month, count) }
      let name = Self.months[moment.month - 1]
      return count == 3 ? String(name.prefix(3)) : name
    case .day(let count): return Self.padded(moment.day, count)
    case .hour(let count, let isOfTwelve):
      return Self.padded(isOfTwelve ? (moment.hour + 11) % 12 + 1 : moment.hour, count)
    case .minute(let count): return Self.padded(moment.minute, count)
    case .second(let count): return Self.padded(Int(moment.second), count)
    case .fraction(let count): return Self.padded(digits, count)
    case .half: return moment.hour < 12 ? "AM" : "PM"
    case .weekday(let count):
      let name = Self.weekdays[Self.weekday(of: moment.secondsFromReference)]
      return count == 3 ? String(name.prefix(3)) : name
    case .zone(let zone): return Self.text(of: zone, offset)
    }
  }

  private static func text(of zone: Zone, _ offset: Int) -> String {
    if offset == 0, zone.hasZ { return "Z" }
    let minutes = abs(offset) / 60
    let mark = zone.isExtended ? ":" : ""
    let hours = (offset < 0 ? "-" : "+") + padded(minutes / 60, 2)
    return zone == .shortOrZ && minutes % 60 == 0 ? hours : hours + mark + padded(minutes % 60, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // MARK: Reading

  /// The fields that a text has filled.
  private struct Filled {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var fraction = 0.0
    var isAfternoon: Bool?
    var weekday: Int?
    var offset: Int?
  }

  /// The date that a text tells, in seconds from 2001-01-01T00:00:00Z; nil if it tells none.
  package func seconds(of text: String) -> Double? {
    var rest = Substring(text).utf8
    var filled = Filled()
    for field in fields where !Self.read(field, &rest, &filled) { return nil }
    guard rest.isEmpty, filled.month > 0, filled.month <= 12, filled.day > 0, filled.day <= 31,
      filled.minute < 60, filled.second < 60
    else { return nil }
    if let isAfternoon = filled.isAfternoon {
      guard (1...12).contains(filled.hour) else { return nil }
      filled.hour = filled.hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard filled.hour < 24 else { return nil }
    let midnight = Timestamp(
      year: filled.year, month: filled.month, day: filled.day, hour: 0, minute: 0, second: 0
    ).secondsFromReference
    // A day that the month does not have, and another weekday than it was, tell no date.
    guard Timestamp(secondsFromReference: midnight)?.day == filled.day,
      filled.weekday == nil || filled.weekday == Self.weekday(of: midnight)
    else { return nil }
    let clock = filled.hour * 3600 + filled.minute * 60 + filled.second
    let seconds = midnight + Double(clock - (filled.offset ?? offset)) + filled.fraction
    return Timestamp.isGregorian(seconds) ? seconds : nil
  }

  /// Reads a field; false if the text does not have it.
  private static func read(
    _ field: Field, _ rest: inout Substring.UTF8View, _ filled: inout Filled
  ) -> Bool {
    switch field {
    case .literal(let text): return take(text, &rest)
    case .year: return number(4, &rest).map { filled.year = $0 } != nil
    case .month(let count):
      let month =
        count < 3
        ? number(count, &rest) : name(of: months, isShort: count == 3, &rest).map { $0 + 1 }
      return month.map { filled.month = $0 } != nil
    case .day(let count): return number(count, &rest).map { filled.day = $0 } != nil
    case .hour(let count, _): return number(count, &rest).map { filled.hour = $0 } != nil
    case .minute(let count): return number(count, &rest).map { filled.minute = $0 } != nil
    case .second(let count): return number(count, &rest).map { filled.second = $0 } != nil
    case .fraction(let count):
      guard let digits = digits(count...count, &rest) else { return false }
      filled.fraction = Double("0." + digits) ?? 0
      return true
    case .half:
      filled.isAfternoon = take("AM", &rest) ? false : take("PM", &rest) ? true : nil
      return filled.isAfternoon != nil
    case .weekday(let count):
      return name(of: weekdays, isShort: count == 3, &rest).map { filled.weekday = $0 } != nil
    case .zone(let zone): return offset(zone, &rest).map { filled.offset = $0 } != nil
    }
  }

  private static func take(_ text: String, _ rest: inout Substring.UTF8View) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private static func digits(
    _ counts: ClosedRange<Int>, _ rest: inout Substring.UTF8View
  ) -> String? {
    let found = rest.prefix(counts.upperBound).prefix { (0x30...0x39).contains($0) }
    guard found.count >= counts.lowerBound else { return nil }
    rest = rest.dropFirst(found.count)
    return String(Substring(found))
  }

  /// A number of so many digits; a field of one letter may have two.
  private static func number(_ count: Int, _ rest: inout Substring.UTF8View) -> Int? {
    digits(count...max(count, 2), &rest).flatMap { Int($0) }
  }

  private static func name(
    of names: [String], isShort: Bool, _ rest: inout Substring.UTF8View
  ) -> Int? {
    for (index, name) in names.enumerated()
    where take(isShort ? String(name.prefix(3)) : name, &rest) {
      return index
    }
    return nil
  }

  private static func offset(_ zone: Zone, _ rest: inout Substring.UTF8View) -> Int? {
    if zone.hasZ, take("Z", &rest) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard take("-", &rest) || take("+", &rest), let hours = number(2, &rest), hours < 24 else {
      return nil
    }
    var minutes = 0
    if zone != .shortOrZ || !rest.prefix(2).filter({ (0x30...0x39).contains($0) }).isEmpty {
      guard !zone.isExtended || take(":", &rest), let found = number(2, &rest), found < 60 else {
        return nil
      }
      minutes = found
    }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }
}

extension DatePattern.Zone {
  fileprivate var hasZ: Bool { self != .basic && self != .extended }
  fileprivate var isExtended: Bool { self == .extended || self == .extendedOrZ }
}
