// Containers of any depth are copied and compared alike: those near the surface in one loop, deeper ones one by one.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct DeepContainerTests {
  /// A dictionary within lists and dictionaries in turn, with scalars before and after each.
  private func tree(depth: Int, innermost: String) -> Any {
    var value: Any = ["end": innermost, "first": 1]
    for level in 0..<depth {
      if level % 2 == 0 {
        value = [level, value, "after \(level)"]
      } else {
        value = ["a": level, "b": value, "c": ["x", 2.5, Data([7])] as [Any]]
      }
    }
    return value
  }

  private func graph(depth: Int, _ innermost: String = "x", archived: Bool) throws -> ObjectGraph {
    let tree = tree(depth: depth, innermost: innermost)
    if archived {
      return try readGraph(
        NSKeyedArchiver.archivedData(withRootObject: tree, requiringSecureCoding: false))
    }
    return try readGraph(
      PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0))
  }

  /// The value of a graph as Foundation reads it from the bytes that are written of its copy.
  private func copied(_ graph: ObjectGraph) throws -> (copy: ObjectGraph, value: NSObject?) {
    let document = try CodableCopy.copy(graph.root, of: graph, shape: NoHints())
    let copy = ObjectGraph()
    _ = copy.add(document)
    let written = BinaryWriter.write(copy.documents[0])
    let value = try PropertyListSerialization.propertyList(
      from: Data(written.bytes), format: nil)
    return (copy, value as? NSObject)
  }

  @Test(arguments: [0, 1, 2, 30, 31, 32, 33, 34, 65, 200], [false, true])
  func copiesHaveTheSameValues(depth: Int, archived: Bool) throws {
    let graph = try graph(depth: depth, archived: archived)
    let (copy, value) = try copied(graph)
    #expect(value == tree(depth: depth, innermost: "x") as? NSObject)
    #expect(ModelComparison.firstDifference(graph.root, of: graph, copy.root, of: copy) == nil)
  }

  @Test(arguments: [0, 1, 2, 30, 31, 32, 33, 34, 65, 200], [false, true])
  func theInnermostDifferenceHasItsPath(depth: Int, archived: Bool) throws {
    let graph = try graph(depth: depth, archived: archived)
    let other = try self.graph(depth: depth, "y", archived: false)
    let path = ModelComparison.firstDifference(graph.root, of: graph, other.root, of: other)
    let steps = (0..<depth).reversed().map { $0 % 2 == 0 ? "[1]" : ".b" }
    #expect(path?.description == "$" + steps.joined() + ".end")
  }

  @Test(arguments: [0, 1, 30, 31, 32, 33, 65])
  func aTextThatWouldBeReadAsNilIsRefusedWithItsPath(depth: Int) throws {
    let graph = try graph(depth: depth, "$null", archived: false)
    let steps = (0..<depth).reversed().map { $0 % 2 == 0 ? "[1]" : ".b" }
    let error = #expect(throws: ArchiveError.self) {
      try CodableCopy.copy(graph.root, of: graph, shape: NoHints())
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.path?.description == "$" + steps.joined() + ".end")
  }

  @Test(arguments: [1, 2, 31, 32, 33, 40])
  func aListThatContainsItselfIsRefused(length: Int) throws {
    var sample = ArchivedSample.root
    for _ in 0..<length { sample = .array([sample]) }
    let graph = try readGraph(sample.archive)
    let error = #expect(throws: ArchiveError.self) {
      try CodableCopy.copy(graph.root, of: graph, shape: NoHints())
    }
    #expect(error?.code == .cycle)
    #expect(
      error?.path?.description
        == "$" + String(repeating: "[0]", count: length))
  }
}
