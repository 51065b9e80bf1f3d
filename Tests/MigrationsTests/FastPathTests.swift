// The fast paths of comparing, copying and verifying give the same answers as the plain ones, on random archives.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct FastPathTests {
  /// Of equal numbers of several types an archive has one type: Foundation on Linux keeps objects in a dictionary, and ends
  /// the program if two are equal and have different hashes, which it sees or not by the order of the hashes of a run.
  private enum NumberKind: CaseIterable {
    case integers, booleans, reals
  }

  /// A random model: dictionaries, lists, scalars, null, mutable and repeated containers.
  private static func value(
    _ numbers: inout SeededNumbers, _ depth: Int, _ made: inout [Any], _ kind: NumberKind
  ) -> Any {
    let isContainer = depth > 0 && numbers.below(3) > 0
    if isContainer, !made.isEmpty, numbers.below(8) == 0 { return made[numbers.below(made.count)] }
    let result: Any
    switch isContainer ? numbers.below(6) : 6 + numbers.below(9) {
    case 0, 1, 2:
      let names = ["a", "b", "c", "d", "\u{E9}"].shuffled(using: &numbers).prefix(numbers.below(5))
      var members: [String: Any] = [:]
      for name in names { members[name] = value(&numbers, depth - 1, &made, kind) }
      result = numbers.below(12) == 0 ? NSMutableDictionary(dictionary: members) : members
    case 3, 4, 5:
      let elements = (0..<numbers.below(4)).map { _ in value(&numbers, depth - 1, &made, kind) }
      result = numbers.below(12) == 0 ? NSMutableArray(array: elements) : elements
    case 6: return kind == .integers ? numbers.below(3) : 2
    case 7: return kind == .booleans ? numbers.below(2) == 0 : "z"
    case 8:
      return (kind == .reals ? [0.5, 1.0, -0.0, 1e300, .nan] : [0.5, 1e300])[
        numbers.below(kind == .reals ? 5 : 2)]
    case 9: return ["x", "", "\u{1F600}", "$null", "text"][numbers.below(5)]
    case 10: return Date(timeIntervalSinceReferenceDate: Double(numbers.below(5)))
    case 11: return Data([UInt8(numbers.below(3))])
    case 12: return numbers.below(6) == 0 ? NSNull() : "y"
    case 13: return numbers.below(6) == 0 ? NSNumber(value: Float(0.1)) : 7
    default: return Int.max
    }
    made.append(result)
    return result
  }

  private static func archive(seed: UInt64) throws -> Data {
    var numbers = SeededNumbers(seed: seed)
    var made: [Any] = []
    let kind = NumberKind.allCases[Int(seed % 3)]
    let root =
      ["v": value(&numbers, 6, &made, kind), "w": value(&numbers, 3, &made, kind)] as NSDictionary
    return try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false)
  }

  private static func graph(_ data: Data) throws -> (root: Node, graph: ObjectGraph) {
    let graph = try ArchiveReader().read(ByteStorage(copying: Array(data)))
    return (try #require(graph.unwrapModel()).root, graph)
  }

  @Test(arguments: UInt64(0)..<40) func copiesAndComparisonsAreThoseOfThePlainPath(seed: UInt64)
    throws
  {
    for turn in 0..<10 {
      let data = try Self.archive(seed: seed &* 1000 &+ UInt64(turn))
      let (root, graph) = try Self.graph(data)
      func copy(_ usesFastPath: Bool) -> ByteStorage? {
        do throws(ArchiveError) {
          return BinaryWriter.write(
            try CodableCopy.copy(
              root, of: graph, shape: NoHints(), usesFastPath: usesFastPath)
          ).intoStorage()
        } catch {
          return nil
        }
      }
      let (fast, plain) = (copy(true), copy(false))
      #expect((fast == nil) == (plain == nil))
      if let fast, let plain {
        withExtendedLifetime((fast, plain)) {
          #expect(fast.bytes.elementsEqual(plain.bytes))
        }
      }
      // The same archive, and another that differs in a few values.
      for other in [data, try Self.archive(seed: seed &* 1000 &+ UInt64(turn) &+ 1)] {
        let (otherRoot, otherGraph) = try Self.graph(other)
        func difference(_ usesFastPath: Bool) -> GraphPath? {
          ModelComparison.firstDifference(
            root, of: graph, otherRoot, of: otherGraph, usesFastPath: usesFastPath)
        }
        #expect(difference(true) == difference(false))
      }
    }
  }

  /// An archive that need not be taken back comes back equal when it is.
  @Test(arguments: UInt64(0)..<40) func verificationIsThatOfTheWayBack(seed: UInt64) throws {
    let family = try PairFamily(
      ("dictionariable", "codable"), (#""type": "object""#, #""type": "object""#))
    for turn in 0..<10 {
      let data = try Self.archive(seed: seed &* 1000 &+ UInt64(turn))
      let fast = try family.outcome(of: data, usesFastVerification: true)
      #expect(try fast == family.outcome(of: data, usesFastVerification: false))
    }
  }
}
