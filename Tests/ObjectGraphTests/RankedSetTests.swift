// The rank of a number is how many members are below it, as counting them one by one says.

import TestSupport
import Testing

@testable import ArchiveGraph

@Suite struct RankedSetTests {
  @Test(arguments: [1, 63, 64, 65, 1_000], [0, 2, 50, 100])
  func ranksMembersAndNothingElse(_ bound: Int, _ percent: Int) {
    var numbers = SeededNumbers(seed: UInt64(bound * 101 + percent))
    let set = RankedSet(bound: bound)
    defer { set.deallocate() }
    let members = (0..<bound).filter { _ in Int.random(in: 0..<100, using: &numbers) < percent }
    for number in members { set.insert(number) }
    #expect(set.seal() == members.count)
    let ranks = (0..<bound).map { set.rank(of: $0) }
    var expected = [Int?](repeating: nil, count: bound)
    for (rank, number) in members.enumerated() { expected[number] = rank }
    #expect(ranks == expected)
  }
}
