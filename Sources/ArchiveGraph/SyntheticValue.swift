// Structure that is not stored in this form: the runs of an attributed string, the ranges of an index set.

import ArchiveBasics

/// The structure that a class makes from an object's fields: names and lists around values of the graph.
public indirect enum SyntheticValue {
  /// A value of the graph.
  case node(Node)
  /// A string.
  case string(String)
  /// An integer.
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  /// A real.
  case real(Double)
  /// A boolean.
  case boolean(Bool)
  /// A date in seconds from 2001-01-01T00:00:00Z.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Null.
  case null
  /// A list.
  case list([SyntheticValue])
  /// Named values, in order.
  case members([(name: String, value: SyntheticValue)])
  /// Values with keys that are values themselves, in order.
  case pairs([(key: SyntheticValue, value: SyntheticValue)])
  /// A container, and its original.
  case changed(SyntheticValue, Origin)
}

extension ObjectGraph {
  /// The value of a synthetic value; it is made once for each node and cached.
  ///
  /// - Parameters:
  ///   - node: the node whose value this becomes.
  ///   - owner: the class that the members are fields of; nil for a dictionary, and for lists.
  ///   - form: the structure. Its depth is the depth of recursion, so it must not depend on a file.
  package func derivedValue(
    of node: Node, class owner: ClassIndex? = nil, form: () -> SyntheticValue?
  ) -> Value? {
    let value = derivedValue(of: node) { derived in
      guard let form = form() else { return .null }
      let made = DerivedDocument.add(form, near: node, to: self, derived)
      guard let owner, case .dictionary(let pairs) = made else { return made }
      return .object(owner, pairs)
    }
    if case .null = value { return nil }
    return value
  }

  /// Adds the value of a synthetic value, beside everything else.
  ///
  /// - Parameters:
  ///   - form: the structure; its nodes may be of any document. Its depth is the depth of recursion.
  ///   - node: the node that the value replaces.
  /// - Returns: the value.
  package func add(_ form: SyntheticValue, near node: Node) -> Node {
    DerivedDocument.addNode(form, near: node, to: self, SyntheticArena())
  }
}

/// A document of derived values: scalars are in its table, containers list nodes of any document.
final class DerivedDocument: ObjectInterpreter {
  private var values: [UInt32: Value] = [:]
  private var origins: [UInt32: Origin] = [:]
  /// The storage of the lists of nodes.
  private let memory: SyntheticArena

  private init(_ memory: SyntheticArena) { self.memory = memory }

  /// The approximate cost of a value in addition to its characters.
  private static let formBytes = 64

  /// Adds the values of a form to a graph as a document of their own.
  static func add(
    _ form: SyntheticValue, near node: Node, to graph: ObjectGraph, _ derived: SyntheticArena
  ) -> Value {
    graph.value(of: addNode(form, near: node, to: graph, derived))
  }

  /// Adds the values of a form and gives the node of the whole.
  static func addNode(
    _ form: SyntheticValue, near node: Node, to graph: ObjectGraph, _ derived: SyntheticArena
  ) -> Node {
    if case .node(let node) = form { return node }
    let document = DerivedDocument(derived)
    var builder = GraphBuilder(capacity: 256)
    let number = graph.nextDocument
    let top = document.node(of: form, number, &builder)
    let finished = builder.finish(top: top.document == number ? top.index : 0)
    graph.addDerived(finished, interpreter: document, near: node)
    return top
  }

  private func node(
    of form: SyntheticValue, _ number: UInt32, _ builder: inout GraphBuilder
  ) -> Node {
    func own(_ index: UInt32) -> Node { Node(document: number, index: index) }
    memory.spend(Self.formBytes)
    switch form {
    case .node(let node): return node
    case .string(let text):
      memory.spend(text.utf8.count)
      return own(builder.add(text))
    case .integer(let number): return own(builder.add(number))
    case .unsigned(let number): return own(builder.add(unsigned: number))
    case .real(let number): return own(builder.add(number))
    case .boolean(let flag): return own(builder.add(flag))
    case .date(let seconds): return own(builder.add(date: seconds))
    case .data(let bytes):
      memory.spend(bytes.count)
      return own(bytes.withByteView { builder.add(data: $0) })
    case .null: return own(builder.addNull())
    case .list(let forms):
      let nodes = forms.map { node(of: $0, number, &builder) }
      return own(addContainer(.array(memory.elements(nodes)), &builder))
    case .members(let members):
      let keys = members.map { own(builder.add($0.name)) }
      return own(pairs(keys, members.map { node(of: $0.value, number, &builder) }, &builder))
    case .pairs(let members):
      let keys = members.map { node(of: $0.key, number, &builder) }
      return own(pairs(keys, members.map { node(of: $0.value, number, &builder) }, &builder))
    case .changed(let form, let origin):
      let node = node(of: form, number, &builder)
      if node.document == number { origins[node.index] = origin }
      return node
    }
  }

  private func pairs(_ keys: [Node], _ values: [Node], _ builder: inout GraphBuilder) -> UInt32 {
    let pairs = Pairs(keys: memory.elements(keys), values: memory.elements(values))
    return addContainer(.dictionary(pairs), &builder)
  }

  /// An empty stored dictionary represents each container.
  private func addContainer(_ value: Value, _ builder: inout GraphBuilder) -> UInt32 {
    builder.open()
    let index = builder.closeDictionary()
    values[index] = value
    return index
  }

  override func value(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> Value {
    values[index] ?? .null
  }

  override func origin(of index: UInt32) -> Origin? { origins[index] }
}

// MARK: - Values that are not stored in this form

/// Memory for values that are computed from stored ones; it lives as long as its graph.
public final class SyntheticArena {
  var known: [Node: Value] = [:]
  private var allocations: [UnsafeMutableRawPointer] = []
  /// How many bytes were copied or looked at for values.
  private(set) var spent = 0
  /// Whether a value was refused.
  var isExhausted = false

  deinit {
    for allocation in allocations { allocation.deallocate() }
  }

  /// A string that the graph keeps.
  package func text(_ string: String) -> Text {
    var string = string
    return string.withUTF8 { bytes in
      let copy = allocate(bytes.count)
      UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
      return Text(base: UnsafeRawPointer(copy), byteCount: bytes.count, form: .utf8)
    }
  }

  /// Elements that are listed one by one.
  package func elements(_ nodes: [Node]) -> Elements {
    let copy = allocate(nodes.count * MemoryLayout<Node>.stride)
    let typed = copy.bindMemory(to: Node.self, capacity: nodes.count)
    for (position, node) in nodes.enumerated() { (typed + position).initialize(to: node) }
    return Elements(start: UnsafeRawPointer(copy), count: nodes.count, width: 0, document: 0)
  }

  func spend(_ bytes: Int) {
    let (sum, isOver) = spent.addingReportingOverflow(max(bytes, 0))
    spent = isOver ? .max : sum
  }

  private func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    spend(byteCount)
    let allocation = UnsafeMutableRawPointer.allocate(
      byteCount: max(byteCount, 1), alignment: MemoryLayout<Node>.alignment)
    allocations.append(allocation)
    return allocation
  }
}
