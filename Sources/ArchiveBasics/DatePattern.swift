// Patterns of dates in the letters of Unicode, as DateFormatter takes them: `yyyy-MM-dd HH:mm`.
//
// Source: Unicode Technical Standard #35, part 4, "Date Format Patterns"; names are those of American English, whatever
// the locale.

/// A pattern, split into its fields.
public struct DatePattern: Sendable, Equatable {
  /// A part of a pattern.
  package enum Field: Sendable, Equatable {
    case literal(String)
    /// So many digits of a part; one digit stands for as many as the number needs, but for those of a fraction.
    case number(Part, Int)
    case monthName(isShort: Bool)
    case half
    case weekday(isShort: Bool)
    case zone(Zone)
  }

  /// A part of a date that is a number; the value is its name.
  package enum Part: String, Sendable {
    case year, month, day, hour
    /// The hour of half a day, from 1 to 12.
    case hourOfTwelve
    case minute, second, fraction
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
  package let offset: Int

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
    case ("y", 1), ("y", 4): .number(.year, 4)
    case ("M", 1...2): .number(.month, count)
    case ("M", 3...4): .monthName(isShort: count == 3)
    case ("d", 1...2): .number(.day, count)
    case ("H", 1...2): .number(.hour, count)
    case ("h", 1...2): .number(.hourOfTwelve, count)
    case ("m", 1...2): .number(.minute, count)
    case ("s", 1...2): .number(.second, count)
    case ("S", 1...9): .number(.fraction, count)
    case ("a", 1): .half
    case ("E", 1...4): .weekday(isShort: count < 4)
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
    let isOfTwelve = fields.contains {
      if case .number(.hourOfTwelve, _) = $0 { true } else { false }
    }
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
    case .number(let part, 1): part != .fraction
    case .zone(.shortOrZ): true
    default: false
    }
  }

  /// Whether it begins with a digit.
  fileprivate var isDigits: Bool {
    switch self {
    case .literal(let text): text.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    case .number: true
    default: false
    }
  }

  /// The name of the field in one word.
  fileprivate var name: String {
    switch self {
    case .literal: "literal"
    case .number(.hourOfTwelve, _): DatePattern.Part.hour.rawValue
    case .number(let part, _): part.rawValue
    case .monthName: DatePattern.Part.month.rawValue
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
    let count = fields.reduce(0) {
      if case .number(.fraction, let count) = $1 { count } else { $0 }
    }
    if count == 0 { return (whole, 0) }
    let unit = (0..<count).reduce(1.0) { power, _ in power * 10 }
    let digits = ((seconds - whole) * unit).rounded()
    return digits < unit ? (whole, Int(digits)) : (whole + 1, 0)
  }

  private func text(of field: Field, _ moment: Timestamp, _ digits: Int) -> String {
    switch field {
    case .literal(let text): return text
    case .number(let part, let count):
      let number =
        switch part {
        case .year: moment.year
        case .month: moment.month
        case .day: moment.day
        case .hour: moment.hour
        case .hourOfTwelve: (moment.hour + 11) % 12 + 1
        case .minute: moment.minute
        case .second: Int(moment.second)
        case .fraction: digits
        }
      return String(number, width: count)
    case .monthName(let isShort): return Self.name(Self.months[moment.month - 1], isShort)
    case .half: return moment.hour < 12 ? "AM" : "PM"
    case .weekday(let isShort):
      return Self.name(Self.weekdays[Self.weekday(of: moment.secondsFromReference)], isShort)
    case .zone(let zone): return Self.text(of: zone, offset)
    }
  }

  private static func name(_ whole: String, _ isShort: Bool) -> String {
    isShort ? String(whole.prefix(3)) : whole
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
    var numbers: [Part: Int] = [:]
    var fraction = 0.0
    var isAfternoon: Bool?
    var weekday: Int?
    var offset: Int?
  }

  /// The date of a text, in seconds from 2001-01-01T00:00:00Z; nil if the text is not a date.
  package func seconds(of text: String) -> Double? {
    var cursor = DigitCursor(text)
    var filled = Filled()
    for field in fields where !Self.read(field, &cursor, &filled) { return nil }
    func number(_ part: Part) -> Int { filled.numbers[part] ?? 0 }
    guard cursor.isAtEnd, (1...12).contains(number(.month)), (1...31).contains(number(.day)),
      number(.minute) < 60, number(.second) < 60
    else { return nil }
    var hour = number(.hour)
    if let isAfternoon = filled.isAfternoon {
      guard (1...12).contains(number(.hourOfTwelve)) else { return nil }
      hour = number(.hourOfTwelve) % 12 + (isAfternoon ? 12 : 0)
    }
    guard hour < 24 else { return nil }
    let midnight = Timestamp(
      year: number(.year), month: number(.month), day: number(.day), hour: 0, minute: 0, second: 0
    ).secondsFromReference
    // A day beyond the end of the month, or a wrong weekday, is not a date.
    guard Timestamp(secondsFromReference: midnight)?.day == number(.day),
      filled.weekday == nil || filled.weekday == Self.weekday(of: midnight)
    else { return nil }
    let clock = hour * 3600 + number(.minute) * 60 + number(.second)
    let seconds = midnight + Double(clock - (filled.offset ?? offset)) + filled.fraction
    return Timestamp.isGregorian(seconds) ? seconds : nil
  }

  /// Reads a field; false if the text does not have it.
  private static func read(
    _ field: Field, _ cursor: inout DigitCursor, _ filled: inout Filled
  ) -> Bool {
    switch field {
    case .literal(let text): return cursor.skip(text: text)
    case .number(.fraction, let count):
      guard let digits = cursor.digits(count...count) else { return false }
      filled.fraction = Double("0." + digits) ?? 0
    case .number(let part, let count):
      // One of one digit may have two.
      guard let digits = cursor.digits(count...max(count, 2)) else { return false }
      filled.numbers[part] = Int(digits)
    case .monthName(let isShort):
      guard let month = name(of: months, isShort, &cursor) else { return false }
      filled.numbers[.month] = month + 1
    case .half:
      filled.isAfternoon = cursor.skip(text: "AM") ? false : cursor.skip(text: "PM") ? true : nil
      return filled.isAfternoon != nil
    case .weekday(let isShort):
      filled.weekday = name(of: weekdays, isShort, &cursor)
      return filled.weekday != nil
    case .zone(let zone):
      filled.offset = cursor.offset(
        hasZ: zone.hasZ, mark: zone.isExtended ? ":" : "", needsMinutes: zone != .shortOrZ
      ).map { $0 * 60 }
      return filled.offset != nil
    }
    return true
  }

  private static func name(
    of names: [String], _ isShort: Bool, _ cursor: inout DigitCursor
  ) -> Int? {
    names.firstIndex { cursor.skip(text: name($0, isShort)) }
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
  package static let months = DatePattern.months.map { String($0.prefix(3)) }

  /// Parses a text that is exactly one date; nil otherwise.
  package static func moment(in text: String) -> Timestamp? {
    var cursor = DigitCursor(text)
    guard let month = months.firstIndex(where: { cursor.skip(text: $0) }), cursor.skip(" "),
      let day = unpadded(&cursor), cursor.skip(text: ", "), let year = cursor.number(of: 4...4),
      cursor.skip(text: " at ") || cursor.skip(text: ", "),
      let hour = unpadded(&cursor), (1...12).contains(hour), cursor.skip(":"),
      let minute = cursor.number(of: 2...2), minute < 60, cursor.skip(":"),
      let second = cursor.number(of: 2...2), second < 60,
      cursor.skip(" ") || cursor.skip("\u{202F}") || cursor.skip("\u{A0}")
    else { return nil }
    let isMorning = cursor.skip(text: "AM")
    guard isMorning || cursor.skip(text: "PM"), cursor.isAtEnd else { return nil }
    let moment = Timestamp(
      year: year, month: month + 1, day: day, hour: hour % 12 + (isMorning ? 0 : 12),
      minute: minute, second: Double(second))
    // A day beyond the end of the month is not a date.
    return Timestamp(secondsFromReference: moment.secondsFromReference)?.day == day ? moment : nil
  }

  /// A number of one or two digits, the first of which is not 0.
  private static func unpadded(_ cursor: inout DigitCursor) -> Int? {
    cursor.digits(1...2).flatMap { $0.first == "0" ? nil : Int($0) }
  }

  /// The text of a moment; fractions of a second are left out.
  package static func text(of moment: Timestamp) -> String {
    let month = months[min(max(moment.month, 1), 12) - 1]
    let clock = [moment.minute, Int(moment.second)].map { ":" + String($0, width: 2) }.joined()
    let half = moment.hour < 12 ? "AM" : "PM"
    let hour = (moment.hour + 11) % 12 + 1
    return "\(month) \(moment.day), \(moment.year) at \(hour)\(clock) \(half)"
  }
}
