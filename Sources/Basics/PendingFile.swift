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
      guard let before = sigaction(current: signal), before.isDefault else { continue }
      if sigaction(once: Self.handle).install(for: signal) { earlier.append((signal, before)) }
    }
    unblock(earlier.map(\.signal))
  }

  /// The file has its final name, or is removed.
  consuming func end() {
    for (signal, action) in earlier { action.install(for: signal) }
    if let path {
      pendingPath = nil
      free(path)
    }
  }

  /// Called by the system at any moment: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    if let path = pendingPath { _ = unlink(path) }
    // The handler is the default one again, and receives the signal after this one has returned.
    _ = raise(signal)
  }
}
