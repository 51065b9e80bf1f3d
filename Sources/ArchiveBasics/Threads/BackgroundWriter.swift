// Large output, written by a thread of its own while the next bytes are made.

/// Writes the buffers that it is given to a descriptor, one after another.
final class BackgroundWriter {
  private let exchange: Exchange
  private let threads: WorkerThreads

  /// Starts the thread; nil if there is none to be had, no processor for it, or the descriptor is not that of a file.
  ///
  /// Whoever reads a pipe needs the other processor, and a device may take nothing at all.
  init?(_ descriptor: Int32) {
    guard FileStatus(of: descriptor)?.isFile == true, ProcessorCount.available > 1 else {
      return nil
    }
    // Whoever made the descriptor may close it before the thread has ended.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return nil }
    let exchange = Exchange(owning: own)
    threads = WorkerThreads(count: 1) { exchange.run() }
    if threads.count == 0 { return nil }
    self.exchange = exchange
  }

  /// Writes what was given, and ends the thread.
  deinit {
    exchange.end()
    threads.join()
  }

  /// Takes the bytes of a buffer, once those before are written, and leaves it empty.
  ///
  /// - Returns: the error if writing failed before; later bytes are lost.
  func write(_ bytes: inout ByteBuffer) -> ArchiveError? { exchange.give(&bytes) }

  /// Waits until all is written that was given.
  ///
  /// - Returns: the error if writing failed.
  func wait() -> ArchiveError? { exchange.wait() }

  /// The buffer that is written: whoever gives has it while it is empty, the thread while it is full.
  private final class Exchange: @unchecked Sendable {
    private let lock = ConditionLock()
    private let descriptor: Int32
    private var bytes = ByteBuffer(capacity: OutputBuffer.flushSize)
    private var isFull = false
    private var isEnding = false
    private var failure: ArchiveError?

    /// Takes over a descriptor.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    func give(_ more: inout ByteBuffer) -> ArchiveError? {
      let failure = wait()
      swap(&bytes, &more)
      lock.locked {
        isFull = true
        lock.signal(.work)
      }
      return failure
    }

    func wait() -> ArchiveError? {
      lock.locked {
        while isFull { lock.wait(for: .result) }
        return failure
      }
    }

    func end() {
      lock.locked {
        isEnding = true
        lock.signal(.work)
      }
    }

    func run() {
      while isGiven() {
        let problem = failure == nil ? OutputBuffer.writeAll(bytes.bytes, descriptor) : nil
        bytes.truncate(to: 0)
        lock.locked {
          failure = failure ?? problem
          isFull = false
          lock.signal(.result)
        }
      }
    }

    /// Waits for bytes; false at the end.
    private func isGiven() -> Bool {
      lock.locked {
        while !isFull, !isEnding { lock.wait(for: .work) }
        return isFull
      }
    }
  }
}
