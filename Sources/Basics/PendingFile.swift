// A file without its final name: a signal that ends the program removes it.

/// The path that a signal's handler removes; nil if no file is pending.
private nonisolated(unsafe) var pendingPath: UnsafeMutablePointer<CChar>?

/// Watches over one temporary file; `end` stops that.
struct PendingFile: ~Copyable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let path: UnsafeMutablePointer<CChar>?
  private var earlier: [(signal: Int32, action: sigaction)] = []

  /// Begins to watch over a file that is about to be made.
  ///
  /// A signal that the program handles or ignores is left alone, and so is a second file beside a first.
  init(_ path: String) {
    guard pendingPath == nil else {
      self.path = nil
      return
    }
    self.path = strdup(path.asPath)
    pendingPath = self.path
    for signal in Self.signals {
      var before = sigaction()
      guard sigaction(signal, nil, &before) == 0, Self.isDefault(before) else { continue }
      var action = sigaction()
      action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = Self.handle
      #elseif canImport(Musl)
        action.__sa_handler.sa_handler = Self.handle
      #else
        action.__sigaction_handler.sa_handler = Self.handle
      #endif
      if sigaction(signal, &action, nil) == 0 { earlier.append((signal, before)) }
    }
    // A program that was started on a thread that blocks signals inherits that, and could not be stopped.
    var unblocked = sigset_t()
    _ = sigemptyset(&unblocked)
    for (signal, _) in earlier { _ = sigaddset(&unblocked, signal) }
    _ = pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
  }

  /// The file has its final name, or is removed.
  consuming func end() {
    for (signal, action) in earlier {
      var action = action
      _ = sigaction(signal, &action, nil)
    }
    if let path {
      pendingPath = nil
      free(path)
    }
  }

  private static func isDefault(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_DFL is the number 0 on every system, not a function.
    return unsafeBitCast(handler, to: Int.self) == 0
  }

  /// Called by the system at any moment: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    if let path = pendingPath { _ = unlink(path) }
    // The handler is the default one again, and receives the signal after this one has returned.
    _ = raise(signal)
  }
}
