// Dates formatted by patterns, compared with Foundation's DateFormatter.

import ArchiveBasics
import Foundation
import Testing

@testable import ArchiveGraph

@Suite struct DatePatternTests {
  static let patterns = [
    "yyyy-MM-dd HH:mm", "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd HH:mm:ss.SSS Z", "d.M.yyyy",
    "EEE, d MMM yyyy h:mm a", "EEEE, MMMM d, yyyy 'at' hh:mm:ss a", "yyyyMMddHHmmss",
    "yyyy/MM/dd HH:mm:ss ZZZZZ", "dd-MM-y XX", "yyyy-MM-dd xxx", "yyyy-MM-dd HH X",
  ]

  static let offsets = [0, 32_400, -12_600]

  private static func formatter(_ pattern: String, _ offset: Int) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = TimeZone(secondsFromGMT: offset)
    formatter.dateFormat = pattern
    return formatter
  }

  private static func pattern(_ text: String, _ offset: Int) throws -> DatePattern {
    guard case .fields(let fields) = DatePattern.read(text) else {
      Issue.record("\(text) is no pattern")
      return DatePattern("", fields: [], offset: 0)
    }
    return DatePattern(text, fields: fields, offset: offset)
  }

  @Test(arguments: patterns, offsets)
  func datesAreSpelledAndReadAsFoundationDoes(_ text: String, _ offset: Int) throws {
    let formatter = Self.formatter(text, offset)
    let pattern = try Self.pattern(text, offset)
    var state: UInt64 = 42
    for _ in 0..<300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // From 1700 to 2300, to the millisecond.
      let seconds = Double(Int64(state >> 24) % 18_000_000_000_000) / 1000 - 9_000_000_000
      let expected = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
      let found = try #require(pattern.text(of: seconds))
      #expect(found == expected, "\(text) \(seconds)")
      let back = try #require(pattern.seconds(of: found))
      let other = try #require(formatter.date(from: expected))
      #expect(
        abs(back - other.timeIntervalSinceReferenceDate) < 1e-4, "\(text) \(found) \(seconds)")
      // A text that a pattern made comes back as it was.
      #expect(pattern.text(of: back) == found)
    }
  }

  /// Foundation tells the days before that in the Julian calendar.
  @Test func datesBeforeTheGregorianCalendarAreNone() throws {
    let pattern = try Self.pattern("yyyy-MM-dd", 0)
    let first = try #require(
      Self.formatter("yyyy-MM-dd", 0).date(from: "1582-10-15")?.timeIntervalSinceReferenceDate)
    #expect(pattern.text(of: first) == "1582-10-15")
    #expect(pattern.seconds(of: "1582-10-15") == first)
    #expect(pattern.text(of: first - 1) == nil)
    #expect(pattern.seconds(of: "1582-10-14") == nil)
  }

  /// `2020111` could be two days: the text of one date must not be read as another.
  @Test(arguments: [
    "yyyyMd", "d.M.yyyyHm", "yyyy-MM-dd H'0'mm", "yyyy-MM-dd HH:mm:sSS",
    "yyyy-MM-ddXHH",
  ])
  func aNumberOfOneLetterNeedsAnEnd(_ text: String) {
    guard case .fault(let fault) = DatePattern.read(text) else {
      Issue.record("\(text) is taken")
      return
    }
    #expect(fault.contains("has one letter"), "\(fault)")
  }

  @Test(arguments: ["d.M.yyyy", "yyyyMMdd H:m:s", "MMMddyyyy", "yyyy年M月d日"])
  func otherNumbersHaveTheirs(_ text: String) {
    guard case .fields = DatePattern.read(text) else {
      Issue.record("\(text) is refused")
      return
    }
  }
}
