// Where a validation is: the values between the root and the current one, and how far each has progressed.

import ArchiveBasics
import ArchiveGraph

/// The values on the way to the current one, each under a schema; the innermost is last.
struct ValidationPath: ~Copyable {
  private let graph: ObjectGraph
  private let schema: CompiledSchema
  private var frames = RawStack<ValidationFrame>()
  /// The containers among them.
  private var open: NodeSet

  init(_ graph: ObjectGraph, _ schema: CompiledSchema) {
    self.graph = graph
    self.schema = schema
    open = NodeSet(in: graph)
  }

  var count: Int { frames.count }
  /// The innermost one; there must be one; valid until another is added.
  var top: UnsafeMutablePointer<ValidationFrame> { frames.top }
  var last: UnsafeMutablePointer<ValidationFrame>? { frames.last }
  var parent: UnsafeMutablePointer<ValidationFrame>? { count > 1 ? frames[count - 2] : nil }

  /// The members of the innermost value; nil if it has none.
  var members: Pairs? {
    guard case .members(let pairs)? = last?.pointee.children else { return nil }
    return pairs
  }

  /// Whether a container is one of them.
  @inline(__always)
  func contains(_ node: Node) -> Bool { open.contains(node) }

  /// Marks a container as one of them; false if it was one.
  @inline(__always)
  mutating func open(_ node: Node) -> Bool { open.insert(node) }

  @inline(__always)
  mutating func push(_ frame: ValidationFrame) { frames.push(frame) }

  @inline(__always)
  mutating func pop() {
    if top.pointee.isFirst { open.remove(top.pointee.node) }
    frames.drop()
  }

  func contains(where isWanted: (ValidationFrame) -> Bool) -> Bool {
    frames.values(from: 0).contains(where: isWanted)
  }

  /// Whether a schema already applies to the current value, which would never end.
  func repeats(_ schemaIndex: Int) -> Bool {
    for position in (0..<count).reversed() {
      let frame = frames[position]
      if frame.pointee.edge.schemaIndex == schemaIndex { return true }
      if !frame.pointee.arrival.isSameValue { return false }
    }
    return false
  }

  /// The target of `$dynamicRef`: the outermost schema of the dynamic scope that has the name (Core section 8.2.3.2).
  func dynamicTarget(_ name: String, _ edge: Edge) -> Edge {
    guard let schemas = schema.dynamicSchemas[name] else { return edge }
    for frame in frames.values(from: 0) {
      if let schemaIndex = schemas[schema.nodes[frame.edge.schemaIndex].resource] {
        return Edge(schemaIndex: schemaIndex, pointer: edge.pointer)
      }
    }
    return edge
  }

  // MARK: Locations

  /// The path of a value, or without one that of the innermost frame.
  func location(_ subject: CheckedValue? = nil) -> GraphPath {
    var steps: [GraphPath.Step?] = []
    for index in 0..<count where index > 0 {
      steps.append(step(frames[index].pointee.arrival, frames[index - 1].pointee.children))
    }
    if let arrival = subject?.arrival, let frame = last {
      steps.append(step(arrival, frame.pointee.children))
    }
    return GraphPath(steps.compactMap { $0 })
  }

  private func step(_ arrival: Arrival, _ children: Children) -> GraphPath.Step? {
    switch (arrival, children) {
    case (.element(let index), _): return .index(index)
    case (.member(let index), .members(let pairs)), (.name(let index), .members(let pairs)):
      return .key(graph.memberName(pairs, index)?.string ?? "?")
    case (.archived, _): return .content("archive")
    default: return nil
    }
  }

  /// The path through the schemas to that of a value, or without one to that of the innermost frame.
  func keywordLocation(_ subject: CheckedValue?) -> String {
    frames.values(from: 0).map(\.edge.pointer).joined() + (subject?.edge?.pointer ?? "")
  }
}

/// A value that a rule applies to.
struct CheckedValue {
  let value: Value
  let node: Node
  /// How it was reached from the innermost frame, and the edge to its schema; nil for the value of that frame.
  let arrival: Arrival?
  let edge: Edge?

  init(_ value: Value, _ node: Node, _ arrival: Arrival? = nil, _ edge: Edge? = nil) {
    (self.value, self.node, self.arrival, self.edge) = (value, node, arrival, edge)
  }
}

/// How a value was reached from the previous one.
enum Arrival {
  case root
  /// The same value under another schema.
  case sameValue
  /// The value of a member, by its index.
  case member(Int)
  case element(Int)
  /// The name of a member.
  case name(Int)
  /// The model of the archive that the value contains.
  case archived

  var isSameValue: Bool { if case .sameValue = self { true } else { false } }
}

enum Children {
  case nothing
  case elements(Elements)
  case members(Pairs)

  var count: Int {
    switch self {
    case .nothing: 0
    case .elements(let elements): elements.count
    case .members(let pairs): pairs.count
    }
  }
}

/// A value under a schema, and how far its validation has progressed.
///
/// This does not use `GraphWalk`: a level is a value under a schema, and validation is most costly here.
struct ValidationFrame {
  /// The groups of keywords, in the order in which they are checked.
  enum Stage {
    case children
    case names
    case contains
    case sameValue
    case unevaluated
    case done
  }

  let node: Node
  let edge: Edge
  let arrival: Arrival
  let children: Children
  let count: Int
  /// How many failures and how many violations there were before.
  let failures: Int
  let violations: Int
  /// Whether evaluated members or elements are recorded: the schema, or one that applied it, needs them.
  let isTracking: Bool
  /// Whether no earlier frame has the value.
  let isFirst: Bool
  var stage = Stage.children
  /// The current member, element or applicator.
  var next = 0
  /// The current schema if there are several, or the branch of an applicator; 0 before the first.
  var branch = 0
  /// How many failures there were before the current applicator or element, and before its branch.
  var mark = 0
  var branchMark = 0
  /// The counts of violations when the branches were checked again for the causes of a failure; nil while they are tried.
  var causes: (mark: Int, count: Int)?
  /// How many branches or elements fit.
  var matches = 0
  /// The properties seen so far, by position, up to 64.
  var seen: UInt64 = 0
  /// The positions of evaluated members or elements, which `unevaluatedProperties` and `unevaluatedItems` skip.
  var evaluated = EvaluatedSet()
}

// MARK: - Positions as bits, of which there are as many as a file has references

struct EvaluatedSet {
  private var words: [UInt64] = []

  /// Adds a position; false if it was there.
  @discardableResult
  mutating func insert(_ position: Int) -> Bool {
    let (word, bit) = (position >> 6, UInt64(1) << UInt64(position & 63))
    while words.count <= word { words.append(0) }
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }

  mutating func formUnion(_ other: EvaluatedSet) {
    while words.count < other.words.count { words.append(0) }
    for (index, word) in other.words.enumerated() { words[index] |= word }
  }
}
