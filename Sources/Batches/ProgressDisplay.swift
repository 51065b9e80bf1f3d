// How far a run is, on standard error: a bar on a terminal, a line now and then elsewhere.

import Basics

/// Shows progress.
package final class ProgressDisplay {
  /// Whether a bar is drawn over and over in one line.
  private let isBar: Bool
  private let style: TerminalStyle
  private let total: Int?
  private let write: (String) -> Void
  /// When something was last shown.
  private var shownAt: Double
  private var isShown = false

  /// So many files are told one by one even beside a bar.
  private static let fewFiles = 20

  /// Whether the bar says enough of files that went well: thousands of lines would push away those that matter.
  package var replacesNotes: Bool { isBar && (total ?? .max) > Self.fewFiles }

  private static let secondsBetweenBars = 0.1
  private static let secondsBetweenLines = 10.0

  /// Begins.
  ///
  /// - Parameters:
  ///   - total: how many files there are; nil if nobody knows.
  ///   - now: the seconds that `update` counts in.
  package init(
    isBar: Bool, style: TerminalStyle, total: Int?, now: Double,
    write: @escaping (String) -> Void
  ) {
    self.isBar = isBar
    self.style = style
    self.total = total
    self.write = write
    shownAt = now
  }

  /// Shows the counts, unless that was done a moment ago.
  package func update(_ summary: BatchSummary, now: Double) {
    guard now - shownAt >= (isBar ? Self.secondsBetweenBars : Self.secondsBetweenLines) else {
      return
    }
    shownAt = now
    let text = ProgressText(summary: summary, total: total)
    guard isBar else { return write(text.plain + "\n") }
    write("\r\u{1B}[K" + (summary.badCount > 0 ? style.yellow(text.bar) : text.bar))
    isShown = true
  }

  /// Takes the bar away, before something else is written.
  package func erase() {
    guard isShown else { return }
    write("\r\u{1B}[K")
    isShown = false
  }
}
