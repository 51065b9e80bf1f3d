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

  /// How an offset from UTC is spelled.
  package enum Zone: Sendable, Equatable {
    /// `+0900`.
    case basic
    /// `+09:00`.
    case extended
    /// `+09:00`, and `Z` for UTC.
    case extendedOrZ
    /// `+0900`, and `Z` for UTC.
    case basicOrZ
    /// `+09`, with minutes where there are any, and `Z` for UTC.
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

  /// Reads a pattern of dates in UTC; nil if it is none, or does not tell one moment.
  package init?(_ text: String) {
    guard case .fields(let fields) = Self.read(text) else { return nil }
    self.init(text, fields: fields, offset: 0)
  }

  /// Whether texts of the pattern tell their offset from UTC.
  package static func tellsZone(_ fields: [Field]) -> Bool {
    fields.contains { if case .zone = $0 { true } else { false } }
  }

  // MARK: Reading patterns

  /// What is wrong with a pattern, or its fields.
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
          "'\(letters)' in it has no meaning here (letters that stand for themselves are quoted)")
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

  /// Why fields do not tell one moment.
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
      return "nothing tells where the \(field.name), of one letter, ends before digits"
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

  /// What it tells, in a word.
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
