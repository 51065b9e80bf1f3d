// Work on all cores whose results come out in the order in which the items went in.

import Basics

/// Takes items one by one, handles them on worker threads, and hands the results over in the order of the items.
///
/// Items are taken and results handed over on the calling thread. No more items are taken than the window holds before
/// their results are handed over, so memory is bounded whatever the count.
public struct OrderedPipeline<Item: Sendable, Output: Sendable>: Sendable {
  /// What there is to do.
  public enum Supply {
    /// An item.
    case item(Item)
    /// Nothing now; there may be once one of these descriptors can be read.
    case later([Int32])
    /// Nothing any more; what was taken is handled and handed over.
    case end
    /// Nothing any more; what was taken is dropped unless a worker has begun it.
    case stop
  }

  /// Handles items, with the state of one worker.
  public typealias Handler = (Item) -> Output

  /// How many threads there are; with one, all runs on the calling thread.
  public let workers: Int
  /// How many items are taken before their results are handed over.
  public let window: Int
  /// How many results are handed over at once.
  public let batch: Int
  /// How much the items in the window may weigh, unless there is only one.
  public let load: Int

  /// Makes a pipeline.
  public init(workers: Int, window: Int? = nil, batch: Int = 64, load: Int = .max) {
    self.workers = max(1, min(workers, 1024))
    self.window = max(1, window ?? self.workers * 16)
    self.batch = max(1, batch)
    self.load = load
  }

  /// Handles all items.
  ///
  /// With one worker, or one item, no thread is started.
  ///
  /// - Parameters:
  ///   - next: gives the next item; asked again after the end it says the same.
  ///   - weight: how much an item weighs, for `load`.
  ///   - makeWorker: makes a worker's state and its handler, on the worker's own thread.
  ///   - consume: takes results in the order of their items; false stops as `Supply.stop` does.
  /// - Throws: what `next` throws, once all that was taken is handed over; or what `makeWorker` throws.
  public func run(
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

  /// Handles all items on this thread.
  private func serial(
    _ early: [Item], _ next: () throws(ArchiveError) -> Supply,
    _ makeWorker: () throws(ArchiveError) -> Handler, _ consume: ([Output]) -> Bool
  ) throws(ArchiveError) {
    let handle = try makeWorker()
    var early = early[...]
    var ready: [Output] = []
    var end = MonotonicClock.seconds + Self.longestBatch
    // What is ready when the supply ends, or fails, is handed over all the same.
    defer { if !ready.isEmpty { _ = consume(ready) } }
    while true {
      let supply: Supply
      if let item = early.popFirst() { supply = .item(item) } else { supply = try next() }
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
        // Once all is handed over the supply is asked again: it writes out what nobody is to wait for.
        if results.isEmpty { DescriptorPoll.wait(for: descriptors) }
      case .end, .stop: return
      }
    }
  }

  /// For how many seconds results are gathered on the calling thread before they are handed over.
  private static var longestBatch: Double { 0.1 }

  private func threaded(
    _ early: [Item], _ next: () throws(ArchiveError) -> Supply, _ weight: (Item) -> Int,
    _ makeWorker: @escaping @Sendable () throws(ArchiveError) -> Handler,
    _ consume: ([Output]) -> Bool
  ) throws(ArchiveError) {
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
      let ready = exchange.ready(batch)
      if !ready.isEmpty {
        if !consume(ready) {
          isEnding = true
          exchange.drop()
        }
      } else if let failure = exchange.takeFailure() {
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
