// The compliance suite of RFC 9535, if it is available, run on its documents in several encodings.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct JSONPathSuiteTests {
  static let file = Corpus.file("suites/jsonpath/cts.json")

  /// The cases, a dictionary each; the suite is a list, or a member of its file.
  private static func cases() throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: try #require(file)))
    let list =
      object as? [[String: Any]] ?? (object as? [String: Any])?["tests"] as? [[String: Any]]
    return try #require(list)
  }

  @Test(.enabled(if: file != nil)) func refusesWhatTheSuiteCallsInvalid() throws {
    for row in try Self.cases() where row["invalid_selector"] as? Bool == true {
      let selector = try #require(row["selector"] as? String)
      #expect(throws: ArchiveError.self, "\(row["name"] ?? "")") {
        try JSONPath(parsing: selector)
      }
    }
  }

  @Test(.enabled(if: file != nil)) func findsWhatTheSuiteFinds() throws {
    for row in try Self.cases() where row["invalid_selector"] == nil {
      let name = row["name"] as? String ?? ""
      let selector = try #require(row["selector"] as? String)
      let document = try #require(row["document"])
      let data = try JSONSerialization.data(withJSONObject: document, options: .fragmentsAllowed)
      let graph = try ArchiveReader().read(ByteStorage(copying: Array(data)))
      let query = try JSONPath(parsing: selector)
      let found = try Self.run(query, graph)
      let results = try row["results"] as? [[Any]] ?? [#require(row["result"] as? [Any])]
      let values = try found.map { try Self.json(of: $0.node, graph) }
      #expect(
        results.contains { NSArray(array: $0).isEqual(to: values) },
        "\(name): \(selector) \(values)")
      // Members of an object have no order.
      let paths =
        try row["results_paths"] as? [[String]] ?? [#require(row["result_paths"] as? [String])]
      #expect(paths.contains(found.map { $0.path }), "\(name): \(found.map { $0.path })")
    }
  }

  private static func run(
    _ query: JSONPath, _ graph: ObjectGraph
  ) throws -> [(node: Node, path: String)] {
    var run = QueryRun(query, in: graph)
    var found: [(Node, String)] = []
    while let node = try run.next() { found.append((node, run.path.normalized)) }
    return found
  }

  private static func json(of node: Node, _ graph: ObjectGraph) throws -> Any {
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(node, of: graph, options: .init(), to: &output)
    return try JSONSerialization.jsonObject(
      with: Data(output.bytes.bytes), options: .fragmentsAllowed)
  }
}
