// Typedstreams that two threads read: the same values at the same places, and the same faults, as one thread finds.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct StreamRelayTests {
  private func graph(
    _ bytes: [UInt8], threads: Int, resolving: Bool = true, consuming: Bool = false
  ) throws(ArchiveError) -> ObjectGraph {
    var limits = Limits(threads: threads)
    if threads > 1 { limits.largeInputs = .all }
    let (reader, storage) = (ArchiveReader(limits: limits), ByteStorage(copying: bytes))
    guard consuming else { return try reader.read(storage, resolving: resolving) }
    return try reader.read(consuming: storage, resolving: resolving, nested: true)
  }

  private func table(_ graph: ObjectGraph) -> [UInt8] {
    let table = graph.document(of: graph.root).table
    return Array(UnsafeRawBufferPointer(start: table.base, count: table.byteCount))
  }

  @Test(arguments: TypedStreamExpectation.present, [true, false])
  func twoThreadsReadWhatOneReads(_ stream: TypedStreamExpectation, resolving: Bool) throws {
    let bytes = [UInt8](try Data(contentsOf: try #require(stream.url)))
    let one = try graph(bytes, threads: 1, resolving: resolving)
    for consuming in [false, true] {
      let two = try graph(bytes, threads: 2, resolving: resolving, consuming: consuming)
      #expect(table(one) == table(two))
      // Where bytes may be given back, positions are found when they are asked for.
      #expect(one.documents[0].sourceOffsets == two.documents[0].sourceOffsets)
      #expect(!one.documents[0].sourceOffsets.isEmpty)
    }
  }

  @Test(arguments: TypedStreamExpectation.present)
  func twoThreadsFindTheFaultThatOneFinds(_ stream: TypedStreamExpectation) throws {
    let whole = [UInt8](try Data(contentsOf: try #require(stream.url)))
    for length in stride(from: 14, to: whole.count, by: 1 + whole.count / 80) {
      let cut = Array(whole.prefix(length))
      let (one, two) = (fault(cut, threads: 1), fault(cut, threads: 2))
      #expect(one?.code == two?.code && one?.offset == two?.offset)
      #expect(one?.message == two?.message)
    }
  }

  /// Why a stream cannot be read; nil if it can.
  private func fault(_ bytes: [UInt8], threads: Int) -> ArchiveError? {
    do throws(ArchiveError) {
      _ = try graph(bytes, threads: threads)
      return nil
    } catch {
      return error
    }
  }

  /// A stream of small objects and of lists that are too large to be copied, with references across all of them.
  @Test func manyBatchesComeInOrder() throws {
    let texts = (0..<3000).map { "text \($0 % 700)" as Any }
    let lists = stride(from: 0, to: 3000, by: 30).map { Array(texts[$0..<$0 + 30]) as Any }
    let folder = try TemporaryFolder()
    let list = folder.url.appendingPathComponent("list.plist")
    try PropertyListSerialization.data(
      fromPropertyList: lists + texts, format: .binary, options: 0
    ).write(to: list)
    let result = try Program.run(
      arguments: ["convert", "--to", "typedstream", list.path, "-o", "-"])
    #expect(result.status == 0, "\(result.errors)")
    let bytes = [UInt8](result.output)
    let (one, two) = try (graph(bytes, threads: 1), graph(bytes, threads: 2))
    #expect(table(one) == table(two))
    let found = try #require(two.foundationObject(two.root) as? NSArray)
    #expect(found == (lists + texts) as NSArray)
  }
}

/// Streams whose bytes are given back while they are read.
@Suite struct StreamReleaseTests {
  /// What comes before the list: nothing; data, which nobody may give back; a name, which the end of the stream needs.
  enum Beginning: CaseIterable {
    case nothing, data, name

    /// The first groups, and how many shared strings they have.
    var bytes: (groups: [UInt8], strings: UInt8) {
      switch self {
      case .nothing: ([], 0)
      case .data: ([0x84, 4] + Array("[4c]".utf8) + [1, 2, 3, 4], 1)
      case .name: ([0x84, 1, 0x25, 0x84, 6] + Array("cities".utf8), 2)
      }
    }
  }

  /// A list of strings, each of which the stream has once: some megabytes more than a file has that is read again.
  private static func stream(_ beginning: Beginning) -> [UInt8] {
    let count = 140_000
    let (groups, shift) = beginning.bytes
    var bytes = StreamTreeTests.header + groups
    bytes += [0x84, 1, 0x40, 0x84, 0x84, 0x84, 7] + Array("NSArray".utf8) + [0, 0x84, 0x84, 8]
    bytes += Array("NSObject".utf8) + [0, 0x85, 0x84, 1, 0x69, 0x82]
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    let (object, text) = (0x92 + shift, 0x97 + shift)
    bytes += [object, 0x84, 0x84, 0x84, 8] + Array("NSString".utf8) + [0, 0x94, 0x84, 1, 0x2B, 1]
    bytes += [0x61, 0x86]
    for number in 1..<count {
      let name = Array("station \(number)".utf8)
      let filling = [UInt8](repeating: 0x2E, count: 60 - name.count)
      bytes += [object, 0x84, 0x96, text, 60] + name + filling + [0x86]
    }
    return bytes + [0x86]
  }

  /// A stream as a file that can be read again, and a reader with two threads.
  private func open(
    _ bytes: [UInt8], in folder: TemporaryFolder
  ) throws -> (reader: ArchiveReader, storage: ByteStorage) {
    let file = folder.url.appendingPathComponent("stream")
    try Data(bytes).write(to: file)
    var limits = Limits(threads: 2)
    limits.largeInputs = .all
    return (ArchiveReader(limits: limits), try ByteStorage.open(path: file.path))
  }

  @Test(arguments: Beginning.allCases)
  func aStreamIsReadWhileItsBytesAreGivenBack(_ beginning: Beginning) throws {
    let bytes = Self.stream(beginning)
    let folder = try TemporaryFolder()
    let (reader, storage) = try open(bytes, in: folder)
    let graph = try reader.read(consuming: storage, resolving: true, nested: true)
    #if os(Linux)
      #expect(try isGivenBack(storage) == (beginning != .data))
    #endif
    let one = try ArchiveReader().read(ByteStorage(copying: bytes))
    let tables = [graph, one].map { $0.documents[0].table }
    #expect(tables[0].byteCount == tables[1].byteCount && tables[0].count == tables[1].count)
    #expect(memcmp(tables[0].base, tables[1].base, tables[1].byteCount) == 0)
    // The positions are found in the bytes, which are there again.
    let places = graph.documents[0].sourceOffsets
    #expect(places.count == tables[0].count)
    for index in stride(from: 0, to: places.count, by: 9_973) {
      #expect(places[index] == one.documents[0].sourceOffsets[index])
    }
    #expect(storage.bytes.elementsEqual(bytes))
  }

  #if os(Linux)
    /// Whether the first bytes of a storage cannot be read, by the system's list of mappings.
    private func isGivenBack(_ storage: ByteStorage) throws -> Bool {
      let place = UInt(bitPattern: storage.bytes.baseAddress)
      let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      let line = maps.split(separator: "\n").first { line in
        let ends = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) ?? 0 }
        return ends.count == 2 && (ends[0]..<ends[1]).contains(place)
      }
      return try #require(line).contains(" ---p ")
    }
  #endif

  @Test func aFaultIsFoundWhileBytesAreGivenBack() throws {
    let bytes = Array(Self.stream(.nothing).dropLast(70) + [0x07, 0x86])
    let folder = try TemporaryFolder()
    let (reader, storage) = try open(bytes, in: folder)
    let two = #expect(throws: ArchiveError.self) {
      try reader.read(consuming: storage, resolving: true, nested: true)
    }
    let one = #expect(throws: ArchiveError.self) {
      try ArchiveReader().read(ByteStorage(copying: bytes))
    }
    #expect(one?.message == two?.message && one?.offset == two?.offset)
    #expect(storage.bytes.elementsEqual(bytes))
  }
}

/// Which streams are written as JSON without a walk for cycles.
@Suite struct StreamTreeTests {
  static let header: [UInt8] = [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 3]

  /// The beginning of an array of objects, whose class has the number 1 and NSObject 2, each with version 0.
  private static func list(_ count: UInt8) -> [UInt8] {
    header + [0x84, 1, 0x40, 0x84, 0x84, 0x84, 7] + Array("NSArray".utf8) + [0, 0x84, 0x84, 8]
      + Array("NSObject".utf8) + [0, 0x85, 0x84, 1, 0x69, count]
  }

  /// A string whose class is new, or known.
  private static let firstString: [UInt8] =
    [0x92, 0x84, 0x84, 0x84, 8] + Array("NSString".utf8) + [0, 0x94, 0x84, 1, 0x2B, 1, 0x61, 0x86]

  private func graph(_ bytes: [UInt8], depth: Int = 100) throws -> ObjectGraph {
    try ArchiveReader(limits: Limits(depth: depth)).read(ByteStorage(copying: bytes))
  }

  @Test(arguments: [
    // A string; the same string twice; an array in the array; that array twice; the array itself.
    (list(1) + firstString + [0x86], true),
    (list(2) + firstString + [0x92, 0x95, 0x86], true),
    (list(1) + [0x92, 0x84, 0x93, 0x95, 0, 0x86, 0x86], true),
    (list(2) + [0x92, 0x84, 0x93, 0x95, 0, 0x86, 0x92, 0x95, 0x86], false),
    (list(1) + [0x92, 0x92, 0x86], false),
  ])
  func whatHasOneHolderIsATree(_ bytes: [UInt8], isTree: Bool) throws {
    let graph = try graph(bytes)
    #expect((graph.documents[0].treeDepth != nil) == isTree)
    let analysis = try SharingAnalysis(of: graph.root, in: graph)
    #expect(!isTree || !analysis.hasCycles)
    #expect(graph.isShallowTree == isTree)
  }

  @Test(arguments: TypedStreamExpectation.present)
  func noTreeHasSharedContainers(_ stream: TypedStreamExpectation) throws {
    let graph = try graph([UInt8](try Data(contentsOf: try #require(stream.url))))
    guard graph.documents[0].treeDepth != nil else { return }
    let analysis = try SharingAnalysis(of: graph.root, in: graph)
    #expect(!analysis.hasCycles)
    for number in graph.objects(of: 0) {
      if case .string = graph.value(of: number) { continue }
      #expect(!analysis.shared.contains(number) || !graph.isContainerOrData(number))
    }
  }
}
