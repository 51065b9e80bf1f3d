// Dates as text, checked against Foundation's calendar.

import ArchiveBasics
import ArchiveGraph
import Foundation
import Testing

@Suite struct TimestampTests {
  /// Foundation's Gregorian calendar is Julian before 1582; only later days can be compared.
  @Test(arguments: [
    0.0, 1, -1, 576_215_400, 0.5, -978_307_200, 86_399, 252_423_993_599, 1_234_567_890.125,
  ])
  func agreesWithFoundationsCalendar(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let fields = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    let timestamp = try #require(Timestamp(secondsFromReference: seconds))
    #expect(timestamp.year == fields.year)
    #expect(timestamp.month == fields.month)
    #expect(timestamp.day == fields.day)
    #expect(timestamp.hour == fields.hour)
    #expect(timestamp.minute == fields.minute)
    #expect(Int(timestamp.second) == fields.second)
    #expect(timestamp.secondsFromReference == seconds)
  }

  @Test(arguments: [-63_114_076_800, -62_135_596_800 - 978_307_200 + 0.25])
  func earlyMomentsComeBack(_ seconds: Double) throws {
    let timestamp = try #require(Timestamp(secondsFromReference: seconds))
    #expect(timestamp.secondsFromReference == seconds)
    #expect(timestamp.year < 1582)
  }

  @Test(arguments: [
    (576_215_400.0, "2019-04-06T03:50:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
    (-63_114_076_800, "0000-12-30T00:00:00Z"), (0.001, "2001-01-01T00:00:00.001Z"),
  ])
  func showsFractionsOnlyWhereThereAreSome(_ seconds: Double, _ text: String) {
    #expect(Timestamp(secondsFromReference: seconds)?.text == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func isNoneForWhatIsNoMoment(_ seconds: Double) {
    #expect(Timestamp(secondsFromReference: seconds) == nil)
  }
}
