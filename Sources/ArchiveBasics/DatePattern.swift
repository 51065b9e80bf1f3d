// Patterns of dates in the letters of Unicode, as DateFormatter takes them: `yyyy-MM-dd HH:mm`.
//
// Source: Unicode Technical Standard #35, part 4, "Date Format Patterns"; names are those of American English, whatever
// the locale.

/// A pattern, split into its fields.
public struct DatePattern: Sendable, Equatable {
  /// A part of a pattern.
  package enum Field: Sendable, Equatable {
    case literal(String)
    case year
    /// 1 or 2: so many digits; 3 the short name; 4 the whole one.
    case month(Int)
    case day(Int)
    /// Of 24 hours, or of 12.
    case hour(Int, isOfTwelve: Bool)
    case minute(Int)
    case second(Int)
    /// Digits of a second.
    case fraction(Int)
    case half
    /// 3: the short name; 4 the whole one.
    case weekday(Int)
    case zone(Zone)
  }

  /// The format of an offset from UTC.
  package enum Zone: Sendable, Equatable {
    /// `+0900`.
    case basic
    /// `+09:00`.
    case extended
    /// `+09:00`, and `Z` for UTC.
    case extendedOrZ
    /// `+0900`, and `Z` for UTC.
    case basicOrZ
    /// `+09`, with minutes only if they are not zero, and `Z` for UTC.
    case shortOrZ
  }

  /// The pattern as it was written.
  package let text: String
  let fields: [Field]
  /// The offset from UTC that is written, and that texts without one have, in seconds.
  let offset: Int

  /// Makes a pattern of fields that were read.
  package init(_ text: String, fields: [Field], offset: Int) {
    self.text = text
    self.fields = fields
    self.offset = offset
  }

  /// Reads a pattern of dates in UTC; nil if it is invalid or does not determine a date.
  package init?(_ text: String) {
    guard case .fields(let fields) = Self.read(text) else { return nil }
    self.init(text, fields: fields, offset: 0)
  }

  /// Whether texts of the pattern contain their offset from UTC.
  package static func includesZone(_ fields: [Field]) -> Bool {
    fields.contains { if case .zone = $0 { true } else { false } }
  }

  // MARK: Reading patterns

  /// The error in a pattern, or its fields.
  package enum Reading {
    case fields([Field])
    case fault(String)
  }

  package static func read(_ pattern: String) -> Reading {
    var fields: [Field] = []
    var rest = Array(pattern)[...]
    while let letter = rest.first {
      if letter == "'" {
        guard let text = quoted(&rest) else { return .fault("a quote in it has no end") }
        fields.append(.literal(text))
        continue
      }
      let count = rest.prefix { $0 == letter }.count
      rest = rest.dropFirst(count)
      guard letter.isASCII, letter.isLetter else {
        fields.append(.literal(String(repeating: letter, count: count)))
        continue
      }
      guard let field = field(letter, count) else {
        let letters = String(repeating: letter, count: count)
        return .fault(
          "'\(letters)' has no meaning here (quote letters that are plain text)")
      }
      fields.append(field)
    }
    return fault(of: fields).map { .fault($0) } ?? .fields(fields)
  }

  private static func field(_ letter: Character, _ count: Int) -> Field? {
    switch (letter, count) {
    case ("y", 1), ("y", 4): .year
    case ("M", 1...4): .month(count)
    case ("d", 1...2): .day(count)
    case ("H", 1...2): .hour(count, isOfTwelve: false)
    case ("h", 1...2): .hour(count, isOfTwelve: true)
    case ("m", 1...2): .minute(count)
    case ("s", 1...2): .second(count)
    case ("S", 1...9): .fraction(count)
    case ("a", 1): .half
    case ("E", 1...3): .weekday(3)
    case ("E", 4): .weekday(4)
    case ("Z", 1...3), ("x", 2): .zone(.basic)
    case ("x", 3), ("x", 5): .zone(.extended)
    case ("X", 1): .zone(.shortOrZ)
    case ("X", 2): .zone(.basicOrZ)
    case ("X", 3), ("X", 5), ("Z", 5): .zone(.extendedOrZ)
    default: nil
    }
  }

  /// The text between quotes; two quotes are one.
  private static func quoted(_ rest: inout ArraySlice<Character>) -> String? {
    rest.removeFirst()
    if rest.first == "'" {
      rest.removeFirst()
      return "'"
    }
    var text = ""
    while let letter = rest.popFirst() {
      if letter != "'" {
        text.append(letter)
      } else if rest.first == "'" {
        text.append(letter)
        rest.removeFirst()
      } else {
        return text
      }
    }
    return nil
  }

  /// Why fields do not determine a date.
  private static func fault(of fields: [Field]) -> String? {
    var counts: [String: Int] = [:]
    for field in fields { counts[field.name, default: 0] += 1 }
    counts["literal"] = nil
    if let twice = counts.filter({ $0.value > 1 }).keys.min() { return "it has the \(twice) twice" }
    for name in ["year", "month", "day"] where counts[name] == nil {
      return "it lacks the \(name)"
    }
    let isOfTwelve = fields.contains { if case .hour(_, true) = $0 { true } else { false } }
    if isOfTwelve != (counts["half of the day"] != nil) { return "'h' and 'a' go together" }
    for (field, next) in zip(fields, fields.dropFirst()) where field.hasOpenEnd && next.isDigits {
      return "digits directly after the \(field.name), which has one letter, are ambiguous"
    }
    for (part, whole) in [("minute", "hour"), ("second", "minute"), ("fraction", "second")]
    where counts[part] != nil && counts[whole] == nil {
      return "it has the \(part) and lacks the \(whole)"
    }
    return nil
  }

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  package static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  /// 2001-01-01 was a Monday.
  package static func weekday(of seconds: Double) -> Int {
    let day = (seconds / 86_400).rounded(.down)
    return Int(day - (day / 7).rounded(.down) * 7)
  }
}

extension DatePattern.Field {
  /// Whether it has as many digits as its number needs.
  fileprivate var hasOpenEnd: Bool {
    switch self {
    case .month(1), .day(1), .hour(1, _), .minute(1), .second(1), .zone(.shortOrZ): true
    default: false
    }
  }

  /// Whether it begins with a digit.
  fileprivate var isDigits: Bool {
    switch self {
    case .literal(let text): text.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    case .year, .month(1...2), .day, .hour, .minute, .second, .fraction: true
    default: false
    }
  }

  /// The name of the field in one word.
  fileprivate var name: String {
    switch self {
    case .literal: "literal"
    case .year: "year"
    case .month: "month"
    case .day: "day"
    case .hour: "hour"
    case .minute: "minute"
    case .second: "second"
    case .fraction: "fraction"
    case .half: "half of the day"
    case .weekday: "weekday"
    case .zone: "zone"
    }
  }
}

// MARK: - Dates as the texts of a pattern, and back

extension DatePattern {
  // MARK: Writing

  /// The text of a date, in seconds from 2001-01-01T00:00:00Z; nil if the pattern cannot express it.
  ///
  /// Parts without a field in the pattern are left out.
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
    case .year: return String(moment.year, width: 4)
    case .month(let count):
      if count < 3 { return String(moment.month, width: count) }
      let name = Self.months[moment.month - 1]
      return count == 3 ? String(name.prefix(3)) : name
    case .day(let count): return String(moment.day, width: count)
    case .hour(let count, let isOfTwelve):
      return String(isOfTwelve ? (moment.hour + 11) % 12 + 1 : moment.hour, width: count)
    case .minute(let count): return String(moment.minute, width: count)
    case .second(let count): return String(Int(moment.second), width: count)
    case .fraction(let count): return String(digits, width: count)
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
    let hours = (offset < 0 ? "-" : "+") + String(minutes / 60, width: 2)
    return zone == .shortOrZ && minutes % 60 == 0
      ? hours : hours + mark + String(minutes % 60, width: 2)
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

  /// The date of a text, in seconds from 2001-01-01T00:00:00Z; nil if the text is not a date.
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
    // A day beyond the end of the month, or a wrong weekday, is not a date.
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

// MARK: - The medium style of date and time in American English, as DateFormatter writes it

/// Dates in the medium style; the text does not include their time zone.
public enum MediumDate {
  /// The months' names, January first.
  package static let months: [String] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// Parses a text that is exactly one date; nil otherwise.
  package static func moment(in text: String) -> Timestamp? {
    var rest = Substring(text)
    guard let month = months.firstIndex(where: { rest.hasPrefix($0) }) else { return nil }
    rest.removeFirst(months[month].count)
    guard take(" ", from: &rest), let day = number(1...2, from: &rest),
      (1...days[month]).contains(day), take(", ", from: &rest),
      let year = number(4...4, from: &rest), day < 29 || month != 1 || isLeap(year),
      take(" at ", from: &rest) || take(", ", from: &rest),
      let hour = number(1...2, from: &rest), (1...12).contains(hour), take(":", from: &rest),
      let minute = number(2...2, from: &rest), minute < 60, take(":", from: &rest),
      let second = number(2...2, from: &rest), second < 60
    else { return nil }
    guard let space = rest.popFirst(), [" ", "\u{202F}", "\u{A0}"].contains(space),
      rest == "AM" || rest == "PM"
    else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour % 12 + (rest == "PM" ? 12 : 0),
      minute: minute, second: Double(second))
  }

  /// The text of a moment; fractions of a second are left out.
  package static func text(of moment: Timestamp) -> String {
    let month = months[min(max(moment.month, 1), 12) - 1]
    let hour = moment.hour % 12 == 0 ? 12 : moment.hour % 12
    let clock = "\(hour):\(twoDigits(moment.minute)):\(twoDigits(Int(moment.second)))"
    let half = moment.hour < 12 ? "AM" : "PM"
    return "\(month) \(moment.day), \(moment.year) at \(clock) \(half)"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func take(_ text: String, from rest: inout Substring) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }

  /// A number of so many ASCII digits; one of one or two digits begins with no 0.
  private static func number(_ width: ClosedRange<Int>, from rest: inout Substring) -> Int? {
    let digits = rest.prefix(width.upperBound).prefix { ("0"..."9").contains($0) }
    guard digits.count >= width.lowerBound, width.lowerBound > 1 || digits.first != "0" else {
      return nil
    }
    rest.removeFirst(digits.count)
    return Int(digits)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}
