// Typedstreams that two threads read: the same values at the same places, and the same faults, as one thread finds.

import Basics
import Foundation
import KeyedArchives
import ObjectGraph
import PropertyLists
import TestSupport
import Testing

@Suite struct StreamRelayTests {
  private func graph(
    _ bytes: [UInt8], threads: Int, resolving: Bool = true
  ) throws(ArchiveError) -> ObjectGraph {
    var limits = Limits(threads: threads)
    limits.dividesAll = threads > 1
    return try ArchiveReader(limits: limits).read(ByteStorage(copying: bytes), resolving: resolving)
  }

  private func table(_ graph: ObjectGraph) -> [UInt8] {
    let table = graph.document(of: graph.root).table
    return Array(UnsafeRawBufferPointer(start: table.base, count: table.byteCount))
  }

  @Test(arguments: TypedStreamExpectation.present, [true, false])
  func twoThreadsReadWhatOneReads(_ stream: TypedStreamExpectation, resolving: Bool) throws {
    let bytes = [UInt8](try Data(contentsOf: try #require(stream.url)))
    let one = try graph(bytes, threads: 1, resolving: resolving)
    let two = try graph(bytes, threads: 2, resolving: resolving)
    #expect(table(one) == table(two))
    #expect(one.documents[0].sourceOffsets == two.documents[0].sourceOffsets)
    #expect(!one.documents[0].sourceOffsets.isEmpty)
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

/// Which streams are written as JSON without a walk for cycles.
@Suite struct StreamTreeTests {
  private static let header: [UInt8] = [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 3]

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
    #expect(graph.hasOnlyForwardReferences() || !isTree)
  }

  @Test(arguments: TypedStreamExpectation.present)
  func noTreeHasSharedContainers(_ stream: TypedStreamExpectation) throws {
    let graph = try graph([UInt8](try Data(contentsOf: try #require(stream.url))))
    guard graph.documents[0].treeDepth != nil else { return }
    let analysis = try SharingAnalysis(of: graph.root, in: graph)
    #expect(!analysis.hasCycles)
    for number in graph.objects(of: 0) {
      if case .string = graph.value(of: number) { continue }
      #expect(!analysis.shared.contains(number) || !graph.mayHold(number))
    }
  }
}
