// The settings of an application's JSONEncoder: the form of dates in its JSON, and of member names.
//
// Source: Foundation, JSONEncoder.DateEncodingStrategy and KeyEncodingStrategy.

import ArchiveBasics
import KeyedArchives

/// The settings of a JSONEncoder, and of the JSONDecoder that reads its output; data is Base64.
package struct JSONCoding: Sendable, Equatable {
  /// The form of dates in JSON.
  package enum Dates: Sendable, Equatable {
    /// Seconds since 2001, a number: JSONEncoder's default.
    case reference
    /// Seconds from 1970, a number.
    case unix
    /// Milliseconds from 1970, a number.
    case unixMilliseconds
    /// A string of a whole second: `2019-04-06T03:50:00Z`.
    case iso8601
    /// A string of a DateFormatter's pattern in UTC.
    case format(DatePattern)
  }

  /// The form of dates.
  package var dates: Dates
  /// Whether members that the schema names are written in snake case.
  package var hasSnakeCaseKeys: Bool
  /// Whether dates in ISO 8601 may have fractions of a second, which JSONEncoder's strategy neither writes nor reads.
  package var readsFractions: Bool

  /// Makes settings; without any, those of a new JSONEncoder.
  package init(
    dates: Dates = .reference, hasSnakeCaseKeys: Bool = false, readsFractions: Bool = false
  ) {
    self.dates = dates
    self.readsFractions = readsFractions
    self.hasSnakeCaseKeys = hasSnakeCaseKeys
  }

  // MARK: Dates

  /// Seconds from 1970 to 2001.
  private static let unixOffset = 978_307_200.0

  /// A date in JSON.
  enum EncodedDate {
    case number(Double)
    case text(String)
  }

  /// The JSON form of a date; nil if it cannot be represented.
  func encode(_ seconds: Double) -> EncodedDate? {
    guard seconds.isFinite else { return nil }
    let encoded: EncodedDate
    switch dates {
    case .reference: return .number(seconds)
    case .unix: encoded = .number(seconds + Self.unixOffset)
    case .unixMilliseconds: encoded = .number((seconds + Self.unixOffset) * 1000)
    case .iso8601:
      guard Timestamp.isGregorian(seconds), let moment = Timestamp(secondsFromReference: seconds),
        moment.year <= 9999
      else { return nil }
      encoded = .text(moment.text)
    case .format(let pattern):
      guard let text = pattern.text(of: seconds) else { return nil }
      encoded = .text(text)
    }
    return read(encoded) == seconds ? encoded : nil
  }

  /// The date of a number or a text in JSON; nil for other values.
  func read(_ encoded: EncodedDate) -> Double? {
    switch (dates, encoded) {
    case (.reference, .number(let number)): return number
    case (.unix, .number(let number)): return number - Self.unixOffset
    case (.unixMilliseconds, .number(let number)): return number / 1000 - Self.unixOffset
    case (.iso8601, .text(let text)):
      if !readsFractions, text.utf8.contains(UInt8(ascii: ".")) { return nil }
      let seconds = Timestamp(text: text)?.secondsFromReference
      return seconds.flatMap { Timestamp.isGregorian($0) ? $0 : nil }
    case (.format(let pattern), .text(let text)): return pattern.seconds(of: text)
    default: return nil
    }
  }

  /// The setting as messages name it.
  var datesName: String {
    switch dates {
    case .reference: "reference"
    case .unix: "unix"
    case .unixMilliseconds: "unixMilliseconds"
    case .iso8601: "iso8601"
    case .format(let pattern): pattern.text
    }
  }

  // MARK: Keys

  /// A member's name in snake case; nil if JSONDecoder would not find it again by that.
  static func snakeCase(_ name: String) -> String? {
    let letters = Array(name)
    var words: [String] = []
    var start = 0
    var next = 1
    while let upper = (next..<max(next, letters.count)).first(where: { letters[$0].isUppercase }) {
      words.append(String(letters[start..<upper]))
      start = upper
      guard let lower = (upper..<letters.count).first(where: { letters[$0].isLowercase }) else {
        next = letters.count
        break
      }
      // Of several capitals the last begins the word that follows.
      if lower > upper + 1 {
        words.append(String(letters[upper..<lower - 1]))
        start = lower - 1
      }
      next = lower + 1
    }
    words.append(String(letters[start...]))
    let result = words.map { $0.lowercased() }.joined(separator: "_")
    return camelCase(result) == name ? result : nil
  }

  /// The name that JSONDecoder makes of one in snake case.
  package static func camelCase(_ name: String) -> String {
    let inner = name.drop { $0 == "_" }
    let leading = name.prefix(name.count - inner.count)
    let trailing = inner.reversed().prefix { $0 == "_" }
    let words = inner.dropLast(trailing.count).split(separator: "_")
    guard words.count > 1, let first = words.first else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return leading + first.lowercased() + rest.joined() + String(trailing)
  }
}
