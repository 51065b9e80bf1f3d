// Signals that end a run cleanly: work in progress is finished.

import ArchiveBasics
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
    _ = unsafe write(bell.load(ordering: .relaxed), &byte, 1)
    errno = number
  }
}

// MARK: - A pipe with which a thread, or a signal handler, wakes another thread

/// A pipe that becomes readable on request.
@usableFromInline
final class WakePipe: Sendable {
  /// The end to wait for.
  @usableFromInline let readEnd: Int32
  let writeEnd: Int32

  /// Makes a pipe; nil if the process cannot open more files.
  @usableFromInline
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // The writer never blocks, and a pipe that is already readable needs no second byte.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    _ = close(readEnd)
    _ = close(writeEnd)
  }

  /// Makes the read end readable.
  @usableFromInline
  func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(writeEnd, &byte, 1)
  }

  /// Makes the read end unreadable again.
  @usableFromInline
  func drain() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while unsafe read(readEnd, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}
