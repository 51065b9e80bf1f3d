// A value while lenses are applied to it: as it lies in its graph, until an operation looks into it.

import ObjectGraph

/// A value that operations may change in part.
final class LensValue {
  /// What the value is made of.
  enum Content {
    /// A value of the graph, as it is.
    case node(Node)
    /// A scalar that an operation made.
    case scalar(DerivedForm)
    /// An object that was looked into.
    case members([Member])
    /// A list that was looked into.
    case list([LensValue])
  }

  /// A member of an object.
  struct Member {
    let name: String
    /// The key as it is stored, if that spells the name.
    let key: Node?
    let value: LensValue
  }

  var content: Content

  init(_ content: Content) { self.content = content }

  /// A value of a form: what a default or a kept value brings.
  convenience init(form: DerivedForm) {
    switch form {
    case .node(let node): self.init(.node(node))
    case .list(let items): self.init(.list(items.map { LensValue(form: $0) }))
    case .members(let members):
      self.init(
        .members(members.map { Member(name: $0.name, key: nil, value: LensValue(form: $0.value)) }))
    default: self.init(.scalar(form))
    }
  }

  /// The value as a form.
  ///
  /// As deep as operations went into it, and they are bounded by the lens.
  var form: DerivedForm {
    switch content {
    case .node(let node): .node(node)
    case .scalar(let form): form
    case .list(let items): .list(items.map(\.form))
    case .members(let members):
      .pairs(members.map { ($0.key.map { .node($0) } ?? .string($0.name), $0.value.form) })
    }
  }

  /// Whether it is nil or null.
  func isNull(in graph: ObjectGraph) -> Bool {
    switch content {
    case .node(let node): if case .null = graph.value(of: node) { true } else { false }
    case .scalar(.null): true
    default: false
    }
  }

  // MARK: Looking inside

  /// The members of an object, which it consists of from now on; nil if it is none.
  func open(in graph: ObjectGraph) -> [Member]? {
    switch content {
    case .members(let members): return members
    case .scalar, .list: return nil
    case .node(let node):
      let pairs: Pairs
      switch graph.value(of: node) {
      case .dictionary(let found), .object(_, let found): pairs = found
      default: return nil
      }
      var members: [Member] = []
      members.reserveCapacity(pairs.count)
      for position in 0..<pairs.count {
        guard let name = graph.memberName(pairs, position)?.string else { return nil }
        members.append(
          Member(
            name: name, key: pairs.isFields ? nil : graph.key(pairs, position),
            value: LensValue(.node(graph.value(pairs, position)))))
      }
      content = .members(members)
      return members
    }
  }

  /// The elements of a list, which it consists of from now on; nil if it is none.
  func openList(in graph: ObjectGraph) -> [LensValue]? {
    switch content {
    case .list(let items): return items
    case .scalar, .members: return nil
    case .node(let node):
      guard case .array(let elements) = graph.value(of: node) else { return nil }
      let items = (0..<elements.count).map { LensValue(.node(graph.node(elements, $0))) }
      content = .list(items)
      return items
    }
  }

  /// The scalar that it is; nil for containers.
  func scalar(in graph: ObjectGraph) -> DerivedForm? {
    switch content {
    case .scalar(let form): form
    case .list, .members: nil
    case .node(let node): DerivedForm(scalar: node, of: graph)
    }
  }

  /// What it is, in a word, for messages.
  func kind(in graph: ObjectGraph) -> String {
    switch content {
    case .list: return "a list"
    case .members: return "an object"
    case .scalar(let form): return form.kind
    case .node(let node):
      switch graph.value(of: node) {
      case .array, .set, .orderedSet: return "a list"
      case .dictionary, .object: return "an object"
      default: return DerivedForm(scalar: node, of: graph)?.kind ?? "a value"
      }
    }
  }
}

extension LensValue.Member {
  /// Whether it has a name, code point by code point.
  func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}
