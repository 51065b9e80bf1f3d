// A value while lenses are applied to it: as it lies in its graph, until an operation looks into it.

import Batches
import ObjectGraph

/// A value that operations may change in part.
final class LensValue {
  /// What the value is made of.
  enum Content {
    /// A value of the graph, as it is.
    case node(Node)
    /// A scalar that an operation made.
    case scalar(SyntheticValue)
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

  /// How a value was held before any operation changed it.
  private struct Holding {
    let node: Node
    let slot: Slot?
    /// Where its key was held; nil for elements.
    let key: Slot?
    /// The container, and the name and the position that it had there.
    let container: Node
    let name: String
    let position: Int
  }

  /// The container that was looked into.
  private struct Opened {
    let node: Node
    let isList: Bool
    let count: Int
    /// The container that it was before any change, and how its members or elements were held.
    let source: Node?
    let parts: [Origin.Part]?

    init(_ node: Node, isList: Bool, count: Int, in graph: ObjectGraph) {
      let origin = graph.origin(of: node)
      self.node = node
      self.isList = isList
      self.count = count
      source = origin == nil ? node : origin?.node
      parts = origin?.parts
    }
  }

  var content: Content
  /// The storage that the operation `store` gives it.
  var storage: FieldStorage?
  /// The class that the operation `class` gives it.
  var newClass: String?
  private var holding: Holding?
  /// The container that was looked into.
  private var opened: Opened?

  init(_ content: Content) { self.content = content }

  /// A member or an element of a container of the graph.
  private init(
    _ node: Node, _ held: Origin.Part, in container: Node, position: Int, name: String = ""
  ) {
    content = .node(node)
    storage = held.storage
    holding = Holding(
      node: node, slot: held.slot, key: held.key, container: container, name: name,
      position: position)
  }

  // MARK: Moving

  /// Makes the value a list of what it was and of further elements.
  func wrap(with rest: [LensValue]) { content = .list([moved()] + rest) }

  /// Makes the value an object of what it was and of further members.
  func nest(in name: String, with others: [Member]) {
    content = .members([Member(name: name, key: nil, value: moved())] + others)
  }

  /// What the value is, as another value; this one is new from then on.
  private func moved() -> LensValue {
    let inside = LensValue(content)
    (inside.storage, inside.newClass) = (storage, newClass)
    (inside.holding, inside.opened) = (holding, opened)
    (storage, newClass, opened) = (nil, nil, nil)
    return inside
  }

  /// Makes the value what another is; it stays where it is.
  func become(_ other: LensValue) {
    content = other.content
    (storage, newClass) = (other.storage, other.newClass)
    (holding, opened) = (other.holding, other.opened)
  }

  /// A value of a form: what a default or a kept value brings.
  convenience init(form: SyntheticValue) {
    switch form {
    case .node(let node): self.init(.node(node))
    case .list(let items): self.init(.list(items.map { LensValue(form: $0) }))
    case .members(let members):
      self.init(
        .members(members.map { Member(name: $0.name, key: nil, value: LensValue(form: $0.value)) }))
    default: self.init(.scalar(form))
    }
  }

  /// A value that was kept, in the storage that it had; nil if no value was.
  convenience init?(kept: LostValue) {
    guard let form = kept.value else { return nil }
    self.init(form: form)
    storage = kept.storage
  }

  /// How a field of an object holds a number, a boolean, data, or a list in place; nil for anything else.
  func heldStorage(in graph: ObjectGraph) -> FieldStorage? {
    guard let holding, let slot = holding.slot,
      graph.documents[Int(slot.document)].archive != nil,
      case .object = graph.value(of: holding.container)
    else { return storage }
    let isInline = graph.objectNumber(in: slot) == nil
    switch graph.value(of: holding.node) {
    case .boolean, .integer, .unsigned, .real, .single, .data:
      return storage ?? (isInline ? .inline : .boxed)
    case .array: return isInline ? .inline : nil
    default: return nil
    }
  }

  /// Whether an object holds it under a key that begins with `$`, without the other `$` that archivers put before it.
  func hasBareKey(in graph: ObjectGraph) -> Bool {
    guard let holding, holding.name.utf8.first == UInt8(ascii: "$"), let key = holding.key,
      graph.documents[Int(key.document)].archive != nil,
      case .object = graph.value(of: holding.container)
    else { return false }
    return graph.text(of: graph.node(in: key))?.sameCharacters(as: holding.name) == true
  }

  /// The value as a form: a node as long as nothing in it was changed.
  ///
  /// As deep as operations went into it, and they are bounded by the lens.
  var form: SyntheticValue {
    switch content {
    case .node(let node): return .node(node)
    case .scalar(let form): return form
    case .list(let items):
      let forms = items.map(\.form)
      if isUnchanged(items, forms, names: nil), let opened { return .node(opened.node) }
      return .changed(.list(forms), origin(of: items, names: nil))
    case .members(let members):
      let forms = members.map(\.value.form)
      let values = members.map(\.value)
      let names = members.map(\.name)
      if isUnchanged(values, forms, names: names), let opened { return .node(opened.node) }
      let pairs = zip(members, forms).map { member, form in
        (key: member.key.map { SyntheticValue.node($0) } ?? .string(member.name), value: form)
      }
      return .changed(.pairs(pairs), origin(of: values, names: names))
    }
  }

  private func origin(of values: [LensValue], names: [String]?) -> Origin {
    let parts = values.indices.map { position in
      let value = values[position]
      let isNamed =
        names.map { $0[position].utf8.elementsEqual((value.holding?.name ?? "").utf8) } ?? false
      return Origin.Part(
        slot: value.holding?.slot, key: isNamed ? value.holding?.key : nil, storage: value.storage)
    }
    // A list that has become a dictionary is none of the archive's.
    let isSame = opened?.isList == (names == nil)
    return Origin(node: isSame ? opened?.source : nil, parts: parts, newClass: newClass)
  }

  /// Whether a container that was looked into still has all that it had, where it was.
  private func isUnchanged(
    _ values: [LensValue], _ forms: [SyntheticValue], names: [String]?
  ) -> Bool {
    guard newClass == nil, let opened, opened.count == values.count,
      opened.isList == (names == nil)
    else { return false }
    return values.indices.allSatisfy { position in
      let value = values[position]
      guard let holding = value.holding, holding.container == opened.node,
        holding.position == position,
        value.storage == nil || opened.parts != nil,
        case .node(let node) = forms[position], node == holding.node
      else { return false }
      return names.map { $0[position].utf8.elementsEqual(holding.name.utf8) } ?? true
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
      let opened = Opened(node, isList: false, count: pairs.count, in: graph)
      self.opened = opened
      for position in 0..<pairs.count {
        guard let name = graph.memberName(pairs, position)?.string else { return nil }
        let stored = pairs.position(position)
        let held =
          opened.parts.map { $0[position] }
          ?? Origin.Part(
            slot: graph.slot(pairs.values, stored), key: graph.slot(pairs.keys, stored))
        members.append(
          Member(
            name: name, key: pairs.isFields ? nil : graph.key(pairs, position),
            value: LensValue(
              graph.value(pairs, position), held, in: node, position: position, name: name)))
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
      let opened = Opened(node, isList: true, count: elements.count, in: graph)
      self.opened = opened
      let items = (0..<elements.count).map { position in
        let held =
          opened.parts.map { $0[position] }
          ?? Origin.Part(slot: graph.slot(elements, position))
        return LensValue(graph.node(elements, position), held, in: node, position: position)
      }
      content = .list(items)
      return items
    }
  }

  /// The stored name of the class that it has; nil for values that no archive stores as objects.
  func className(in graph: ObjectGraph) -> String? {
    if let newClass { return newClass }
    var source = opened?.source
    if opened == nil, case .node(let node) = content {
      let origin = graph.origin(of: node)
      if let name = origin?.newClass { return name }
      source = origin == nil ? node : origin?.node
    }
    return source.flatMap { graph.classIndex(of: $0) }.map { graph.classes[$0].name }
  }

  /// The scalar that it is; nil for containers.
  func scalar(in graph: ObjectGraph) -> SyntheticValue? {
    switch content {
    case .scalar(let form): form
    case .list, .members: nil
    case .node(let node): SyntheticValue(scalar: node, of: graph)
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
      case .array: return "a list"
      case .set, .orderedSet: return "a set"
      case .dictionary, .object: return "an object"
      default: return SyntheticValue(scalar: node, of: graph)?.kind ?? "a value"
      }
    }
  }
}

extension LensValue.Member {
  /// Whether it has a name, code point by code point.
  func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}
