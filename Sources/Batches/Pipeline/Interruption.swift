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
    for signal in signals { install(signal) }
    // A program that was started on a thread that blocks signals inherits that, and could not be stopped.
    var unblocked = sigset_t()
    _ = sigemptyset(&unblocked)
    for signal in signals { _ = sigaddset(&unblocked, signal) }
    _ = pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
  }

  /// The signal that came, if one has.
  public static var signal: Int32? {
    let signal = received.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// A descriptor that can be read once a signal has come, for those who wait for others.
  public static var descriptors: [Int32] { pipe.map { [$0.readEnd] } ?? [] }

  private static func install(_ signal: Int32) {
    var before = sigaction()
    guard sigaction(signal, nil, &before) == 0, !isIgnored(before) else { return }
    var action = sigaction()
    // A signal that comes again does what it always did.
    action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = Interruption.handle
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = Interruption.handle
    #else
      action.__sigaction_handler.sa_handler = Interruption.handle
    #endif
    _ = sigaction(signal, &action, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN is the number 1 on every system.
    return unsafeBitCast(handler, to: Int.self) == 1
  }

  /// Called by the system at any moment: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    let number = errno
    received.store(signal, ordering: .relaxed)
    var byte: UInt8 = 1
    _ = write(bell.load(ordering: .relaxed), &byte, 1)
    errno = number
  }
}
