// A set of scalars finds what was added and nothing else, however it grows and whichever hashes are alike.

import Testing

@testable import ArchiveGraph

@Suite struct ScalarIndexTests {
  /// What the hashes of the numbers from 0 are.
  enum Hashes: String, CaseIterable {
    case scattered, sameSlot, sameTag, equal

    func hash(_ number: UInt32) -> UInt32 {
      switch self {
      case .scattered: number &* 0x9E37_79B9
      // Every table of the test has fewer slots.
      case .sameSlot: number << 20
      case .sameTag: number
      case .equal: 7
      }
    }
  }

  @Test(arguments: Hashes.allCases)
  func findsWhatWasAddedAndNothingElse(_ hashes: Hashes) {
    let count: UInt32 = 1_500
    // Numbers as bytes, where each offset is that of its own number.
    let offsets = (0..<2 * count).map { ($0 * 4).bigEndian }
    let values = Array(0..<2 * count)
    var index = ScalarIndex()
    let found = values.withUnsafeBytes { values in
      offsets.withUnsafeBytes { offsets -> [UInt32?] in
        guard let base = values.baseAddress, let start = offsets.baseAddress else { return [] }
        for number in 0..<count { index.insert(number, hash: hashes.hash(number)) }
        return (0..<2 * count).map { number in
          index.find(hash: hashes.hash(number), values: base, offsets: start, offsetWidth: 4) {
            $0.load(as: UInt32.self) == number
          }
        }
      }
    }
    #expect(found == (0..<2 * count).map { $0 < count ? $0 : nil })
  }
}
