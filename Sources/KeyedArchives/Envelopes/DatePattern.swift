// Date patterns as DateFormatter takes them: the part of Unicode TS 35 that tells a moment in UTC by digits.

import ObjectGraph

/// A pattern such as `yyyy-MM-dd'T'HH:mm:ss`.
public struct DatePattern: Sendable, Equatable {
  private enum Part: Sendable, Equatable {
    case year, month, day, hour, minute, second, milliseconds
    case literal(String)
  }

  /// The pattern.
  public let text: String
  private var parts: [Part] = []

  /// Letters of fields and how often they stand; a zone is UTC's own mark.
  private static let fields: [String: Part] = [
    "yyyy": .year, "MM": .month, "dd": .day, "HH": .hour, "mm": .minute, "ss": .second,
    "SSS": .milliseconds, "Z": .literal("+0000"), "X": .literal("Z"), "XXX": .literal("Z"),
    "XXXXX": .literal("Z"), "xxx": .literal("+00:00"),
  ]

  /// Reads a pattern; nil if it has other fields, or lacks year, month or day.
  public init?(_ text: String) {
    self.text = text
    var rest = Substring(text)
    while let first = rest.first {
      if first == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "'") else { return nil }
        parts.append(.literal(end == rest.startIndex ? "'" : String(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      } else if first.isASCII, first.isLetter {
        let run = rest.prefix { $0 == first }
        guard let part = Self.fields[String(run)] else { return nil }
        parts.append(part)
        rest = rest.dropFirst(run.count)
      } else {
        parts.append(.literal(String(first)))
        rest.removeFirst()
      }
    }
    guard [.year, .month, .day].allSatisfy(parts.contains) else { return nil }
  }

  /// The text of a date; nil for one that the calendar or the pattern cannot tell.
  func text(of seconds: Double) -> String? {
    guard let moment = Timestamp(secondsFromReference: seconds), (1...9999).contains(moment.year)
    else { return nil }
    let whole = Int(moment.second)
    return parts.map { part in
      switch part {
      case .year: Self.padded(moment.year, 4)
      case .month: Self.padded(moment.month, 2)
      case .day: Self.padded(moment.day, 2)
      case .hour: Self.padded(moment.hour, 2)
      case .minute: Self.padded(moment.minute, 2)
      case .second: Self.padded(whole, 2)
      case .milliseconds:
        Self.padded(Int(((moment.second - Double(whole)) * 1000).rounded(.down)), 3)
      case .literal(let text): text
      }
    }.joined()
  }

  /// The date that a text tells; nil if it is not of the pattern.
  func seconds(of text: String) -> Double? {
    var cursor = DigitCursor(text)
    var moment = Timestamp(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0)
    var milliseconds = 0
    for part in parts {
      let isRead: Bool
      switch part {
      case .year: isRead = Self.read(4, 1...9999, &moment.year, &cursor)
      case .month: isRead = Self.read(2, 1...12, &moment.month, &cursor)
      case .day: isRead = Self.read(2, 1...31, &moment.day, &cursor)
      case .hour: isRead = Self.read(2, 0...23, &moment.hour, &cursor)
      case .minute: isRead = Self.read(2, 0...59, &moment.minute, &cursor)
      case .second:
        var second = 0
        isRead = Self.read(2, 0...59, &second, &cursor)
        moment.second = Double(second)
      case .milliseconds: isRead = Self.read(3, 0...999, &milliseconds, &cursor)
      case .literal(let text): isRead = text.unicodeScalars.allSatisfy { cursor.skip($0) }
      }
      guard isRead else { return nil }
    }
    guard cursor.isAtEnd else { return nil }
    moment.second += Double(milliseconds) / 1000
    let seconds = moment.secondsFromReference
    // A day that the month does not have tells another.
    return Timestamp(secondsFromReference: seconds)?.day == moment.day ? seconds : nil
  }

  private static func read(
    _ width: Int, _ range: ClosedRange<Int>, _ field: inout Int, _ cursor: inout DigitCursor
  ) -> Bool {
    guard let digits = cursor.digits(width), range.contains(digits) else { return false }
    field = digits
    return true
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
