// The progress of one large input on a terminal, drawn by a thread of its own.

import ArchiveBasics

/// Shows how far a run is with its input, until the last reference goes.
package final class InputProgressBar {
  private let drawing: Drawing
  private let threads: WorkerThreads

  /// Starts to show it, once the run has lasted longer than most.
  ///
  /// - Parameters:
  ///   - width: how many columns a line may have; nil for those of a usual terminal.
  ///   - write: writes to the terminal.
  package init(width: Int?, write: @escaping @Sendable (String) -> Void) {
    InputProgress.reset()
    let drawing = Drawing(width: width ?? ProgressText.usualWidth, write: write)
    self.drawing = drawing
    threads = WorkerThreads(count: 1) { drawing.run() }
  }

  deinit {
    drawing.end()
    threads.join()
  }

  /// Removes the bar, before other output is written; it comes back a moment later.
  package func erase() { drawing.erase() }

  /// What the thread draws; the lock keeps its lines apart from others.
  private final class Drawing: @unchecked Sendable {
    private static let secondsBeforeBar = 0.5
    private static let millisecondsBetweenBars = 100
    private static let secondsAfterOthers = 0.2

    private let lock = ConditionLock()
    private let width: Int
    private let write: @Sendable (String) -> Void
    private let start = MonotonicClock.seconds
    private var quietUntil: Double
    private var isShown = false
    private var isEnded = false

    init(width: Int, write: @escaping @Sendable (String) -> Void) {
      (self.width, self.write) = (width, write)
      quietUntil = start + Self.secondsBeforeBar
    }

    func run() {
      lock.locked {
        while !isEnded {
          lock.wait(for: .work, milliseconds: Self.millisecondsBetweenBars)
          if !isEnded { draw() }
        }
        clear()
      }
    }

    private func draw() {
      let (now, progress) = (MonotonicClock.seconds, InputProgress.current)
      if now < quietUntil || progress.isHidden { return }
      guard let text = progress.text(seconds: now - start, width: width) else { return }
      write("\r\u{1B}[K" + text)
      isShown = true
    }

    func erase() {
      lock.locked {
        clear()
        quietUntil = max(quietUntil, MonotonicClock.seconds + Self.secondsAfterOthers)
      }
    }

    private func clear() {
      if isShown { write("\r\u{1B}[K") }
      isShown = false
    }

    func end() {
      lock.locked {
        isEnded = true
        lock.signal(.work)
      }
    }
  }
}

extension InputProgress {
  /// `[########------------] 68.2 MB of 167.2 MB decoded, 0:03`, or what is known of that; nil if nothing is.
  func text(seconds: Double, width: Int) -> String? {
    if position == 0, written == 0 { return nil }
    var parts: [String] = []
    if let total, position < total {
      let bar = ProgressText.bar(position, of: total)
      parts.append(
        "\(bar) \(Quantity.bytes(position)) of \(Quantity.bytes(total)) \(step.rawValue)")
    } else if position > 0 {
      parts.append("\(Quantity.bytes(position)) \(step.rawValue)")
    }
    if written > 0 { parts.append("\(Quantity.bytes(written)) written") }
    parts.append(Quantity.clock(seconds))
    return String(parts.joined(separator: ", ").prefix(width))
  }
}
