// Paths to one value in four notations.

import ArchiveBasics
import ArchiveGraph
import ArchiveQueries
import KeyedArchives
import Testing

@Suite struct ValuePathTests {
  private static func graph() throws -> ObjectGraph {
    let text = #"{"a": {"b.c": [1, {"d:e": 2, "/~": 3}], "0": 4, "\\": 5}, "$top": 6, "": 7}"#
    return try ArchiveReader().read(ByteStorage(copying: Array(text.utf8)))
  }

  @Test(
    arguments: [
      ("$.a['b.c'][0]", 1), ("$['a'].0", 4), ("/a/b.c/1/d:e", 2), ("/a/b.c/1/~1~0", 3),
      (":a:b.c:1:d\\:e", 2), ("a.b\\.c.0", 1), ("a.b\\.c.1.d:e", 2), ("a.0", 4), (":a:0", 4),
      ("/a/0", 4), ("a.\\\\", 5), ("$top", 6), ("/", 7), ("$['']", 7),
    ])
  func leadsToItsValue(_ path: String, _ number: Int64) throws {
    let graph = try Self.graph()
    let node = try ValuePath(parsing: path).resolve(in: graph).node
    guard case .integer(number) = graph.value(of: node) else {
      Issue.record("\(path) leads to \(graph.value(of: node).typeName)")
      return
    }
  }

  @Test(arguments: ["", "$", ":"]) func theRootHasPaths(_ path: String) throws {
    let graph = try Self.graph()
    #expect(try ValuePath(parsing: path).resolve(in: graph).node == graph.root)
  }

  /// Each path with the part of it that leads somewhere.
  @Test(
    arguments: [
      ("a.x", "$.a"), ("/a/b.c/2", "$.a['b.c']"), ("/a/b.c/01", "$.a['b.c']"),
      ("a.b\\.c.-1", "$.a['b.c']"), ("$.a.b", "$.a"), ("$top.x", "$['$top']"),
    ])
  func saysHowFarItLeads(_ path: String, _ found: String) throws {
    let graph = try Self.graph()
    let error = try #require(throws: ArchiveError.self) {
      _ = try ValuePath(parsing: path).resolve(in: graph)
    }
    #expect(error.code == .missingValue && error.path?.description == found)
  }

  @Test(arguments: ["/a~", "/~2", "$.", "$[", "$.a[b]"])
  func refusesWhatIsNoPath(_ path: String) {
    #expect(throws: ArchiveError.self) { try ValuePath(parsing: path) }
  }
}
