// Signals that end a run cleanly: work in progress is finished.

import Basics
import Synchronization

/// Signals that ask the process to stop.
package enum Interruption {
  /// The signals; a signal that was ignored when the program started remains ignored, as nohup(1) requires.
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  private static let received = Atomic<Int32>(0)
  private static let bell = Atomic<Int32>(-1)
  private static let pipe = WakePipe()

  /// Starts listening: the first signal is recorded, a second of its kind ends the process.
  ///
  /// A run listens before it locks anything, and may do so again; a signal in between is not forgotten.
  package static func listen() {
    if signal != nil { return }
    // Everything that the handler uses is initialized before it can be called.
    bell.store(pipe?.writeEnd ?? -1, ordering: .relaxed)
    DescriptorPoll.heed(pipe?.readEnd ?? -1)
    for signal in signals where sigaction(current: signal)?.isIgnored == false {
      sigaction(once: Interruption.handle).install(for: signal)
    }
    unblock(signals)
  }

  /// The signal that was received, if any.
  package static var signal: Int32? {
    let signal = received.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Descriptors that become readable once a signal was received, for waiting on them together with others.
  package static var descriptors: [Int32] { pipe.map { [$0.readEnd] } ?? [] }

  /// Called by the system at any time: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    let number = errno
    received.store(signal, ordering: .relaxed)
    var byte: UInt8 = 1
    _ = write(bell.load(ordering: .relaxed), &byte, 1)
    errno = number
  }
}
