// Random property lists of all types, written by Foundation and read by archtool, and the reverse.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Makes property lists from a seed.
struct TreeMaker {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  mutating func next(_ bound: Int) -> Int { numbers.below(bound) }

  mutating func tree(depth: Int) -> NSObject {
    switch next(depth > 0 ? 9 : 7) {
    case 0: return NSNumber(value: next(2) == 0)
    case 1: return NSNumber(value: [0, 255, 256, 65_536, -1, Int64.min, Int64.max][next(7)])
    case 2: return NSNumber(value: [0.5, -1e300, 64.25, 2.5e-308][next(4)])
    case 3: return NSDate(timeIntervalSinceReferenceDate: Double(next(1_000_000)) - 500_000)
    case 4: return NSData(data: Data((0..<next(40)).map { UInt8($0) }))
    case 5, 6: return NSString(string: string())
    case 7:
      return NSArray(array: (0..<next(20)).map { _ in tree(depth: depth - 1) })
    default:
      let dictionary = NSMutableDictionary()
      for _ in 0..<next(20) { dictionary[NSString(string: string())] = tree(depth: depth - 1) }
      return dictionary
    }
  }

  private mutating func string() -> String {
    let alphabet = Array("abcXYZ 09_$<&>\"'ü東🌦")
    return String((0..<next(24)).map { _ in alphabet[next(alphabet.count)] })
  }
}

@Suite struct RandomTreeTests {
  @Test(arguments: 0..<20)
  func surviveTheWayThroughFoundationAndBack(_ batch: Int) throws {
    for number in 0..<50 {
      let seed = UInt64(batch * 50 + number)
      var maker = TreeMaker(seed: seed)
      let tree = NSArray(array: [maker.tree(depth: 4)])
      for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
        let data = try PropertyListSerialization.data(
          fromPropertyList: tree, format: format, options: 0)
        let graph = try readGraph(data)
        #expect(graph.foundationObject(graph.root) == tree, "seed \(seed)")
        let written = BinaryWriter.write(
          try CodableCopy.copy(graph.root, of: graph, shape: NoHints()))
        let back =
          try PropertyListSerialization.propertyList(
            from: Data(written.bytes), format: nil) as? NSArray
        #expect(back == tree, "seed \(seed)")
      }
    }
  }
}
