// The exchange of items and results between the calling thread of a pipeline and its workers.

import ArchiveBasics

/// Waiting items, and results that wait for earlier ones.
///
/// All mutable state is accessed only while the monitor is locked. Everything is inlinable, so that it is compiled for the
/// types of each pipeline: for types that are not known each access asks the runtime for what they are.
@usableFromInline
final class PipelineExchange<Item: Sendable, Output: Sendable>: @unchecked Sendable {
  @usableFromInline let monitor = ConditionLock()
  @usableFromInline let load: Int
  /// Ring buffers of the window's size, indexed by an item's number.
  @usableFromInline var items: [Item?]
  @usableFromInline var weights: [Int]
  @usableFromInline var results: [Output?]
  /// How many items were submitted, begun by workers, and delivered.
  @usableFromInline var submitted = 0
  @usableFromInline var begun = 0
  @usableFromInline var consumed = 0
  @usableFromInline var weight = 0
  @usableFromInline var isClosed = false
  @usableFromInline var failure: ArchiveError?
  @usableFromInline var wake: WakePipe?
  @usableFromInline var isPolling = false

  @inlinable
  init(window: Int, load: Int) {
    self.load = load
    items = Array(repeating: nil, count: window)
    weights = Array(repeating: 0, count: window)
    results = Array(repeating: nil, count: window)
  }

  // MARK: The calling thread

  /// Whether another item may be submitted.
  @inlinable
  var hasRoom: Bool {
    monitor.locked {
      submitted - consumed < items.count && (weight < load || submitted == consumed)
    }
  }

  /// Whether everything that was submitted is delivered.
  @inlinable
  var isEmpty: Bool { monitor.locked { submitted == consumed } }

  @inlinable
  func submit(_ item: Item, weight: Int) {
    monitor.locked {
      let index = submitted % items.count
      items[index] = item
      weights[index] = weight
      // Weights are of objects in memory: their sum cannot overflow.
      self.weight &+= weight
      submitted += 1
      monitor.signal(.work)
    }
  }

  /// The results that are ready, in order, up to a limit.
  @inlinable
  func ready(_ most: Int) -> [Output] {
    monitor.locked {
      var ready: [Output] = []
      while ready.count < most, consumed < submitted,
        let result = results[consumed % items.count]
      {
        let index = consumed % items.count
        results[index] = nil
        weight &-= weights[index]
        ready.append(result)
        consumed += 1
      }
      return ready
    }
  }

  /// Drops the items that no worker has begun.
  @inlinable
  func drop() {
    monitor.locked {
      while submitted > begun {
        submitted -= 1
        items[submitted % items.count] = nil
        weight &-= weights[submitted % items.count]
      }
    }
  }

  /// The error that prevented a worker from being made; returned only once.
  @inlinable
  func popFailure() -> ArchiveError? {
    monitor.locked {
      defer { failure = nil }
      return failure
    }
  }

  /// Allows the workers to end once no work remains.
  @inlinable
  func close() {
    monitor.locked {
      isClosed = true
      monitor.signalAll(.work)
    }
  }

  /// Waits until the first result is ready, or one of the descriptors is readable.
  @inlinable
  func awaitFirst(or descriptors: [Int32]) {
    let pipe: WakePipe? = monitor.locked {
      if !descriptors.isEmpty, wake == nil { wake = WakePipe() }
      guard !descriptors.isEmpty, let wake else {
        while !mustLook {
          monitor.wait(for: .result, milliseconds: Self.longestWait)
          if isFirstReady { break }
        }
        return nil
      }
      isPolling = !(mustLook || isFirstReady)
      return isPolling ? wake : nil
    }
    guard let pipe else { return }
    DescriptorPoll.wait(for: descriptors + [pipe.readEnd])
    monitor.locked {
      isPolling = false
      pipe.drain()
    }
  }

  /// The time, in milliseconds, that results wait at most before the calling thread takes them.
  @inlinable
  static var longestWait: Int { 20 }

  /// Whether the calling thread has work: results are waiting, and workers will soon run out of items.
  ///
  /// If it were woken for each result, it would take a processor from a worker each time.
  @inlinable
  var mustLook: Bool {
    consumed == submitted || failure != nil
      || (isFirstReady && submitted - begun <= items.count / 4)
  }

  @inlinable
  var isFirstReady: Bool { results[consumed % items.count] != nil }

  // MARK: Workers

  /// The main loop of a worker.
  @inlinable
  func work(_ makeWorker: () throws(ArchiveError) -> (Item) -> Output) {
    do throws(ArchiveError) {
      let handle = try makeWorker()
      while let (number, item) = nextItem() { put(handle(item), number) }
    } catch {
      monitor.locked {
        failure = error
        notify()
      }
    }
  }

  @inlinable
  func nextItem() -> (Int, Item)? {
    monitor.locked {
      while true {
        if begun < submitted, let item = items[begun % items.count] {
          items[begun % items.count] = nil
          begun += 1
          return (begun - 1, item)
        }
        if isClosed { return nil }
        monitor.wait(for: .work)
      }
    }
  }

  @inlinable
  func put(_ result: Output, _ number: Int) {
    monitor.locked {
      results[number % items.count] = result
      if isPolling ? number == consumed : mustLook { notify() }
    }
  }

  @inlinable
  func notify() {
    monitor.signalAll(.result)
    if isPolling { wake?.ring() }
  }
}
