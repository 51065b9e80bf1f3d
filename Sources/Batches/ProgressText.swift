// The progress of a run as text.

import Basics

/// The text of a progress bar or a progress line.
struct ProgressText {
  /// The counts so far.
  let summary: BatchSummary
  /// How many files there are; nil if unknown.
  let total: Int?

  /// The length limit of a line, so that none wraps on a terminal.
  static let width = 79
  private static let barWidth = 20

  /// `12,400 files done, 3 failed, 850 files/s`.
  var plain: String {
    let done = "\(Counted.text(summary.total, "file")) done"
    return ([done] + failures + [filesPerSecond]).joined(separator: ", ")
  }

  /// `[########------------] 412 of 1,000, 3 failed, 850 files/s, 12.3 MB/s, 0:21 left`.
  var bar: String {
    var parts: [String] = []
    let done = Counted.number(summary.total)
    if let total, total > 0 {
      let filled = min(Self.barWidth, summary.total * Self.barWidth / total)
      let bar = String(repeating: "#", count: filled)
      let rest = String(repeating: "-", count: Self.barWidth - filled)
      parts.append("[\(bar)\(rest)] \(done) of \(Counted.number(total))")
    } else {
      parts.append(Counted.text(summary.total, "file"))
    }
    parts += failures
    parts.append(filesPerSecond)
    if summary.seconds > 0 {
      let speed = Double(summary.bytesRead) / summary.seconds
      parts.append("\(Quantity.decimal(speed / 1e6)) MB/s")
    }
    if let total, summary.rate > 0 {
      parts.append(
        "\(Quantity.clock(Double(max(0, total - summary.total)) / summary.rate)) left")
    }
    return String(parts.joined(separator: ", ").prefix(Self.width))
  }

  private var failures: [String] {
    summary.badCount > 0 ? ["\(Counted.number(summary.badCount)) failed"] : []
  }

  private var filesPerSecond: String {
    "\(Counted.number(Int(min(summary.rate, 1e12).rounded()))) files/s"
  }
}
