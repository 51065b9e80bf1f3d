// Signals that end a run in good order: what was begun is finished.

import Basics
import Synchronization

/// What asked the process to stop.
public enum Interruption {
  /// The signals; a signal that was ignored when the program started stays so, as nohup(1) wants it.
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  private static let received = Atomic<Int32>(0)
  private static let bell = Atomic<Int32>(-1)
  private static let pipe = WakePipe()

  /// Listens from now on: a first signal is remembered, a second of its kind ends the process.
  public static func listen() {
    // All that the handler touches is made before it can be called.
    received.store(0, ordering: .relaxed)
    bell.store(pipe?.writeEnd ?? -1, ordering: .relaxed)
    DescriptorPoll.heed(pipe?.readEnd ?? -1)
    for signal in signals where sigaction(current: signal)?.isIgnored == false {
      sigaction(once: Interruption.handle).install(for: signal)
    }
    unblock(signals)
  }

  /// The signal that came, if one has.
  public static var signal: Int32? {
    let signal = received.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// A descriptor that can be read once a signal has come, for those who wait for others.
  public static var descriptors: [Int32] { pipe.map { [$0.readEnd] } ?? [] }

  /// Called by the system at any moment: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    let number = errno
    received.store(signal, ordering: .relaxed)
    var byte: UInt8 = 1
    _ = write(bell.load(ordering: .relaxed), &byte, 1)
    errno = number
  }
}
