// The progress of a run on standard error: a bar on a terminal, otherwise a line from time to time.

import Basics

/// Displays progress.
package final class ProgressDisplay {
  /// Whether a bar is redrawn on one line.
  private let isBar: Bool
  private let style: TerminalStyle
  private let total: Int?
  private let width: Int
  /// When the run began.
  private let start: Double
  private let write: (String) -> Void
  /// The time of the last update.
  private var shownAt: Double
  private var isShown = false

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
    if isBar, now - start < Self.secondsBeforeBars { return }
    shownAt = now
    let text = ProgressText(summary: summary, total: total, width: width)
    guard isBar else { return write(text.plain + "\n") }
    write("\r\u{1B}[K" + (summary.badCount > 0 ? style.yellow(text.bar) : text.bar))
    isShown = true
  }

  /// Removes the bar, before other output is written.
  package func erase() {
    guard isShown else { return }
    write("\r\u{1B}[K")
    isShown = false
  }
}
