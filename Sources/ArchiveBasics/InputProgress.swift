// How far a run is with the bytes of its input, for people who wait.

import Synchronization

/// How far the reading of one input is.
///
/// Readers say so about once in a megabyte; what is small says nothing. Of several inputs at once it is that of any.
package struct InputProgress: Sendable {
  /// What is done with the bytes.
  package enum Step: String, Sendable {
    case read, decoded
  }

  /// What is being done.
  package var step = Step.read
  /// How many bytes it was done with.
  package var position = 0
  /// How many bytes there are; nil if nobody knows.
  package var total: Int?
  /// How many bytes of results were written.
  package var written = 0
  /// Whether a person is asked something where progress would be shown.
  package var isHidden = false

  /// Nothing has been done.
  package init() {}

  private static let shared = Mutex(InputProgress())

  /// How far the run is.
  package static var current: InputProgress { shared.withLock { $0 } }

  /// Says how far a step is.
  package static func report(_ step: Step, _ position: Int, of total: Int?) {
    shared.withLock { ($0.step, $0.position, $0.total) = (step, position, total) }
  }

  /// Says that an input is decoded.
  package static func endDecoding() {
    shared.withLock { if $0.step == .decoded { $0.position = $0.total ?? $0.position } }
  }

  /// Says how many bytes of results were written.
  static func report(written: Int) { shared.withLock { $0.written = written } }

  /// Hides or shows what is displayed of it.
  package static func hide(_ isHidden: Bool) { shared.withLock { $0.isHidden = isHidden } }

  /// Forgets the last run.
  package static func reset() { shared.withLock { $0 = InputProgress() } }
}
