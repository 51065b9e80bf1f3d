// The progress that is reported during a run.

import ArchiveBasics
import ArchiveMigrations
import FileTransactions
import Testing

@testable import ArchiveBatches
@testable import CommandLineInterface

@Suite struct ProgressTests {
  static func summary(_ changed: Int, failed: Int = 0, seconds: Double) -> BatchSummary {
    var summary = BatchSummary()
    for _ in 0..<changed { summary.add(.changed, bytes: 1000, newBytes: 500) }
    for _ in 0..<failed { summary.add(.failed) }
    summary.seconds = seconds
    return summary
  }

  @Test(
    arguments: [
      (0, 0, 0.0, nil, "0 files done, 0 files/s", "0 files, 0 files/s"),
      (
        12_400, 3, 14.6, nil, "12,403 files done, 3 failed, 850 files/s",
        "12,403 files, 3 failed, 850 files/s, 0.8 MB/s"
      ),
      (
        50, 0, 10, 200, "50 files done, 5 files/s",
        "[#####---------------] 50 of 200, 5 files/s, 0.0 MB/s, 0:30 left"
      ),
      (
        200, 0, 10, 200, "200 files done, 20 files/s",
        "[####################] 200 of 200, 20 files/s, 0.0 MB/s, 0:00 left"
      ),
    ] as [(Int, Int, Double, Int?, String, String)])
  func says(
    changed: Int, failed: Int, seconds: Double, total: Int?, plain: String, bar: String
  ) {
    let text = ProgressText(
      summary: Self.summary(changed, failed: failed, seconds: seconds), total: total)
    #expect(text.plain == plain)
    #expect(text.bar == bar)
    #expect(text.bar.count <= ProgressText.usualWidth)
  }

  @Test(
    arguments: [
      (.read, 0, 100, 0, nil), (.read, 2_000_000, nil, 0, "2.0 MB read, 0:12"),
      (.read, 2_000_000, 8_000_000, 0, "[#####---------------] 2.0 MB of 8.0 MB read, 0:12"),
      (
        .decoded, 4_000_000, 8_000_000, 1_000_000,
        "[##########----------] 4.0 MB of 8.0 MB decoded, 1.0 MB written, 0:12"
      ),
      (.decoded, 8_000_000, 8_000_000, 900_000, "8.0 MB decoded, 900.0 kB written, 0:12"),
      (.read, 0, nil, 9_000_000, "9.0 MB written, 0:12"),
    ] as [(InputProgress.Step, Int, Int?, Int, String?)])
  func saysHowFarOneInputIs(
    _ step: InputProgress.Step, _ position: Int, _ total: Int?, _ written: Int, _ text: String?
  ) {
    var progress = InputProgress()
    (progress.step, progress.position, progress.total) = (step, position, total)
    progress.written = written
    #expect(progress.text(seconds: 12, width: 79) == text)
    #expect(progress.text(seconds: 12, width: 10)?.count ?? 10 == 10)
  }

  @Test func drawsNoMoreThanTenBarsASecond() {
    var written: [String] = []
    let display = ProgressDisplay(isBar: true, style: .plain, total: nil, now: 0) {
      written.append($0)
    }
    display.erase()
    // A run of less than a second needs none.
    for tick in 1...999 {
      display.update(Self.summary(1, seconds: 1), now: Double(tick) / 1000)
    }
    #expect(written.isEmpty)
    for tick in 1000...2000 {
      display.update(Self.summary(1, seconds: 1), now: Double(tick) / 1000)
    }
    #expect((9...11).contains(written.count))
    #expect(written.allSatisfy { $0.hasPrefix("\r\u{1B}[K1 file, ") })
    display.erase()
    display.erase()
    #expect(written.last == "\r\u{1B}[K")
    #expect(written.dropLast().last != "\r\u{1B}[K")
  }

  /// In a narrow terminal the rates go first, and how much time is left stays.
  @Test(arguments: [
    (79, "[#####---------------] 50 of 200, 5 files/s, 0.0 MB/s, 0:30 left"),
    (60, "[#####---------------] 50 of 200, 5 files/s, 0:30 left"),
    (50, "[#####---------------] 50 of 200, 0:30 left"), (20, "[#####--------------"),
  ]) func fitsTheTerminal(_ width: Int, _ bar: String) {
    let text = ProgressText(summary: Self.summary(50, seconds: 10), total: 200, width: width)
    #expect(text.bar == bar)
  }

  @Test func writesALineEveryTenSeconds() {
    var written: [String] = []
    let display = ProgressDisplay(isBar: false, style: .plain, total: nil, now: 100) {
      written.append($0)
    }
    for second in 101...135 { display.update(Self.summary(2, seconds: 1), now: Double(second)) }
    display.erase()
    #expect(written == Array(repeating: "2 files done, 2 files/s\n", count: 3))
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"),
    (999_950, "1.0 MB"), (1_234_567_890, "1.2 GB"), (Int.max, "9,223.4 PB"),
  ])
  func writesBytes(number: Int, text: String) { #expect(Quantity.bytes(number) == text) }

  @Test(arguments: [
    (0.0, "0:00"), (20.4, "0:21"), (61, "1:01"), (3723, "1:02:03"), (.infinity, "-"), (.nan, "-"),
  ])
  func writesTimes(seconds: Double, text: String) { #expect(Quantity.clock(seconds) == text) }

  @Test func sumsUp() {
    var summary = Self.summary(3, failed: 1, seconds: 1.25)
    summary.add(.unchanged, bytes: 10)
    summary.add(.refused, bytes: 10)
    #expect(
      summary.lines() == [
        "6 files: 3 changed, 1 already current, 1 refused, 1 failed",
        "3.0 kB became 1.5 kB, in 1.3 s",
      ])
    var unchanged = BatchSummary()
    unchanged.add(.unchanged, bytes: 10)
    #expect(unchanged.lines() == ["1 file: 1 already current, in 0.0 s"])
  }

  @Test func everyOutcomeIsCountedAlone() {
    for outcome in BatchOutcome.allCases {
      var summary = BatchSummary()
      summary.add(outcome)
      #expect(BatchOutcome.allCases.filter { summary.count($0) == 1 } == [outcome])
      #expect(summary.total == 1 && summary.badCount == (outcome.isBad ? 1 : 0))
    }
  }
}
