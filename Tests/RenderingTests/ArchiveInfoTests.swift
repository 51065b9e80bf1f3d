// The description of an input counts the objects that its root reaches, and examines nothing else.

import ArchiveGraph
import ArchiveRendering
import ArchiveSchemas
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ArchiveInfoTests {
  /// A string at the top; beside it a dictionary that nothing reaches, whose key is a string without an end.
  @Test func brokenObjectsThatNothingReachesAreNotLookedAt() throws {
    var bytes = Array("bplist00".utf8)
    bytes += [0x51, 0x78, 0xD1, 0x02, 0x00, 0x5F]
    bytes += [8, 10, 13]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [3, 0, 14] as [UInt8] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    let graph = try readGraph(Data(bytes))
    #expect(graph.warnings.count == 1)
    let info = try ArchiveInfo(graph, byteCount: bytes.count, catalog: SchemaCatalog(folders: []))
    #expect(info.text(file: "x").hasSuffix("objects: 3\n  string: 1\n"))
  }
}
