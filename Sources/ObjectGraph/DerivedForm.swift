// Structure that no bytes spell as such: the runs of an attributed string, the ranges of an index set.

/// What a class family makes of an object's fields: names and lists around values of the graph.
public indirect enum DerivedForm {
  /// A value of the graph.
  case node(Node)
  /// A string.
  case string(String)
  /// An integer.
  case integer(Int64)
  /// A real.
  case real(Double)
  /// A boolean.
  case boolean(Bool)
  /// A date in seconds from 2001-01-01T00:00:00Z.
  case date(Double)
  /// Null.
  case null
  /// A list.
  case list([DerivedForm])
  /// Named values, in order.
  case members([(name: String, value: DerivedForm)])
}

extension ObjectGraph {
  /// The value that a form stands for; it is made once for a node and remembered.
  ///
  /// - Parameters:
  ///   - node: the node whose value this becomes.
  ///   - owner: the class that the members are fields of; nil for a dictionary, and for lists.
  ///   - form: what the value is made of. Its depth is the depth of the call, so it must not follow a file's.
  public func derivedValue(
    of node: Node, class owner: ClassIndex? = nil, form: () -> DerivedForm?
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
}

/// A document of derived values: scalars lie in its table, containers list nodes of any document.
final class DerivedDocument: ObjectInterpreter {
  private var values: [UInt32: Value] = [:]

  /// About what a value costs beside its characters.
  private static let formBytes = 64

  /// Adds the values of a form to a graph as a document of their own.
  static func add(
    _ form: DerivedForm, near node: Node, to graph: ObjectGraph, _ derived: DerivedValues
  ) -> Value {
    let document = DerivedDocument()
    var builder = GraphBuilder(capacity: 256)
    let number = graph.nextDocument
    let top = document.node(of: form, number, &builder, derived)
    let finished = builder.finish(top: top.document == number ? top.index : 0)
    graph.addDerived(finished, interpreter: document, near: node)
    return graph.value(of: top)
  }

  private func node(
    of form: DerivedForm, _ number: UInt32, _ builder: inout GraphBuilder, _ derived: DerivedValues
  ) -> Node {
    func own(_ index: UInt32) -> Node { Node(document: number, index: index) }
    derived.spend(Self.formBytes)
    switch form {
    case .node(let node): return node
    case .string(let text):
      derived.spend(text.utf8.count)
      return own(builder.add(text))
    case .integer(let number): return own(builder.add(number))
    case .real(let number): return own(builder.add(number))
    case .boolean(let flag): return own(builder.add(flag))
    case .date(let seconds): return own(builder.add(date: seconds))
    case .null: return own(builder.addNull())
    case .list(let forms):
      let nodes = forms.map { node(of: $0, number, &builder, derived) }
      return own(place(.array(derived.elements(nodes)), &builder))
    case .members(let members):
      let keys = members.map { own(builder.add($0.name)) }
      let nodes = members.map { node(of: $0.value, number, &builder, derived) }
      let pairs = Pairs(keys: derived.elements(keys), values: derived.elements(nodes))
      return own(place(.dictionary(pairs), &builder))
    }
  }

  /// An empty stored dictionary stands for each container.
  private func place(_ value: Value, _ builder: inout GraphBuilder) -> UInt32 {
    builder.open()
    let index = builder.closeDictionary()
    values[index] = value
    return index
  }

  override func value(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> Value {
    values[index] ?? .null
  }
}
