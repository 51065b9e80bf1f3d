// Work on several threads: ordered, bounded, and stopped when required.

import ArchiveBasics
import ArchiveGraph
import Foundation
import Synchronization
import Testing

@testable import ArchiveBatches
@testable import ArchiveMigrations

@Suite struct OrderedPipelineTests {
  typealias Pipeline = OrderedPipeline<Int, Int>

  /// Counts that several threads change.
  final class Counters: Sendable {
    let begun = Atomic<Int>(0)
    let workers = Atomic<Int>(0)
  }

  @Test(arguments: [1, 2, 3, 8], [1, 2, 7, 64])
  func keepsTheOrderWhateverTakesLong(workers: Int, window: Int) throws {
    var given = 0
    var results: [Int] = []
    var largestBatch = 0
    try Pipeline(workers: workers, window: window, batch: 5).run(
      next: {
        given += 1
        #expect(given - results.count <= max(window, 2) + 1)
        return given <= 500 ? .item(given) : .end
      },
      makeWorker: {
        var random = SystemRandomNumberGenerator()
        return { item in
          usleep(UInt32.random(in: 0..<200, using: &random))
          return item * 10
        }
      },
      consume: {
        results += $0
        largestBatch = max(largestBatch, $0.count)
        return true
      })
    #expect(results == (1...500).map { $0 * 10 })
    #expect((1...5).contains(largestBatch))
  }

  @Test(arguments: [1, 4])
  func makesAStateForEachWorker(workers: Int) throws {
    let counters = Counters()
    var rest = 100
    var count = 0
    try Pipeline(workers: workers).run(
      next: {
        rest -= 1
        return rest >= 0 ? .item(rest) : .end
      },
      makeWorker: {
        counters.workers.add(1, ordering: .relaxed)
        return { $0 }
      },
      consume: {
        count += $0.count
        return true
      })
    #expect(count == 100)
    #expect(counters.workers.load(ordering: .relaxed) <= workers)
  }

  @Test func startsNoThreadForOneItem() throws {
    var items = [7][...]
    let here = ThreadMark(pthread_self())
    try OrderedPipeline<Int, Bool>(workers: 8).run(
      next: { items.popFirst().map { .item($0) } ?? .end },
      makeWorker: { { _ in pthread_equal(pthread_self(), here.thread) != 0 } },
      consume: {
        #expect($0 == [true])
        return true
      })
  }

  /// A thread's identity, to be compared with others.
  struct ThreadMark: @unchecked Sendable {
    let thread: pthread_t
    init(_ thread: pthread_t) { self.thread = thread }
  }

  @Test(arguments: [1, 2, 8])
  func handsOverWhatWasBegunOnceStopped(workers: Int) throws {
    let counters = Counters()
    var given = 0
    var results: [Int] = []
    try Pipeline(workers: workers, window: 50, batch: 1).run(
      next: {
        given += 1
        return .item(given)
      },
      makeWorker: {
        { item in
          counters.begun.add(1, ordering: .relaxed)
          return item
        }
      },
      consume: {
        results += $0
        return results.count < 20
      })
    #expect(results.count >= 20)
    #expect(results == Array(1...results.count))
    // Nothing that was begun is lost, and nothing begins after the end.
    #expect(counters.begun.load(ordering: .relaxed) == results.count)
  }

  @Test(arguments: [1, 4], [0, 1, 2, 30])
  func handsOverWhatCameBeforeAnError(workers: Int, count: Int) throws {
    var given = 0
    var results: [Int] = []
    let problem = ArchiveError(.inputOutput, "gone", offset: 5)
    #expect(throws: problem) {
      try Pipeline(workers: workers).run(
        next: { () throws(ArchiveError) in
          given += 1
          if given > count { throw problem }
          return .item(given)
        },
        makeWorker: { { $0 } },
        consume: {
          results += $0
          return true
        })
    }
    #expect(results == Array(1..<count + 1))
  }

  @Test(arguments: [1, 4])
  func tellsWhyNoWorkerCanBeMade(workers: Int) {
    var given = 0
    let problem = ArchiveError(.malformed, "the schema is wrong")
    #expect(throws: problem) {
      try Pipeline(workers: workers).run(
        next: {
          given += 1
          return given < 1000 ? .item(given) : .end
        },
        makeWorker: { () throws(ArchiveError) in throw problem },
        consume: { _ in true })
    }
  }

  @Test(arguments: [1, 3])
  func takesNoMoreThanTheLoad(workers: Int) throws {
    var given = 0
    var consumed = 0
    try Pipeline(workers: workers, window: 100, load: 25).run(
      next: {
        given += 1
        return given <= 200 ? .item(given) : .end
      },
      weight: { _ in 10 },
      makeWorker: { { $0 } },
      consume: {
        consumed += $0.count
        #expect(given - consumed <= 4)
        return true
      })
    #expect(consumed == 200)
  }

  /// A peer that sends the next item only when it has the answer to the one before.
  @Test(arguments: [1, 4])
  func doesNotWaitForItemsBeforeItHandsOverResults(workers: Int) throws {
    let pipe = try #require(WakePipe())
    var waiting = [1]
    var answered = 0
    try Pipeline(workers: workers).run(
      next: {
        pipe.drain()
        if let item = waiting.popLast() { return .item(item) }
        return answered == 100 ? .end : .later([pipe.readEnd])
      },
      makeWorker: { { $0 } },
      consume: { results in
        for result in results {
          answered += 1
          #expect(result == answered)
          if answered < 100 { waiting.append(answered + 1) }
          pipe.ring()
        }
        return true
      })
    #expect(answered == 100)
  }

  @Test(arguments: [
    ("Cpus_allowed:\tf\n", 4), ("Name:\tx\nCpus_allowed:\tff,00000001\nMems_allowed:\t1\n", 9),
    ("Cpus_allowed:\t0\n", nil), ("", nil),
  ])
  func countsProcessors(status: String, count: Int?) {
    #expect(ProcessorCount.count(in: status) == count)
    #expect(ProcessorCount.available >= 1)
  }
}
