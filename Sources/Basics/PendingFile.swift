// A file without its final name: a signal that ends the program removes it.

/// The paths that a signal's handler removes, zero bytes between them and two at the end; nil if no file is pending.
private nonisolated(unsafe) var pendingPaths: UnsafeMutablePointer<CChar>?

/// Watches over temporary files, and the folder that they are in; `end` stops that.
package struct PendingFile: ~Copyable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let paths: UnsafeMutablePointer<CChar>?
  private var earlier: [(signal: Int32, action: sigaction)] = []

  /// Begins to watch over a file that is about to be made.
  ///
  /// A signal that the program handles or ignores is left alone, and so is a second file beside a first.
  init(_ path: String) { self.init([path], in: nil) }

  /// Begins to watch over files that are about to be made in a folder of their own.
  package init(_ files: [String], in folder: String?) {
    guard pendingPaths == nil else {
      paths = nil
      return
    }
    let bytes = (files + (folder.map { [$0] } ?? [])).flatMap(\.asPath) + [0]
    let list = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    list.initialize(from: bytes, count: bytes.count)
    paths = list
    pendingPaths = list
    for signal in Self.signals {
      guard let before = sigaction(current: signal), before.isDefault else { continue }
      if sigaction(once: Self.handle).install(for: signal) { earlier.append((signal, before)) }
    }
    unblock(earlier.map(\.signal))
  }

  /// The files have their final names, or are removed.
  package consuming func end() {
    for (signal, action) in earlier { action.install(for: signal) }
    if let paths {
      pendingPaths = nil
      paths.deallocate()
    }
  }

  /// Called by the system at any moment: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    if var path = pendingPaths {
      while path.pointee != 0 {
        // Only the last may be a folder, which is empty by then.
        if unlink(path) != 0 { _ = rmdir(path) }
        path += strlen(path) + 1
      }
    }
    // The handler is the default one again, and receives the signal after this one has returned.
    _ = raise(signal)
  }
}
