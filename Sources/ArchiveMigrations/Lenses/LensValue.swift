// A value while lenses are applied to it: a node of its graph, until an operation examines its parts.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import KeyedArchives

/// A value that operations may change in part.
final class LensValue {
  enum Content {
    /// An unchanged value of the graph.
    case node(Node)
    /// A scalar that an operation made.
    case scalar(SyntheticValue)
    /// An object whose members were examined.
    case members([Member])
    /// A list whose elements were examined.
    case list([LensValue])
  }

  struct Member {
    let name: String
    /// The key as it is stored, if it equals the name.
    let key: Node?
    let value: LensValue

    init(_ name: String, _ value: LensValue, key: Node? = nil) {
      (self.name, self.value, self.key) = (name, value, key)
    }

    static func null(_ name: String) -> Member { Member(name, LensValue(.scalar(.null))) }
  }

  /// How a container held a value before any operation changed it.
  private struct Holding {
    let node: Node
    let slot: Slot?
    /// The slot of its key; nil for elements.
    let key: Slot?
    /// The container, and the name and the position of the value in it.
    let container: Node
    let name: String
    let position: Int
  }

  /// The container that was examined.
  private struct Opened {
    let node: Node
    let isList: Bool
    let count: Int
    /// The original container before any change, and how it held its members or elements.
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
  /// The storage that the operation `store` assigns to it.
  var storage: FieldStorage?
  /// The class that the operation `class` assigns to it.
  var newClass: String?
  private var holding: Holding?
  private var opened: Opened?

  init(_ content: Content) { self.content = content }

  /// A member or an element of a container of the graph, which holds it as stated unless it was changed before.
  private init(
    _ node: Node, at position: Int, of opened: Opened, name: String = "",
    _ stored: @autoclosure () -> Origin.Part
  ) {
    let held = opened.parts?[position] ?? stored()
    content = .node(node)
    storage = held.storage
    holding = Holding(
      node: node, slot: held.slot, key: held.key, container: opened.node, name: name,
      position: position)
  }

  // MARK: Moving

  /// Turns the value into a list of its current content and further elements.
  func wrap(with rest: [LensValue]) { content = .list([moved()] + rest) }

  /// Turns the value into an object of its current content and further members.
  func nest(in name: String, with others: [Member]) {
    content = .members([Member(name, moved())] + others)
  }

  /// Moves the content to another value; this value is new from then on.
  private func moved() -> LensValue {
    let inside = LensValue(content)
    (inside.storage, inside.newClass) = (storage, newClass)
    (inside.holding, inside.opened) = (holding, opened)
    (storage, newClass, opened) = (nil, nil, nil)
    return inside
  }

  /// Replaces the content with that of another value, in the same position.
  func become(_ other: LensValue) {
    content = other.content
    (storage, newClass) = (other.storage, other.newClass)
    (holding, opened) = (other.holding, other.opened)
  }

  /// Replaces a scalar with another, which has the storage that its holder gave it, or anything with a new value.
  func replace(with other: LensValue) {
    switch other.content {
    case .scalar where opened == nil, .node where opened == nil: content = other.content
    default: become(other)
    }
  }

  /// A value from a form, which comes from a default or a kept value.
  convenience init(form: SyntheticValue) {
    switch form {
    case .node(let node): self.init(.node(node))
    case .list(let items): self.init(.list(items.map { LensValue(form: $0) }))
    case .members(let members):
      self.init(.members(members.map { Member($0.name, LensValue(form: $0.value)) }))
    default: self.init(.scalar(form))
    }
  }

  /// The value of JSON in a lens file.
  convenience init(json tree: JSONTree) { self.init(form: SyntheticValue(tree)) }

  /// A kept value, with its storage; nil if no value was kept.
  convenience init?(kept: LostValue) {
    guard let form = kept.value else { return nil }
    self.init(form: form)
    storage = kept.storage
  }

  /// How a field of an object stores a number, a boolean, data, or an inline list; nil for any other value.
  func heldStorage(in graph: ObjectGraph) -> FieldStorage? {
    guard let holding, let slot = holding.slot,
      graph.documents[Int(slot.document)].archive != nil,
      case .object = graph.value(of: holding.container)
    else { return storage }
    let isInline = graph.objectNumber(in: slot) == nil
    switch graph.value(of: holding.node) {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data:
      return storage ?? (isInline ? .inline : .boxed)
    case .array: return isInline ? .inline : nil
    default: return nil
    }
  }

  /// Whether an object stores it under a key that begins with `$`, without the additional `$` that archivers insert.
  func hasBareKey(in graph: ObjectGraph) -> Bool {
    guard let holding, holding.name.utf8.first == UInt8(ascii: "$"), let key = holding.key,
      graph.documents[Int(key.document)].archive != nil,
      case .object = graph.value(of: holding.container)
    else { return false }
    return graph.text(of: graph.node(in: key))?.sameCharacters(as: holding.name) == true
  }

  /// The value as a form, which is a node as long as nothing in it was changed.
  ///
  /// The recursion is as deep as the operations descended, which the lens bounds.
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
    // A list that has become a dictionary does not exist in the archive.
    let isSame = opened?.isList == (names == nil)
    return Origin(node: isSame ? opened?.source : nil, parts: parts, newClass: newClass)
  }

  /// Whether an examined container still has all its original contents in their original positions.
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

  func isNull(in graph: ObjectGraph) -> Bool {
    switch content {
    case .node(let node): if case .null = graph.value(of: node) { true } else { false }
    case .scalar(.null): true
    default: false
    }
  }

  // MARK: Examining parts

  /// The members of an object, which become its content; nil if it is not an object.
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
        let value = LensValue(
          graph.value(pairs, position), at: position, of: opened, name: name,
          Origin.Part(slot: graph.slot(pairs.values, stored), key: graph.slot(pairs.keys, stored)))
        members.append(
          Member(name, value, key: pairs.isFields ? nil : graph.key(pairs, position)))
      }
      content = .members(members)
      return members
    }
  }

  /// The elements of a list, which become its content; nil if it is not a list.
  func openList(in graph: ObjectGraph) -> [LensValue]? {
    switch content {
    case .list(let items): return items
    case .scalar, .members: return nil
    case .node(let node):
      guard case .array(let elements) = graph.value(of: node) else { return nil }
      let opened = Opened(node, isList: true, count: elements.count, in: graph)
      self.opened = opened
      let items = (0..<elements.count).map { position in
        LensValue(
          graph.node(elements, position), at: position, of: opened,
          Origin.Part(slot: graph.slot(elements, position)))
      }
      content = .list(items)
      return items
    }
  }

  /// How many elements of a set are compared in any order.
  private static let mostCompared = 1_000

  /// The elements of a list, or of a set that no operation has examined; nil for other values and for large sets.
  func elements(in graph: ObjectGraph) -> (items: [LensValue], isOrdered: Bool)? {
    func items(_ elements: Elements) -> [LensValue] {
      (0..<elements.count).map { LensValue(.node(graph.node(elements, $0))) }
    }
    guard case .node(let node) = content else { return openList(in: graph).map { ($0, true) } }
    switch graph.value(of: node) {
    case .set(let elements):
      return elements.count <= Self.mostCompared ? (items(elements), false) : nil
    case .orderedSet(let elements): return (items(elements), true)
    default: return openList(in: graph).map { ($0, true) }
    }
  }

  /// The stored name of its class; nil for values that no archive stores as objects.
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

  /// The scalar; nil for containers.
  func scalar(in graph: ObjectGraph) -> SyntheticValue? {
    switch content {
    case .scalar(let form): form
    case .list, .members: nil
    case .node(let node): SyntheticValue(scalar: node, of: graph)
    }
  }

  /// The string; nil for other values.
  func text(in graph: ObjectGraph) -> String? {
    if case .string(let text)? = scalar(in: graph) { text } else { nil }
  }

  /// The most parts that a container may have to be converted, and how deep they may be: a URL may have 16 bases.
  private static let partLimits = (count: 16, depth: 18)

  /// A scalar, or the parts of a value that has few; an object with a Codable form in that form.
  func parts(in graph: ObjectGraph, depth: Int = 0) -> SyntheticValue? {
    guard depth < Self.partLimits.depth else { return nil }
    if case .node(let node) = content {
      if let form = CodableForms.form(of: node, in: graph) { return form.withScalars(of: graph) }
      switch graph.value(of: node) {
      case .array(let elements) where elements.count > Self.partLimits.count: return nil
      case .dictionary(let pairs) where pairs.count > Self.partLimits.count: return nil
      case .object(_, let pairs) where pairs.count > Self.partLimits.count: return nil
      default: break
      }
    }
    if let scalar = scalar(in: graph) { return scalar }
    if let items = openList(in: graph) {
      let parts = items.compactMap { $0.parts(in: graph, depth: depth + 1) }
      return parts.count == items.count ? .list(parts) : nil
    }
    guard let members = open(in: graph) else { return nil }
    let parts = members.compactMap { member in
      member.value.parts(in: graph, depth: depth + 1).map { (name: member.name, value: $0) }
    }
    return parts.count == members.count ? .members(parts) : nil
  }

  /// Its kind as one word, for messages.
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

extension LostValue {
  /// The value, if this is what about it was lost.
  func value(of kind: Kind) -> LensValue? {
    self.kind == kind ? value.map { LensValue(form: $0) } : nil
  }
}

extension LensValue.Member {
  /// Whether it has a name, compared code point by code point.
  func isCalled(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension [LensValue.Member] {
  func index(_ name: String) -> Int? { firstIndex { $0.isCalled(name) } }

  /// The value of a member; nil if it is absent.
  subscript(name: String) -> LensValue? { first { $0.isCalled(name) }?.value }
}

extension SyntheticValue {
  /// A Codable form with the scalars that it refers to; forms have a bounded depth.
  fileprivate func withScalars(of graph: ObjectGraph) -> SyntheticValue {
    switch self {
    case .node(let node): SyntheticValue(scalar: node, of: graph) ?? self
    case .list(let items): .list(items.map { $0.withScalars(of: graph) })
    case .members(let members):
      .members(members.map { (name: $0.name, value: $0.value.withScalars(of: graph)) })
    default: self
    }
  }
}

// MARK: - Creates scalars from graphs and JSON, and compares them

extension SyntheticValue {
  /// The scalar at a node; nil for a container.
  init?(scalar node: Node, of graph: ObjectGraph) {
    switch graph.value(of: node) {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .single(let number): self = .real(Double(number))
    case .date(let seconds): self = .date(seconds)
    case .string(let text): self = .string(text.string)
    case .data(let bytes): self = .data(Array(bytes))
    case .unsigned(let number): self = .unsigned(number)
    case .uid, .wide: self = .node(node)
    case .array, .set, .orderedSet, .dictionary, .object: return nil
    }
  }

  /// The value of JSON in a lens file.
  ///
  /// `{"$date": …}`, `{"$data": …}` and `{"$real": …}` have the meaning of typed JSON.
  init(_ tree: JSONTree) { self.init(sample: tree, tagged: Self.tagged) }

  /// The tags for values that JSON has no type for.
  static let tags: Set<String> = ["$date", "$data", "$real"]

  /// The scalar that a tag represents; nil if it is not a tag, or its value is invalid.
  static func tagged(_ tag: String, _ value: JSONTree) -> SyntheticValue? {
    switch (tag, value) {
    case ("$date", .string(let text)):
      return Timestamp(text: text).map { .date($0.secondsFromReference) }
    case ("$data", .string(let text)): return bytes(ofBase64: text).map { .data($0) }
    case ("$real", .integer(let number)): return .real(Double(number))
    case ("$real", .real(let number)): return .real(number)
    default: return nil
    }
  }

  /// The bytes in a Base64 text; nil if it is invalid.
  static func bytes(ofBase64 text: String) -> [UInt8]? {
    var buffer = ByteBuffer()
    let isWellFormed = Array(text.utf8).withByteView { Base64.decodeWellFormed($0, to: &buffer) }
    return isWellFormed ? buffer.array : nil
  }

  /// Its kind as one word, for messages.
  var kind: String {
    switch self {
    case .node: "a value"
    case .string: "a string"
    case .integer, .unsigned: "an integer"
    case .real: "a real"
    case .boolean: "a boolean"
    case .date: "a date"
    case .data: "data"
    case .null: "null"
    case .list: "a list"
    case .members, .pairs: "an object"
    case .changed(let form, _): form.kind
    }
  }

  /// Whether two scalars are equal by a rule.
  func isSameScalar(as other: SyntheticValue, _ rule: ScalarEquality = .exact) -> Bool {
    ScalarKey(self, rule).map { $0 == ScalarKey(other, rule) } ?? false
  }

  /// The form of a number or boolean by a rule; nil for other values.
  fileprivate func number(_ rule: ScalarEquality) -> ScalarEquality.Number? {
    switch self {
    case .boolean(let flag): rule.number(.boolean(flag))
    case .integer(let number): rule.number(.integer(number))
    case .unsigned(let number): rule.number(.unsigned(number))
    case .real(let number): rule.number(number)
    default: nil
    }
  }

  /// Whether two scalars, or values of a few parts, are the same; members in any order.
  func isSame(as other: SyntheticValue, _ rule: ScalarEquality = .exact) -> Bool {
    switch (self, other) {
    case (.list(let items), .list(let others)):
      items.count == others.count && zip(items, others).allSatisfy { $0.isSame(as: $1, rule) }
    case (.members(let members), .members(let others)):
      members.count == others.count
        && members.allSatisfy { member in
          others.contains {
            $0.name.utf8.elementsEqual(member.name.utf8) && $0.value.isSame(as: member.value, rule)
          }
        }
    default: isSameScalar(as: other, rule)
    }
  }

  /// The integer value of a number or boolean; nil if there is none.
  var wholeNumber: Int128? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Int128(number)
    case .unsigned(let number): Int128(number)
    case .real(let number): Int128(exactly: number)
    default: nil
    }
  }
}

// MARK: - Scalars as keys of dictionaries

/// A scalar in the form that all equal ones have, and its type if that matters.
enum ScalarKey: Hashable, Sendable {
  case null
  case string(CodePointString)
  case date(UInt64)
  case data([UInt8])
  case number(ScalarEquality.Number)
  /// A number of one type, as messages name that.
  case typed(String, ScalarEquality.Number)

  /// The key that is equal for all equal scalars; nil for a value that is not a scalar.
  init?(_ form: SyntheticValue, _ rule: ScalarEquality = .value) {
    switch form {
    case .null: self = .null
    case .string(let text): self = .string(CodePointString(text))
    case .date(let seconds): self = .date(rule.date(seconds))
    case .data(let bytes): self = .data(bytes)
    default:
      guard let number = form.number(rule) else { return nil }
      self = .number(number)
    }
  }

  /// The key that is equal for equal scalars of one type; -0.0 has its own.
  init?(identical form: SyntheticValue) {
    guard let key = ScalarKey(form, .exact) else { return nil }
    self = key
    if case .number(let number) = key { self = .typed(form.kind, number) }
  }
}
