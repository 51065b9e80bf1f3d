// A thread that gets the pages of buffers before another one fills them.

/// Gets pages ahead of a thread that fills large buffers: to clear them takes as long as much of the filling.
package final class ComingPages {
  private let exchange: Exchange
  private let threads: WorkerThreads

  /// Starts the thread; nil if there is none to be had.
  package init?() {
    let exchange = Exchange()
    threads = WorkerThreads(count: 1) { exchange.run() }
    guard threads.count == 1 else { return nil }
    self.exchange = exchange
  }

  /// Ends the thread.
  deinit {
    exchange.want(nil)
    threads.join()
  }

  /// Says which memory will be filled next.
  package func want(_ rests: [ComingMemory.Rest?]) { exchange.want(rests) }

  private final class Exchange: @unchecked Sendable {
    private let lock = ConditionLock()
    private var rests: [ComingMemory.Rest?]? = []
    private var isNew = false

    /// Nil is the end.
    func want(_ rests: [ComingMemory.Rest?]?) {
      lock.locked {
        self.rests = rests
        isNew = true
        lock.signal(.work)
      }
    }

    func run() {
      // The ends of the pages that are there.
      var ends: [UInt] = []
      while let rests = next() {
        while ends.count < rests.count { ends.append(0) }
        // The first that lacks a page gets one; then what is wanted may be something else.
        for (position, rest) in rests.enumerated() {
          if let rest, ComingMemory.get(rest, after: &ends[position]) {
            goOn()
            break
          }
        }
      }
    }

    /// Looks at what is wanted once more.
    private func goOn() {
      lock.locked { isNew = true }
    }

    private func next() -> [ComingMemory.Rest?]? {
      lock.locked {
        while !isNew { lock.wait(for: .work) }
        isNew = false
        return rests
      }
    }
  }
}
