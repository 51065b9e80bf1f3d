// What is remembered of the objects of a large archive: it is found again, and nothing else is.

import TestSupport
import Testing

@testable import ArchiveGraph

// A memo is not copyable, so it is asked before an expectation.
@Suite struct ObjectMemoTests {
  @Test(arguments: [1, 63, 64, 65, 5000, 700_000])
  func findsWhatWasRememberedLast(_ count: Int) {
    var memo = ObjectMemo(3, count: count)
    var numbers = SeededNumbers(seed: UInt64(count))
    var expected: [Int: UInt32] = [:]
    let remembers = memo.remembers(3, after: count)
    #expect(remembers)
    for _ in 0..<1000 {
      let number = numbers.below(count)
      let found = memo.find(number)
      #expect(found == expected[number])
      let value = UInt32(numbers.below(1 << 31))
      memo.set(number, value)
      expected[number] = value
    }
    let found = expected.keys.map { memo.find($0) }
    #expect(found == expected.keys.map { expected[$0] })
  }

  @Test func remembersNothingBeforeManyObjectsWereMet() {
    var memo = ObjectMemo(0, count: 6400)
    let remembersEarly = memo.remembers(0, after: 99)
    memo.set(7, 1)
    let early = memo.find(7)
    let remembersLater = memo.remembers(0, after: 100)
    let later = memo.find(7)
    #expect(!remembersEarly && remembersLater)
    #expect(early == nil && later == nil)
  }

  @Test(arguments: [(1 as UInt32, true), (0, false), (2, false)])
  func remembersTheObjectsOfOneDocument(_ document: UInt32, _ isThatOne: Bool) {
    var memo = ObjectMemo(1, count: 10)
    let remembers = memo.remembers(document, after: 1000)
    #expect(remembers == isThatOne)
  }

  @Test(arguments: [10, 11, .max])
  func findsNothingOfANumberThatNoObjectHas(_ number: Int) {
    var memo = ObjectMemo(0, count: 10)
    let remembers = memo.remembers(0, after: 10)
    memo.set(number, 5)
    let found = memo.find(number)
    #expect(remembers)
    #expect(found == nil)
  }

  @Test func remembersNothingOfAnArchiveThatIsNotLarge() {
    var memo = ObjectMemo(0, count: 0)
    let remembers = memo.remembers(0, after: .max / 64)
    #expect(!remembers)
  }
}
