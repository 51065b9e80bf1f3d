// The progress of a run on standard error: a bar on a terminal, otherwise a line from time to time.

import ArchiveBasics

/// Displays progress.
package final class ProgressDisplay {
  /// Whether a bar is redrawn on one line.
  private let isBar: Bool
  private let style: TerminalStyle
  private let total: Int?
  private let width: Int
  private let start: Double
  private let write: (String) -> Void
  private var shownAt: Double
  private var isShown = false
  /// What is shown instead if there is one input.
  package var inputBar: InputProgressBar?

  /// With at most this many files, each is reported even if there is a bar.
  private static let fewFiles = 20

  /// Whether the bar replaces notes on successful files: thousands of lines would hide the important ones.
  package var replacesNotes: Bool { isBar && (total ?? .max) > Self.fewFiles }

  /// A run that is over sooner needs no bar.
  private static let secondsBeforeBars = 1.0
  private static let secondsBetweenBars = 0.1
  private static let secondsBetweenLines = 10.0

  /// Starts a display.
  ///
  /// - Parameters:
  ///   - total: how many files there are; nil if unknown.
  ///   - width: how many columns a bar may have; nil for those of a usual terminal.
  ///   - now: the current time in seconds, on the clock that `update` uses.
  package init(
    isBar: Bool, style: TerminalStyle, total: Int?, width: Int? = nil, now: Double,
    write: @escaping (String) -> Void
  ) {
    self.isBar = isBar
    self.style = style
    self.total = total
    self.write = write
    self.width = width ?? ProgressText.usualWidth
    start = now
    shownAt = now
  }

  /// Shows the counts, unless they were shown very recently.
  package func update(_ summary: BatchSummary, now: Double) {
    guard now - shownAt >= (isBar ? Self.secondsBetweenBars : Self.secondsBetweenLines) else {
      return
    }
    if isBar, now - start < Self.secondsBeforeBars || total == 1 { return }
    shownAt = now
    let text = ProgressText(summary: summary, total: total, width: width)
    guard isBar else { return write(text.plain + "\n") }
    write("\r\u{1B}[K" + (summary.badCount > 0 ? style.yellow(text.bar) : text.bar))
    isShown = true
  }

  /// Removes the bar, before other output is written.
  package func erase() {
    inputBar?.erase()
    guard isShown else { return }
    write("\r\u{1B}[K")
    isShown = false
  }
}

// MARK: - The progress of a run as text

/// The text of a progress bar or a progress line.
struct ProgressText {
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
    return "\(Self.bar(summary.seenCount, of: total)) \(done) of \(Counted.number(total))"
  }

  /// `[########------------]`.
  static func bar(_ done: Int, of total: Int) -> String {
    let filled = min(barWidth, Int(Double(barWidth) * Double(done) / Double(total)))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: "-", count: barWidth - filled) + "]"
  }

  private var failures: [String] {
    summary.badCount > 0 ? ["\(Counted.number(summary.badCount)) failed"] : []
  }

  private var filesPerSecond: String {
    "\(Counted.number(Int(min(summary.rate, 1e12).rounded()))) files/s"
  }
}
