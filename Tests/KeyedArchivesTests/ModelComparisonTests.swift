// Comparing two models: they are equal, or the path shows the difference.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct ModelComparisonTests {
  @Test(
    arguments: [
      ("{\"a\":[1,2,{\"b\":3}]}", "{\"a\":[1,2,{\"b\":3}]}", nil),
      ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", nil), ("[1,2.0]", "[1.0,2]", nil),
      ("[true]", "[1]", nil), ("{\"a\":null,\"b\":1}", "{\"b\":1}", nil),
      ("[\"Zürich\"]", "[\"Z\\u00fcrich\"]", nil),
      (
        "{\"a\":[1,2,{\"b\":3,\"c\":4}],\"d\":5}", "{\"a\":[1,2,{\"b\":3,\"c\":5}],\"d\":5}",
        "$.a[2].c"
      ),
      ("{\"a\":{\"b\":1},\"c\":2}", "{\"a\":{\"b\":1},\"c\":3}", "$.c"),
      ("[1,2]", "[1]", "$"), ("{\"a\":1}", "{\"b\":1}", "$.a"),
      ("{\"a\":1}", "{\"a\":1,\"b\":2}", "$"),
      ("[[1],[2],[3]]", "[[1],[2],[4]]", "$[2][0]"), ("[1]", "[\"1\"]", "$[0]"),
      ("[9007199254740993]", "[9007199254740992.0]", "$[0]"),
    ] as [(String, String, String?)])
  func namesTheFirstDifference(_ left: String, _ right: String, _ path: String?) throws {
    let source = try readGraph(Data(left.utf8))
    let target = try readGraph(Data(right.utf8))
    let found = ModelComparison.firstDifference(source.root, of: source, target.root, of: target)
    #expect(found?.description == path)
  }

  /// A comparison that ends at a limit is in a container of which nothing was compared, and which may be empty.
  @Test(arguments: [("{\"a\":[{}]}", "$.a[0]"), ("[[{}]]", "$[0][0]"), ("[[[]]]", "$[0][0]")])
  func aContainerAtTheLimitHasAPath(_ text: String, _ path: String) throws {
    let limits = Limits(depth: 2)
    var graphs: [ObjectGraph] = []
    for _ in 0..<2 {
      // A reader refuses what is deeper than its limit; the graph is made by one without.
      let deep = try readGraph(Data(text.utf8))
      let graph = ObjectGraph(limits: limits)
      _ = graph.add(deep.documents[0])
      graphs.append(graph)
    }
    let found = ModelComparison.firstDifference(
      graphs[0].root, of: graphs[0], graphs[1].root, of: graphs[1])
    #expect(found?.description == path)
  }
}
