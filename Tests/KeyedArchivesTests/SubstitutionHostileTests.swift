// Archives that no archiver writes: unusual sharing, cycles, overlaps, wrong types.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct SubstitutionHostileTests {
  /// Adds to a builder what the test is about; the objects behind `$null`, and the top-level values.
  private static func archive(
    _ make: (inout GraphBuilder) -> (objects: [UInt32], tops: [(String, UInt32)])
  ) -> Data {
    var builder = GraphBuilder()
    let null = builder.add("$null")
    let (objects, tops) = make(&builder)
    builder.open()
    for object in [null] + objects { builder.append(object) }
    let list = builder.close()
    builder.open()
    for (key, value) in tops {
      builder.append(builder.add(key))
      builder.append(value)
    }
    let top = builder.closeDictionary()
    builder.open()
    for (key, value) in [
      ("$archiver", builder.add("NSKeyedArchiver")), ("$version", builder.add(Int64(100_000))),
      ("$top", top), ("$objects", list),
    ] {
      builder.append(builder.add(key))
      builder.append(value)
    }
    let archive = builder.closeDictionary()
    return Data(BinaryWriter.write(builder.finish(top: archive)).array)
  }

  private static func dictionary(
    _ builder: inout GraphBuilder, _ pairs: [(String, UInt32)]
  ) -> UInt32 {
    builder.open()
    for (key, value) in pairs {
      builder.append(builder.add(key))
      builder.append(value)
    }
    return builder.closeDictionary()
  }

  private static func names(_ builder: inout GraphBuilder, _ names: [String]) -> UInt32 {
    builder.open()
    for name in names { builder.append(builder.add(name)) }
    return builder.close()
  }

  /// `$classes`, and the class record itself, are values of an object as well.
  @Test func whatAClassRecordSharesWithAValueIsSplit() throws {
    let data = Self.archive { builder in
      let chain = Self.names(&builder, ["A", "NSObject"])
      let name = builder.add("A")
      let record = Self.dictionary(&builder, [("$classname", name), ("$classes", chain)])
      let object = Self.dictionary(
        &builder,
        [("$class", builder.add(uid: 2)), ("list", chain), ("record", record), ("name", name)])
      return ([object, record], [("root", builder.add(uid: 1)), ("name", name)])
    }
    let new = try #require(try Substituted.bytes(data, classes: ["A=B"]))
    let graph = try readGraph(new)
    let stored = try Substituted.stored(new)
    let record = SampleValue.dictionary([
      ("$classname", .string("B")), ("$classes", .array([.string("B"), .string("NSObject")])),
    ])
    let old = SampleValue.dictionary([
      ("$classname", .string("A")), ("$classes", .array([.string("A"), .string("NSObject")])),
    ])
    let object = SampleValue.dictionary([
      ("$class", .uid(2)), ("list", .array([.string("A"), .string("NSObject")])), ("record", old),
      ("name", .string("A")),
    ])
    #expect(stored.contains(SampleValue.array([.string("$null"), object, record]).canonical))
    #expect(graph.documents[0].archive?.tops.count == 2)
  }

  @Test(arguments: [
    (["A", "B", "C", "O"], "A=C", ["C", "O"]), (["A", "B", "C", "O"], "A=B", ["B", "C", "O"]),
    (["A", "B", "C", "O"], "B=O", ["A", "O"]), (["A", "B", "C", "O"], "?=O", ["O"]),
    (["A", "B", "C", "O"], "C=D", ["A", "B", "D", "O"]),
    (["A", "B", "A"], "A=X", ["X", "B", "X"]),
  ])
  func aClassThatGetsTheNameOfOneAboveItIsThatOne(
    chain: [String], rule: String, expected: [String]
  ) throws {
    let data = Self.archive { builder in
      let names = Self.names(&builder, chain)
      let name = builder.add(chain[0])
      let record = Self.dictionary(&builder, [("$classname", name), ("$classes", names)])
      let object = Self.dictionary(&builder, [("$class", builder.add(uid: 2))])
      return ([object, record], [("root", builder.add(uid: 1))])
    }
    let new = try #require(try Substituted.bytes(data, classes: [rule]))
    let record = SampleValue.dictionary([
      ("$classname", .string(expected[0])), ("$classes", .array(expected.map { .string($0) })),
    ])
    #expect(try Substituted.stored(new).contains(record.canonical))
  }

  @Test func namesThatAreNoStringsStay() throws {
    let data = Self.archive { builder in
      builder.open()
      builder.append(builder.add("A"))
      builder.append(builder.add(Int64(5)))
      builder.append(Self.names(&builder, ["A"]))
      let chain = builder.close()
      let record = Self.dictionary(
        &builder,
        [
          ("$classname", builder.add("A")), ("$classes", chain),
          ("$classhints", builder.add("A")), ("other", builder.add("A")),
        ])
      let object = Self.dictionary(&builder, [("$class", builder.add(uid: 2))])
      return ([object, record], [("root", builder.add(uid: 1))])
    }
    let new = try #require(try Substituted.bytes(data, classes: ["A=B"]))
    let record = SampleValue.dictionary([
      ("$classname", .string("B")),
      ("$classes", .array([.string("B"), .integer(5), .array([.string("A")])])),
      ("$classhints", .string("A")), ("other", .string("A")),
    ])
    let stored = try Substituted.stored(new)
    #expect(stored.contains(record.canonical))
  }

  /// A record that stands in the place of the UID, for two objects.
  @Test func recordsInPlaceAreRenamed() throws {
    let data = Self.archive { builder in
      let record = Self.dictionary(&builder, [("$classname", builder.add("A"))])
      let one = Self.dictionary(&builder, [("$class", record), ("n", builder.add(Int64(1)))])
      let two = Self.dictionary(&builder, [("$class", record), ("n", builder.add(uid: 1))])
      return ([one, two], [("root", builder.add(uid: 2))])
    }
    let new = try #require(try Substituted.bytes(data, classes: ["A=B"]))
    let stored = try Substituted.stored(new)
    #expect(!stored.contains(SampleValue.string("A").canonical))
    #expect(try Substituted.bytes(new, classes: ["B=A"]) == data)
  }

  @Test func manyRecordsThatShareOneLongListCostLittle() throws {
    let data = Self.archive { builder in
      let chain = Self.names(&builder, (0..<20_000).map { "Class\($0 % 7)" })
      let records = (0..<20_000).map { number in
        Self.dictionary(
          &builder, [("$classname", builder.add("Name\(number)")), ("$classes", chain)])
      }
      return (records, [("root", builder.add("$null"))])
    }
    let outcome = try Substituted.outcome(data, classes: ["Class*=Other*"])
    #expect(outcome.counts.map(\.records) == [20_000])
  }

  /// Data values that overlap: each is a whole archive behind the first byte of the one before it.
  @Test func overlappingDataIsRefusedOrLeft() throws {
    var bytes = Array("bplist00".utf8)
    let count = 3000
    var offsets: [Int] = []
    for _ in 0..<count {
      offsets.append(bytes.count)
      // Data of 256 KiB with the signature of a property list.
      bytes += [0x4F, 0x12, 0, 4, 0, 0] + Array("bplist00".utf8)
    }
    bytes += [UInt8](repeating: 0, count: 300_000)
    offsets.append(bytes.count)
    bytes += [0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
    for index in 0..<count { bytes += [UInt8(index >> 8), UInt8(index & 0xFF)] }
    let table = bytes.count
    for offset in offsets {
      bytes += [UInt8(offset >> 16 & 0xFF), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
    }
    bytes += [0, 0, 0, 0, 0, 0, 3, 2]
    for number in [count + 1, count, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    let error = #expect(throws: ArchiveError.self) {
      _ = try Substituted.bytes(Data(bytes), classes: ["A=B"])
    }
    #expect(error?.code == .limit)
  }

  @Test func archivesAreOpenedToTheLimitOfNesting() throws {
    var data = ArchivedSample.object("A").archive
    for _ in 0..<8 { data = ArchivedSample.object("A", ["data": .data(Array(data))]).archive }
    let all = try Substituted.outcome(data, classes: ["A=B"])
    #expect(all.counts.map(\.records) == [9])
    let few = try Substituted.outcome(data, classes: ["A=B"], limits: Limits(nesting: 3))
    #expect(few.counts.map(\.records) == [4])
    #expect(few.warnings.map(\.code) == [.limit])
  }

  @Test func dataThatOnlyBeginsAsAnArchiveStays() throws {
    let data = ArchivedSample.object(
      "A", ["x": .data("bplist00 is a fine title"), "y": .data("<?xml?><plist><but no more")]
    ).archive
    let outcome = try Substituted.outcome(data, classes: ["A=B"])
    #expect(outcome.warnings.count == 2)
    let graph = try readGraph(Data(try #require(outcome.storage).bytes))
    #expect(SampleValue(of: graph.root, in: graph).canonical.contains("62706c697374303020"))
  }

  /// Each byte of an archive made another in turn: an error, or bytes that can be read and taken back.
  @Test(arguments: [0x01, 0x10, 0x80, 0xFF] as [UInt8])
  func damagedArchivesNeverCrash(_ mask: UInt8) throws {
    let sample = ArchivedSample.object(
      "A", ["b": .object("B", ["t": "A"]), "list": .array(["A", .object("B"), .root])])
    let whole = Array(try Substituted.binary(sample.archive))
    var rewritten = 0
    for position in whole.indices {
      var bytes = whole
      bytes[position] ^= mask
      do {
        let new = try Substituted.bytes(
          Data(bytes), classes: ["A=LongerName"], drop: ["B"], keys: ["A.list=items"])
        guard let new else { continue }
        rewritten += 1
        _ = try readGraph(new)
      } catch {
        #expect(error is ArchiveError)
      }
    }
    #expect(rewritten > 0)
  }
}
