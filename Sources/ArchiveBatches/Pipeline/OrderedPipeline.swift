// Processes items on all cores; results are delivered in the order of the items.

import ArchiveBasics

/// Takes items one by one, processes them on worker threads, and delivers the results in the order of the items.
///
/// Items are taken and results delivered on the calling thread. At most as many items as the window allows are taken
/// before their results are delivered, so memory is bounded for any count.
@usableFromInline package struct OrderedPipeline<Item: Sendable, Output: Sendable>: Sendable {
  /// What the source of items supplies.
  @usableFromInline package enum Supply {
    /// An item.
    case item(Item)
    /// No item now; there may be one once one of these descriptors is readable.
    case later([Int32])
    /// No more items; those taken are processed and delivered.
    case end
    /// No more items; those taken are dropped unless a worker has begun them.
    case stop
  }

  /// Processes items, with the state of one worker.
  @usableFromInline package typealias Handler = (Item) -> Output

  /// The number of threads; with one, everything runs on the calling thread.
  @usableFromInline package let workers: Int
  /// How many items are taken before their results are delivered.
  @usableFromInline package let window: Int
  /// How many results are delivered at once.
  @usableFromInline package let batch: Int
  /// The largest total weight of the items in the window, unless there is only one.
  @usableFromInline package let load: Int

  /// Makes a pipeline.
  package init(workers: Int, window: Int? = nil, batch: Int = 64, load: Int = .max) {
    self.workers = max(1, min(workers, 1024))
    self.window = max(1, window ?? self.workers * 16)
    self.batch = max(1, batch)
    self.load = load
  }

  /// Processes all items.
  ///
  /// With one worker, or one item, no thread is started.
  ///
  /// - Parameters:
  ///   - next: returns the next item; after the end, it must return the same answer again.
  ///   - weight: the weight of an item, for `load`.
  ///   - makeWorker: makes a worker's state and its handler, on the worker's own thread.
  ///   - consume: receives results in the order of their items; false stops as `Supply.stop` does.
  /// - Throws: the error of `next`, once everything taken is delivered; or the error of `makeWorker`.
  @inlinable
  package func run(
    next: () throws(ArchiveError) -> Supply, weight: (Item) -> Int = { _ in 0 },
    makeWorker: @escaping @Sendable () throws(ArchiveError) -> Handler,
    consume: ([Output]) -> Bool
  ) throws(ArchiveError) {
    if workers == 1 { return try serial([], next, makeWorker, consume) }
    while true {
      switch try next() {
      case .later(let descriptors): DescriptorPoll.wait(for: descriptors)
      case .end, .stop: return
      case .item(let first):
        let second: Supply
        do throws(ArchiveError) {
          second = try next()
        } catch {
          return try serial(
            [first], { () throws(ArchiveError) in throw error }, makeWorker, consume)
        }
        switch second {
        case .end: return try serial([first], { .end }, makeWorker, consume)
        case .stop: return
        case .later: return try threaded([first], next, weight, makeWorker, consume)
        case .item(let second):
          return try threaded([first, second], next, weight, makeWorker, consume)
        }
      }
    }
  }

  /// Processes all items on this thread.
  @usableFromInline
  func serial(
    _ early: [Item], _ next: () throws(ArchiveError) -> Supply,
    _ makeWorker: () throws(ArchiveError) -> Handler, _ consume: ([Output]) -> Bool
  ) throws(ArchiveError) {
    let handle = try makeWorker()
    var earlyCount = 0
    var ready: [Output] = []
    var end = MonotonicClock.seconds + Self.longestBatch
    // Results that are ready when the supply ends, or fails, are still delivered.
    defer { if !ready.isEmpty { _ = consume(ready) } }
    while true {
      let supply: Supply
      if earlyCount < early.count {
        supply = .item(early[earlyCount])
        earlyCount += 1
      } else {
        supply = try next()
      }
      switch supply {
      case .item(let item): ready.append(handle(item))
      case .later, .end, .stop: break
      }
      let isDue = ready.count >= min(batch, window) || MonotonicClock.seconds > end
      if case .item = supply, !isDue { continue }
      let results = ready
      ready = []
      if !results.isEmpty, !consume(results) { return }
      end = MonotonicClock.seconds + Self.longestBatch
      switch supply {
      case .item: continue
      case .later(let descriptors):
        // Once everything is delivered, the supply is called again: it writes out results that a peer may be waiting
        // for.
        if results.isEmpty { DescriptorPoll.wait(for: descriptors) }
      case .end, .stop: return
      }
    }
  }

  /// The time, in seconds, for which the calling thread collects results before it delivers them.
  private static var longestBatch: Double { 0.1 }

  @inlinable
  func threaded(
    _ early: [Item], _ next: () throws(ArchiveError) -> Supply, _ weight: (Item) -> Int,
    _ makeWorker: @escaping @Sendable () throws(ArchiveError) -> Handler,
    _ consume: ([Output]) -> Bool
  ) throws(ArchiveError) {
    FreedMemory.keep()
    let exchange = PipelineExchange<Item, Output>(window: max(window, early.count), load: load)
    let threads = WorkerThreads(count: workers) { exchange.work(makeWorker) }
    defer {
      exchange.close()
      threads.join()
    }
    guard threads.count > 0 else { return try serial(early, next, makeWorker, consume) }
    for item in early { exchange.submit(item, weight: weight(item)) }
    var problem: ArchiveError?
    var isEnding = false
    while true {
      var sources: [Int32] = []
      while !isEnding, sources.isEmpty, exchange.hasRoom {
        do throws(ArchiveError) {
          switch try next() {
          case .item(let item): exchange.submit(item, weight: weight(item))
          case .later(let descriptors): sources = descriptors
          case .end: isEnding = true
          case .stop:
            isEnding = true
            exchange.drop()
          }
        } catch {
          problem = error
          isEnding = true
        }
      }
      // Results are collected while the workers have enough to do: to deliver them may cost a synchronization of the disk.
      if sources.isEmpty { exchange.awaitFirst(or: []) }
      let ready = exchange.ready(batch)
      if !ready.isEmpty {
        if !consume(ready) {
          isEnding = true
          exchange.drop()
        }
      } else if let failure = exchange.popFailure() {
        problem = failure
        isEnding = true
        exchange.drop()
      } else if !exchange.isEmpty {
        exchange.awaitFirst(or: sources)
      } else if isEnding {
        break
      } else {
        DescriptorPoll.wait(for: sources)
      }
    }
    if let problem { throw problem }
  }
}
