// Invalid binary property lists: each is refused with its reason, and none causes harm.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// A binary property list made from parts, so that one of them can lie.
struct BinaryParts: Sendable {
  var objects: [[UInt8]] = [[0xA1, 0x01], [0x51, 0x78]]
  var offsetWidth: UInt8 = 1
  var referenceWidth: UInt8 = 1
  var count: UInt64?
  var top: UInt64 = 0
  var tableOffset: UInt64?
  var offsets: [UInt64]?
  var tail: [UInt8] = []

  var data: Data {
    var bytes = Array("bplist00".utf8)
    var places: [UInt64] = []
    for object in objects {
      places.append(UInt64(bytes.count))
      bytes += object
    }
    let table = UInt64(bytes.count)
    for offset in offsets ?? places {
      bytes += (0..<Int(offsetWidth)).reversed().map {
        UInt8(truncatingIfNeeded: offset >> (8 * $0))
      }
    }
    bytes += [0, 0, 0, 0, 0, 0, offsetWidth, referenceWidth]
    for number in [count ?? UInt64(objects.count), top, tableOffset ?? table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return Data(bytes + tail)
  }
}

@Suite struct BinaryHostileTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let parts: BinaryParts
    let code: ArchiveError.Code
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "offset width 0", parts: BinaryParts(offsetWidth: 0), code: .malformed),
    Case(name: "offset width 9", parts: BinaryParts(offsetWidth: 9, offsets: []), code: .malformed),
    Case(name: "reference width 0", parts: BinaryParts(referenceWidth: 0), code: .malformed),
    Case(name: "no objects", parts: BinaryParts(count: 0), code: .malformed),
    Case(name: "count near 2^64", parts: BinaryParts(count: .max), code: .malformed),
    Case(name: "top beyond count", parts: BinaryParts(top: 2), code: .dangling),
    Case(name: "table beyond file", parts: BinaryParts(tableOffset: 4096), code: .malformed),
    Case(name: "table near 2^64", parts: BinaryParts(tableOffset: .max), code: .malformed),
    Case(name: "table inside header", parts: BinaryParts(tableOffset: 3), code: .malformed),
    Case(name: "offset beyond table", parts: BinaryParts(offsets: [8, 200]), code: .malformed),
    Case(
      name: "reference beyond count", parts: BinaryParts(objects: [[0xA1, 0x07]]), code: .dangling),
    Case(
      name: "array that holds itself", parts: BinaryParts(objects: [[0xA1, 0x00]]), code: .cycle),
    Case(
      name: "dictionary that holds itself",
      parts: BinaryParts(objects: [[0xD1, 1, 0], [0x51, 0x78]]),
      code: .cycle),
    Case(
      name: "a circle of two", parts: BinaryParts(objects: [[0xA1, 1], [0xA1, 0]]), code: .cycle),
    Case(
      name: "string longer than file", parts: BinaryParts(objects: [[0x5F, 0x10, 0x09]]),
      code: .truncated),
    Case(
      name: "count of 8 bytes near 2^64",
      parts: BinaryParts(objects: [[0xAF, 0x13] + Array(repeating: 0xFF, count: 8)]),
      code: .malformed),
    Case(
      name: "count of 16 bytes",
      parts: BinaryParts(objects: [[0x4F, 0x14] + Array(repeating: 0xFF, count: 16)]),
      code: .malformed),
    Case(
      name: "count that is no integer", parts: BinaryParts(objects: [[0x5F, 0x23, 0, 0]]),
      code: .malformed),
    Case(name: "integer of 32 bytes", parts: BinaryParts(objects: [[0x15]]), code: .malformed),
    Case(name: "real of 1 byte", parts: BinaryParts(objects: [[0x20, 0]]), code: .malformed),
    Case(name: "fill byte as object", parts: BinaryParts(objects: [[0x0F]]), code: .malformed),
    Case(name: "unknown marker", parts: BinaryParts(objects: [[0xF0]]), code: .malformed),
    Case(name: "truncated integer", parts: BinaryParts(objects: [[0x13, 0, 0]]), code: .truncated),
  ]

  @Test(arguments: cases)
  func isRefusedWithItsReason(_ example: Case) {
    do {
      _ = try readGraph(example.parts.data)
      Issue.record("\(example.name) was read")
    } catch {
      #expect(error.code == example.code, "\(error)")
      #expect(error.offset != nil)
    }
  }

  @Test(arguments: [3, 5, 6, 7, 8] as [UInt8])
  func readsUnusualWidths(_ width: UInt8) throws {
    let reference = Array(repeating: UInt8(0), count: Int(width) - 1) + [1]
    let parts = BinaryParts(
      objects: [[0xA1] + reference, [0x51, 0x78]], offsetWidth: width, referenceWidth: width)
    let graph = try readGraph(parts.data)
    #expect(graph.foundationObject(graph.root) == NSArray(array: ["x"]))
  }

  @Test func readsATopObjectThatIsNotTheFirst() throws {
    let graph = try readGraph(BinaryParts(objects: [[0x51, 0x78], [0xA1, 0x00]], top: 1).data)
    #expect(graph.foundationObject(graph.root) == NSArray(array: ["x"]))
  }

  @Test func warnsOfABrokenObjectThatNothingReaches() throws {
    let graph = try readGraph(BinaryParts(objects: [[0x51, 0x78], [0xF0]]).data)
    #expect(graph.foundationObject(graph.root) == NSString(string: "x"))
    #expect(graph.warnings.map(\.code) == [.malformed])
  }

  /// Offsets of values that nothing reaches: code that looks through a whole table must not follow them.
  @Test(arguments: [1 << 62, .max, 14, 15, 1 << 40] as [UInt64])
  func everyValueOfATableCanBeRead(_ offset: UInt64) throws {
    let parts = BinaryParts(
      objects: [[0xA1, 0x01], [0x51, 0x78], [0xD1, 0x01, 0x03]], offsetWidth: 8,
      offsets: [8, 10, 12, offset])
    var lying = parts
    lying.count = 4
    let graph = try readGraph(lying.data)
    #expect(graph.foundationObject(graph.root) == NSArray(array: ["x"]))
    #expect(graph.warnings.map(\.code) == [.malformed])
    let table = graph.documents[0].table
    for index in 0..<UInt32(table.count) {
      #expect(table.fault(at: index) == nil)
      _ = table.bytes(of: index)
    }
    #expect(table.marker(of: 3) == 0)
  }

  /// Many values that are the same bytes: each is sound, and to check them all takes the square of the size.
  @Test(arguments: [
    (marker: 0xA0 as UInt8, isDictionary: false), (marker: 0xC0, isDictionary: false),
    (marker: 0xD0, isDictionary: true), (marker: 0x70, isDictionary: false),
  ])
  func valuesThatOverlapAreALimit(_ marker: UInt8, _ isDictionary: Bool) throws {
    let size = 40_000
    let payload = [UInt8](repeating: 0, count: isDictionary ? size * 2 : size)
    let parts = BinaryParts(
      objects: [[marker | 0x0F, 0x11, UInt8(size >> 8), UInt8(size & 0xFF)] + payload],
      offsetWidth: 3,
      offsets: [8 + 4 + UInt64(payload.count) - 1] + [UInt64](repeating: 8, count: 40_000))
    var lying = parts
    lying.count = 40_001
    let time = try ProcessorTime.seconds {
      #expect(throws: ArchiveError(.limit, "", offset: 8)) { _ = try readGraph(lying.data) }
      let recovering = ArchiveReader(recovering: true)
      let graph = try recovering.read(ByteStorage(copying: [UInt8](lying.data)))
      #expect(graph.losses.count < 200)
    }
    // Quadratic work takes minutes.
    #expect(time < 20)
  }

  /// Few keys and many: CoreFoundation takes the first value, plistlib the last.
  @Test(arguments: [2, 11, 14]) func warnsOfAKeyThatStandsTwice(_ count: Int) throws {
    var dictionary: [UInt8] = [0xD0 | UInt8(count)]
    dictionary += (1..<count).map { UInt8($0) } + [1]
    dictionary += [UInt8](repeating: 1, count: count)
    let keys = (1..<count).map { [0x51, 0x60 + UInt8($0)] as [UInt8] }
    let graph = try readGraph(BinaryParts(objects: [dictionary] + keys).data)
    #expect(graph.warnings.map(\.code) == [.malformed])
    #expect(graph.warnings.first?.message.contains("the key 'a'") == true)
    let sound = try readGraph(
      BinaryParts(objects: [[0xD2, 1, 2, 1, 1]] + keys + [[0x51, 0x7A]]).data)
    #expect(sound.warnings.isEmpty)
  }

  @Test func readsAFileWithANewlineBehindIt() throws {
    let graph = try readGraph(BinaryParts(tail: [0x0A]).data)
    #expect(graph.foundationObject(graph.root) == NSArray(array: ["x"]))
    #expect(graph.warnings.count == 1)
  }

  @Test(arguments: [1, 4, 100, 4_096])
  func namesWhatStandsBehindTheEnd(_ surplus: Int) throws {
    let sound = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city"))
    let data = sound + Data(repeating: 0x2A, count: surplus)
    let error = #expect(throws: ArchiveError.self) { try readGraph(data) }
    #expect(error?.offset == sound.count)
    #expect(error?.message.hasPrefix("\(surplus) byte") == true)
    let graph = try ArchiveReader(recovering: true).read(ByteStorage(copying: [UInt8](data)))
    let wanted = try readGraph(sound)
    #expect(graph.foundationObject(graph.root) == wanted.foundationObject(wanted.root))
  }

  @Test func survivesEveryTruncation() throws {
    let whole = try Data(
      contentsOf: TestArchives.root.appendingPathComponent("WeatherFeed/v1-1-city"))
    for length in 0..<whole.count {
      #expect(throws: ArchiveError.self) { _ = try readGraph(whole.prefix(length)) }
    }
  }

  @Test(arguments: ["WeatherFeed/v1-1-city", "WeatherFeed/v2-1-city", "Graphs/value-classes"])
  func survivesEveryChangedByte(_ path: String) throws {
    let whole = try Data(contentsOf: TestArchives.root.appendingPathComponent(path))
    for position in whole.indices {
      for change in [0xFF, 0x80, 0x01] as [UInt8] {
        var changed = whole
        changed[position] ^= change
        // Either an error or a graph that can be walked.
        guard let graph = try? readGraph(changed) else { continue }
        var output = OutputBuffer(descriptor: nil, limit: 1 << 22)
        try? JSONWriter.write(graph.root, of: graph, to: &output)
      }
    }
  }

  @Test func aHundredThousandLevelsAreALimitNotACrash() throws {
    var objects: [[UInt8]] = []
    let depth = 100_000
    for index in 1..<depth {
      objects.append([0xA1] + [16, 8, 0].map { UInt8(truncatingIfNeeded: index >> $0) })
    }
    objects.append([0xA0])
    let data = BinaryParts(objects: objects, offsetWidth: 4, referenceWidth: 3).data
    let graph = try readGraph(data)
    var output = OutputBuffer(descriptor: nil)
    #expect(throws: ArchiveError(.limit, "", offset: 8 + 4 * 10_000)) {
      try JSONWriter.write(graph.root, of: graph, to: &output)
    }
  }

  @Test func manyPathsThroughSharedObjectsStopAtALimit() throws {
    let levels = 40
    let objects: [[UInt8]] = (1...levels).map { [0xA2, UInt8($0), UInt8($0)] } + [[0xA0]]
    let graph = try readGraph(
      BinaryParts(objects: objects).data, limits: Limits(expandedNodes: 100_000))
    var output = OutputBuffer(descriptor: nil)
    #expect(throws: ArchiveError(.limit, "")) {
      try JSONWriter.write(graph.root, of: graph, to: &output)
    }
  }
}
