// Damaged binary property lists: the remaining values are read, no others are invented, and no byte beyond the end is read.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct BinaryRecoveryTests {
  /// Values with containers, so that references tell their size.
  private func samples(_ batch: Int) -> [SampleValue] {
    (0..<25).map { number in
      var maker = SampleMaker(seed: UInt64(batch * 25 + number) &* 7919)
      let values = (0..<6).map { _ in maker.value(depth: 3) }
      return .dictionary([("first", .array(values)), ("second", maker.value(depth: 2))])
    }
  }

  private func recovered(_ bytes: [UInt8]) throws -> (value: SampleValue, losses: [ArchiveError]) {
    let reader = ArchiveReader(recovering: true)
    let graph = try reader.read(GuardedBytes.copy(bytes), resolving: false, nested: false)
    return (SampleValue(foundation: graph.foundationObject(graph.root)), graph.losses)
  }

  /// What a cut leaves: without the trailer, without the end of the offset table, without all of it.
  @Test(arguments: 0..<10, [32, 40, 200]) func readsAllThatIsThere(_ batch: Int, _ cut: Int) throws
  {
    for value in samples(batch) {
      let bytes = BinaryWriter.write(value.document).array
      let table = bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
      let left = Array(bytes.prefix(max(table, bytes.count - cut)))
      let result = try recovered(left)
      #expect(result.value.canonical == value.canonical)
      #expect(!result.losses.isEmpty)
    }
  }

  @Test(arguments: 0..<10) func readsPastABadOffset(_ batch: Int) throws {
    for value in samples(batch) {
      var bytes = BinaryWriter.write(value.document).array
      let table = bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
      let width = Int(bytes[bytes.count - 26])
      for number in [1, 5] {
        for byte in 0..<width { bytes[table + number * width + byte] = 0xFF }
      }
      let result = try recovered(bytes)
      #expect(result.value.canonical == value.canonical)
      #expect(result.losses.contains { $0.message.contains("offset table is damaged") })
    }
  }

  @Test(arguments: 0..<10) func ignoresWhatFollowsTheTrailer(_ batch: Int) throws {
    for value in samples(batch) {
      let bytes = BinaryWriter.write(value.document).array + Array("garbage at the end".utf8)
      #expect(try recovered(bytes).value.canonical == value.canonical)
    }
  }

  /// Cut anywhere, an archive gives no value that it did not hold, and says what is lost.
  @Test(arguments: 0..<40) func inventsNothing(_ part: Int) throws {
    let url = TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city")
    let whole = [UInt8](try Data(contentsOf: url))
    let original = try readGraph(Data(whole), resolving: false)
    var known: Set<String> = []
    collect(SampleValue(foundation: original.foundationObject(original.root)), into: &known)
    for length in stride(from: 20 + part, to: whole.count, by: 40) {
      var found: Set<String> = []
      let result = try recovered(Array(whole.prefix(length)))
      collect(result.value, into: &found)
      #expect(
        found.subtracting(known).allSatisfy {
          $0.hasPrefix("'6f.62.6a.65.63.74.20") || $0.hasPrefix("'61.20.76.61.6c.75.65")
            || isPart($0, of: known)
        }, "\(length)")
      #expect(!result.losses.isEmpty)
    }
  }

  /// Whether a string is the marked beginning of a known one.
  private func isPart(_ string: String, of known: Set<String>) -> Bool {
    guard let mark = string.range(of: ".2026.20.27e8.") else { return false }
    return known.contains { $0.hasPrefix(string[..<mark.lowerBound]) }
  }

  /// Every scalar of a value, and every key but `$lost`.
  private func collect(_ value: SampleValue, into scalars: inout Set<String>) {
    switch value {
    case .array(let elements): for element in elements { collect(element, into: &scalars) }
    case .dictionary(let pairs):
      for (_, member) in pairs { collect(member, into: &scalars) }
    default: scalars.insert(value.canonical)
    }
  }

  /// A dictionary whose references are the last bytes of the file; memory ends with them.
  @Test(arguments: 1...8) func readsReferencesAtTheEnd(_ pairs: Int) throws {
    let references = (1...pairs).map { UInt8($0) }
    let names = references.map { [0x51, 0x60 + $0] }
    let dictionary = [0xD0 | UInt8(pairs)] + references + references
    let parts = BinaryParts(objects: [[0xA1, UInt8(pairs) + 1]] + names + [dictionary])
    let whole = [UInt8](parts.data)
    let left = Array(whole.prefix(whole.count - 32 - parts.objects.count))
    let original = try readGraph(parts.data, resolving: false)
    let expected = SampleValue(foundation: original.foundationObject(original.root))
    #expect(try recovered(left).value.canonical == expected.canonical)
  }

  /// No damage whatever may do more than lose values.
  @Test(arguments: 0..<8) func survivesAnyByte(_ part: Int) throws {
    let url = TestArchives.root.appendingPathComponent("Movie/v1")
    let whole = [UInt8](try Data(contentsOf: url))
    for position in stride(from: 8 + part, to: whole.count, by: 8) {
      for byte in [UInt8(0), 0x0F, 0x5F, 0x7F, 0xAF, 0xDF, 0xFF] {
        var bytes = whole
        bytes[position] = byte
        let graph = try ArchiveReader(recovering: true).read(GuardedBytes.copy(bytes))
        _ = try? JSONWriter.write(graph)
      }
    }
  }
}

extension JSONWriter {
  /// A graph as JSON, for tests.
  fileprivate static func write(_ graph: ObjectGraph) throws(ArchiveError) -> Int {
    var output = OutputBuffer(descriptor: nil)
    try write(graph.root, of: graph, to: &output)
    return output.bytes.count
  }
}
