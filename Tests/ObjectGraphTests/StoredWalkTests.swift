// The walk that enters each container once: what it reaches, by which paths, and in which order.

import ArchiveBasics
import TestSupport
import Testing

@testable import ArchiveGraph

@Suite struct StoredWalkTests {
  /// A graph of lists, each with the numbers of the lists that it refers to; higher numbers only.
  private static func graph(_ lists: [[Int]]) -> ObjectGraph {
    var builder = GraphBuilder()
    var indexes = [UInt32](repeating: 0, count: lists.count)
    for number in lists.indices.reversed() {
      let scalar = builder.add(Int64(number))
      builder.open()
      builder.append(scalar)
      for other in lists[number] { builder.append(indexes[other]) }
      indexes[number] = builder.close()
    }
    let graph = ObjectGraph()
    _ = graph.add(builder.finish(top: indexes[0]))
    return graph
  }

  /// The number that a list begins with.
  private static func number(_ node: Node, _ graph: ObjectGraph) -> Int? {
    guard case .array(let elements) = graph.value(of: node),
      case .integer(let number) = graph.value(of: graph.node(elements, 0))
    else { return nil }
    return Int(number)
  }

  /// The lengths of the shortest paths, by a search of its own.
  private static func distances(_ lists: [[Int]]) -> [Int: Int] {
    var distances = [0: 0]
    var changed = true
    while changed {
      changed = false
      for (list, distance) in distances {
        for other in lists[list] where distances[other] ?? .max > distance + 1 {
          distances[other] = distance + 1
          changed = true
        }
      }
    }
    return distances
  }

  @Test(arguments: UInt64(1)...50)
  func entersEachListOnceByAShortestPath(_ seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    let count = Int.random(in: 1...40, using: &random)
    let lists = (0..<count).map { number in
      number + 1 == count
        ? []
        : (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Int.random(in: (number + 1)..<count, using: &random)
        }
    }
    let graph = Self.graph(lists)
    var walk = StoredWalk(from: graph.root, in: graph)
    var found: [Int: Int] = [:]
    while let entered = try walk.next() {
      let path = walk.path(to: entered)
      #expect(try graph.node(at: path, from: graph.root) == walk.node(entered))
      let number = try #require(Self.number(walk.node(entered), graph))
      #expect(found.updateValue(path.steps.count, forKey: number) == nil, "seed \(seed)")
    }
    #expect(found == Self.distances(lists), "seed \(seed)")
    let references = found.keys.reduce(0) { $0 + lists[$1].count }
    #expect(walk.hasSharing == (references >= found.count), "seed \(seed)")
    // The order of the paths, element by element, is the document order.
    let order = walk.documentOrder()
    let byOrder = (0..<walk.count).sorted { order[$0] < order[$1] }
    let positions = byOrder.map { number in
      walk.path(to: number).steps.map { if case .index(let index) = $0 { index } else { -1 } }
    }
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }
}
