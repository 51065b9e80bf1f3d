// The progress of a run as text.

import Basics

/// The text of a progress bar or a progress line.
struct ProgressText {
  /// The counts so far.
  let summary: BatchSummary
  /// How many files there are; nil if unknown.
  let total: Int?

  /// How many columns a line may have, so that none wraps on a terminal.
  var width = Self.usualWidth

  /// The columns of a usual terminal, but for the last one.
  static let usualWidth = 79
  private static let barWidth = 20

  /// `12,400 files done, 3 failed, 850 files/s`.
  var plain: String {
    let done = "\(Counted.text(summary.seenCount, "file")) done"
    return ([done] + failures + [filesPerSecond]).joined(separator: ", ")
  }

  /// `[########------------] 412 of 1,000, 3 failed, 850 files/s, 12.3 MB/s, 0:21 left`.
  ///
  /// What matters less is left out of a line that is too long.
  var bar: String {
    var parts = [counts] + failures
    var optional: [String] = [filesPerSecond]
    if summary.seconds > 0, summary.bytesRead > 0 {
      let speed = Double(summary.bytesRead) / summary.seconds
      optional.append("\(Quantity.decimal(speed / 1e6)) MB/s")
    }
    var end: [String] = []
    if let total, summary.rate > 0 {
      end.append(
        "\(Quantity.clock(Double(max(0, total - summary.seenCount)) / summary.rate)) left")
    }
    while !optional.isEmpty, (parts + optional + end).joined(separator: ", ").count > width {
      optional.removeLast()
    }
    parts += optional + end
    return String(parts.joined(separator: ", ").prefix(width))
  }

  /// `[########------------] 412 of 1,000`, or `412 files` if nobody knows how many there are.
  private var counts: String {
    let done = Counted.number(summary.seenCount)
    guard let total, total > 0 else { return Counted.text(summary.seenCount, "file") }
    let filled = min(Self.barWidth, summary.seenCount * Self.barWidth / total)
    let bar = String(repeating: "#", count: filled)
    let rest = String(repeating: "-", count: Self.barWidth - filled)
    return "[\(bar)\(rest)] \(done) of \(Counted.number(total))"
  }

  private var failures: [String] {
    summary.badCount > 0 ? ["\(Counted.number(summary.badCount)) failed"] : []
  }

  private var filesPerSecond: String {
    "\(Counted.number(Int(min(summary.rate, 1e12).rounded()))) files/s"
  }
}
