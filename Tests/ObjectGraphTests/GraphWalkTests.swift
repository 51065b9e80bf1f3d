// The walk over containers: order, paths and limit.

import ArchiveBasics
import ArchiveGraph
import Testing

@Suite struct GraphWalkTests {
  /// `{"a": [1, [2]], "b": 3}`.
  private static func document() -> Document {
    var builder = GraphBuilder()
    let two = builder.add(Int64(2))
    builder.open()
    builder.append(two)
    let inner = builder.close(Marker.array)
    let one = builder.add(Int64(1))
    builder.open()
    builder.append(one)
    builder.append(inner)
    let list = builder.close(Marker.array)
    let (a, b, three) = (builder.add("a"), builder.add("b"), builder.add(Int64(3)))
    builder.open()
    for part in [a, list, b, three] { builder.append(part) }
    return builder.finish(top: builder.closeDictionary())
  }

  private static func graph() -> ObjectGraph {
    let graph = ObjectGraph()
    _ = graph.add(document())
    return graph
  }

  @Test func childrenComeInOrderWithTheirPaths() throws {
    let graph = Self.graph()
    var walk = GraphWalk<GraphContainer>(in: graph, limit: 3)
    walk.enter(try #require(GraphContainer(graph.value(of: graph.root))))
    var met: [String] = []
    while let event = walk.next() {
      switch event {
      case .leave: met.append("leave")
      case .child(let node, _, _):
        met.append(walk.path.description)
        if let container = GraphContainer(graph.value(of: node)) {
          try walk.enter(container, offset: nil)
        }
      }
    }
    #expect(
      met == ["$.a", "$.a[0]", "$.a[1]", "$.a[1][0]", "leave", "leave", "$.b", "leave"])
    #expect(walk.depth == 0)
  }

  @Test func whatIsTooDeepIsRefused() throws {
    let graph = Self.graph()
    let container = try #require(GraphContainer(graph.value(of: graph.root)))
    var walk = GraphWalk<GraphContainer>(in: graph, limit: 1)
    try walk.enter(container, offset: nil)
    var problem: ArchiveError?
    do throws(ArchiveError) { try walk.enter(container, offset: 7) } catch { problem = error }
    #expect(problem?.code == .limit)
    #expect(problem?.message == "values are nested more than 1 levels deep")
    #expect(problem?.offset == 7)
  }

  @Test func storedContainersTellTheWayToAValue() throws {
    let document = Self.document()
    try withExtendedLifetime(document) {
      var walk = GraphWalk<TableContainer>(in: document.table)
      walk.enter(try #require(TableContainer(document.top, in: document.table)))
      var paths: [String] = []
      while let event = walk.next() {
        guard case .child(let child, _, _) = event else { continue }
        if let container = TableContainer(child, in: document.table) { walk.enter(container) }
        if case .integer = document.table.scalar(at: child) { paths.append("\(walk.path)") }
      }
      #expect(paths == ["$.a[0]", "$.a[1][0]", "$.b"])
    }
  }
}
