// The schemas that a compilation reaches: each has a number, and references lead from one to another.

import ArchiveBasics
import ArchivePropertyLists

struct SchemaTable {
  private let read: KeywordReader
  private(set) var nodes: [SchemaNode]
  private var schemaIndexes: [CodePointString: Int] = [:]
  private var waiting: [(location: SchemaLocation, schemaIndex: Int)] = []
  /// The locations of references without other keywords that were already checked.
  private var checked: Set<CodePointString> = []
  private var followed = 0
  /// How many references may lead to one another; schemas written by people chain only a few.
  private static let longestChain = 512
  /// How many references without other keywords are followed in total.
  private static let mostFollowed = 500_000

  /// Makes a table of the schemas that allow everything and nothing.
  init(_ store: SchemaStore) {
    read = KeywordReader(store: store)
    var nothing = SchemaNode(resource: -1, location: "false")
    nothing.isFalse = true
    nodes = [SchemaNode(resource: -1, location: "true"), nothing]
  }

  mutating func add(_ node: SchemaNode) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// A schema that was reached and must be filled; nil if there is none left.
  mutating func next() -> (location: SchemaLocation, schemaIndex: Int)? { waiting.popLast() }

  mutating func set(_ node: SchemaNode, at schemaIndex: Int) { nodes[schemaIndex] = node }

  /// The edge to a schema; references without other keywords are followed at once.
  mutating func edge(
    to start: SchemaLocation, _ pointer: String
  ) throws(ArchiveError) -> Edge {
    var location = read.store.canonical(start)
    var pointer = pointer
    var passed: Set<CodePointString> = []
    while let target = try soleReference(location) {
      guard passed.insert(CodePointString(location.pointer)).inserted else {
        throw read.problem("references form a circle", location)
      }
      followed += 1
      guard passed.count <= Self.longestChain, followed <= Self.mostFollowed else {
        throw read.problem("over \(Self.longestChain) references follow one another", location)
      }
      // The keywords beside a reference assert nothing, but must have valid values.
      if checked.insert(CodePointString("\(location.resource) \(location.pointer)")).inserted {
        for (name, value) in location.tree.members ?? [] where name != "$ref" {
          try read.annotation(name, location.part(name, tree: value))
        }
      }
      location = target
      pointer += "/$ref"
    }
    if let flag = location.tree.boolean { return Edge(schemaIndex: flag ? 0 : 1, pointer: pointer) }
    let key = CodePointString("\(location.resource) \(location.pointer)")
    if let known = schemaIndexes[key] { return Edge(schemaIndex: known, pointer: pointer) }
    guard location.tree.members != nil else {
      throw read.problem("a schema must be an object, true or false", location)
    }
    let schemaIndex = add(
      SchemaNode(resource: location.resource, location: read.store.absolute(location)))
    schemaIndexes[key] = schemaIndex
    waiting.append((location, schemaIndex))
    return Edge(schemaIndex: schemaIndex, pointer: pointer)
  }

  /// The target of a schema that is only a reference within its resource.
  private func soleReference(_ location: SchemaLocation) throws(ArchiveError) -> SchemaLocation? {
    guard let reference = location.tree["$ref"]?.string, let members = location.tree.members,
      members.allSatisfy({ $0.0 == "$ref" || isAnnotation($0.0) })
    else { return nil }
    let target = try resolve(reference, location).location
    return target.resource == location.resource ? target : nil
  }

  private func isAnnotation(_ name: String) -> Bool {
    guard let keyword = SchemaKeyword.all[name] else { return true }
    return keyword.vocabulary == .metaData && name != "deprecated" || name == "$comment"
  }

  func resolve(
    _ reference: String, _ location: SchemaLocation, _ keyword: String = "$ref"
  ) throws(ArchiveError) -> (location: SchemaLocation, anchor: String?) {
    guard let found = try read.store.find(reference, from: location.resource) else {
      throw read.problem(
        "'\(keyword)' cannot be resolved: \(reference)", location.part(keyword, tree: .null))
    }
    return found
  }
}

// MARK: - Detects schemas that apply themselves to the same value forever

enum SchemaLoops {
  /// Checks compiled schemas.
  ///
  /// - Throws: `ArchiveError` that names a schema of the cycle.
  static func check(_ nodes: [SchemaNode]) throws(ArchiveError) {
    if let index = DirectedGraph.cyclicNodes(nodes.map(targets)).min() {
      throw error(nodes[index].location)
    }
  }

  /// An error about a schema in a cycle.
  ///
  /// - Parameter location: its URI with a fragment.
  static func error(_ location: String) -> ArchiveError {
    let pointer = PercentEncoding.decoded(String(location.drop { $0 != "#" }.dropFirst())) ?? ""
    let uri = String(location.prefix { $0 != "#" })
    return ArchiveError(
      .malformed, "the schema is wrong: it applies itself to the same value without end",
      path: GraphPath(pointer: pointer), file: uri.isEmpty ? nil : uri)
  }

  /// The schemas that apply to the same value; the target of `$dynamicRef` is known only later.
  private static func targets(of node: SchemaNode) -> [Int] {
    node.applicators.flatMap { applicator -> [Int] in
      switch applicator {
      case .reference(let edge), .none(let edge), .dependent(_, let edge): [edge.schemaIndex]
      // An archive in a data value is another value.
      case .dynamic, .archived: []
      case .choice(let edges, _): edges.map(\.schemaIndex)
      case .conditional(let condition, let then, let otherwise):
        [condition.schemaIndex] + [then, otherwise].compactMap { $0?.schemaIndex }
      }
    }
  }
}

// MARK: - Nodes that lead back to themselves

/// A graph of numbered nodes, each with the nodes that it leads to.
package enum DirectedGraph {
  /// The nodes on a path from one cycle to another.
  package static func cyclicNodes(_ next: [[Int]]) -> Set<Int> {
    var previous = [[Int]](repeating: [], count: next.count)
    for (number, others) in next.enumerated() {
      for other in others { previous[other].append(number) }
    }
    return remaining(next, previous).intersection(remaining(previous, next))
  }

  /// The nodes that have a path of any length onward.
  private static func remaining(_ next: [[Int]], _ previous: [[Int]]) -> Set<Int> {
    var counts = next.map(\.count)
    var ended = counts.indices.filter { counts[$0] == 0 }
    var left = Set(counts.indices).subtracting(ended)
    while let node = ended.popLast() {
      for other in previous[node] {
        counts[other] -= 1
        if counts[other] == 0 {
          left.remove(other)
          ended.append(other)
        }
      }
    }
    return left
  }
}
