// How objects of frameworks are written: what is shown of an object and what it stores are two forms.

import ArchiveGraph

/// How an object of a class is written.
package enum StoredForm: Sendable {
  /// From its fields, which are what is shown of it.
  case fields
  /// As a string, a number, a date, data, null or a collection, never from members.
  case value
  /// From the value that is shown of it, or from Codable's form: with members of which none is the name of a field, and
  /// the fields as the framework stores them.
  case made(
    shown: Set<String>, fields: @Sendable (FormValue) throws(FormRefusal) -> [StoredField])
  /// From its fields only: the value that is shown, with these members, does not contain all that is stored.
  case never(shown: Set<String>, reason: String)
}

/// Why no object can be made from a value; nil if the value is not in a form of the class.
package struct FormRefusal: Error {
  package let reason: String?
}

/// A field of an object of a framework.
package struct StoredField {
  package let key: String
  package let value: StoredValue

  package init(_ key: String, _ value: StoredValue) {
    self.key = key
    self.value = value
  }
}

/// The value of a field, as a framework stores it.
package indirect enum StoredValue {
  /// Nil.
  case null
  /// Numbers and bytes in the object itself.
  case integer(Int64)
  case real(Double)
  case single(Float)
  case boolean(Bool)
  case bytes([UInt8])
  /// Objects of their own.
  case boxed(Int64)
  case text(Text)
  case string(String)
  case data([UInt8], isMutable: Bool)
  case date(Double)
  case emptyDictionary
  case object(String, [StoredField])
  /// A value of the graph that is a member with this name.
  case member(Node, String)
}

/// A value that an object is to be made from.
package struct FormValue {
  /// The deepest object within an object: the base of a base of a URL.
  private static let depthLimit = 16

  package let graph: ObjectGraph
  package let node: Node
  package let foundation: FoundationKind
  /// Whether the schema names a member.
  let isNamed: (String) -> Bool
  private var depth = 0

  package init(
    _ node: Node, of graph: ObjectGraph, for foundation: FoundationKind,
    isNamed: @escaping (String) -> Bool
  ) {
    self.graph = graph
    self.node = node
    self.foundation = foundation
    self.isNamed = isNamed
  }

  package var value: Value { graph.value(of: node) }

  /// The text, if the value is a string.
  package var text: Text? { text(node) }

  /// The members of a dictionary, or of an object in the form in which it is shown.
  package func members() throws(FormRefusal) -> FormMembers { try members(of: node) }

  /// The members of a dictionary within it.
  package func members(of node: Node) throws(FormRefusal) -> FormMembers {
    try FormMembers(FormValue(node, of: graph, for: foundation) { _ in false })
  }

  /// An object within the object.
  package func object(_ node: Node, _ className: String) throws(FormRefusal) -> StoredValue {
    let isObject = graph.classIndex(of: node) != nil
    if isObject, graph.document(of: node).isKeyedArchive { return .member(node, "") }
    guard depth < Self.depthLimit,
      case .made(_, let fields)? = ClassRegistry.storedForm(of: className)
    else { throw FormRefusal(reason: nil) }
    var inner = FormValue(node, of: graph, for: foundation) { _ in false }
    inner.depth = depth + 1
    return .object(className, try fields(inner))
  }

  // MARK: Values of members; nil for those of another type

  package func elements(_ node: Node) -> [Node]? {
    guard case .array(let elements) = graph.value(of: node) else { return nil }
    return (0..<elements.count).map { graph.node(elements, $0) }
  }

  package func numbers(_ node: Node) -> [Double]? {
    guard let elements = elements(node), elements.count < 64 else { return nil }
    let numbers = elements.compactMap { number($0) }
    return numbers.count == elements.count ? numbers : nil
  }

  package func number(_ node: Node) -> Double? { graph.value(of: node).number }

  /// An integer, or a real without a fraction.
  package func integer(_ node: Node) -> Int64? {
    switch graph.value(of: node) {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  package func boolean(_ node: Node) -> Bool? {
    if case .boolean(let flag) = graph.value(of: node) { flag } else { nil }
  }

  package func date(_ node: Node) -> Double? { graph.value(of: node).seconds }

  package func text(_ node: Node) -> Text? { graph.value(of: node).text }
}

/// The members of a value in a form, all of which must be used.
package struct FormMembers {
  /// The most members of a form.
  private static let limit = 256

  private let form: FormValue
  private var names: [String] = []
  private var nodes: [String: Node] = [:]

  init(_ form: FormValue) throws(FormRefusal) {
    self.form = form
    guard case .members(let pairs)? = GraphContainer(form.value), pairs.count < Self.limit else {
      throw FormRefusal(reason: nil)
    }
    for position in 0..<pairs.count {
      guard let name = form.graph.memberName(pairs, position)?.string, nodes[name] == nil else {
        throw FormRefusal(reason: nil)
      }
      names.append(name)
      nodes[name] = form.graph.value(pairs, position)
    }
  }

  /// Whether there are members with all of some names.
  func hasAll(_ names: [String]) -> Bool { names.allSatisfy { nodes[$0] != nil } }

  /// Takes a member; nil if it is missing or null.
  mutating func remove(_ name: String) -> Node? {
    guard let node = nodes.removeValue(forKey: name), !form.graph.isNull(node) else { return nil }
    return node
  }

  private mutating func remove<Part>(
    _ name: String, _ read: (Node) -> Part?
  ) throws(FormRefusal) -> Part? {
    guard let node = remove(name) else { return nil }
    guard let part = read(node) else {
      throw FormRefusal(reason: "its member '\(name)' has another type")
    }
    return part
  }

  mutating func integer(_ name: String) throws(FormRefusal) -> Int64? {
    try remove(name, form.integer)
  }

  mutating func real(_ name: String) throws(FormRefusal) -> Double? {
    try remove(name, form.number)
  }

  mutating func numbers(_ name: String) throws(FormRefusal) -> [Double]? {
    try remove(name, form.numbers)
  }

  mutating func text(_ name: String) throws(FormRefusal) -> Text? {
    try remove(name, form.text)
  }

  mutating func boolean(_ name: String) throws(FormRefusal) -> Bool? {
    try remove(name, form.boolean)
  }

  mutating func date(_ name: String) throws(FormRefusal) -> Double? {
    try remove(name, form.date)
  }

  mutating func elements(_ name: String) throws(FormRefusal) -> [Node]? {
    try remove(name, form.elements)
  }

  mutating func object(_ name: String, _ className: String) throws(FormRefusal) -> StoredValue? {
    guard let node = remove(name) else { return nil }
    return try form.object(node, className)
  }

  func required<Part>(_ part: Part?, _ name: String) throws(FormRefusal) -> Part {
    guard let part else { throw FormRefusal(reason: "its member '\(name)' is missing") }
    return part
  }

  /// Throws if there is another member.
  func end() throws(FormRefusal) {
    guard let other = names.first(where: { nodes[$0] != nil }) else { return }
    throw FormRefusal(reason: "its member '\(other)' is not part of the form")
  }

  /// The other members, which must be fields that are shown under their stored names.
  mutating func fields(_ others: Set<String> = []) throws(FormRefusal) -> [StoredField] {
    var fields: [StoredField] = []
    for name in names where others.contains(name) || Framework.isKey(name) {
      guard let node = nodes.removeValue(forKey: name) else { continue }
      fields.append(StoredField(name, .member(node, name)))
    }
    try end()
    return fields
  }
}

extension ClassRegistry {
  /// How an object of a class is written; nil for a class that no framework here knows.
  ///
  /// - Parameter chain: the class and its superclasses, of which the nearest that is known counts.
  package static func storedForm(of name: String, _ chain: [String] = []) -> StoredForm? {
    if let form = storedForms[name] { return form }
    guard let form = chain.lazy.compactMap({ storedForms[$0] }).first else { return nil }
    if case .value = form { return nil }
    return form
  }

  /// Why an object of a class cannot have members with these names as its fields; nil if it can.
  package static func objection(
    toFields names: [String], of name: String, _ chain: [String] = []
  ) -> String? {
    let shown: (String) -> Bool
    var reason: String?
    switch storedForm(of: name, chain) {
    case .fields?, nil: return nil
    case .value?: shown = { !Framework.isKey($0) }
    case .made(let members, _)?: shown = members.contains
    case .never(let members, let why)?:
      shown = members.contains
      reason = why
    }
    guard names.contains(where: shown) else { return nil }
    return noForm(to: name, reason ?? "its members are those that are shown, not its fields")
  }

  /// The message for a value that no object can be made from.
  package static func noForm(to name: String, _ reason: String?) -> String {
    "no way from this form to \(ClassName(stored: name).display)" + (reason.map { ": \($0)" } ?? "")
  }

  /// Whether objects of a class are made from the value that is shown of them.
  package static func makesObjects(of name: String) -> Bool {
    if case .made? = storedForm(of: name) { return true }
    return false
  }

  /// Why no object of a class can be made from the value that is shown of it; nil if one can.
  package static func reasonNotToMake(objectsOf name: String) -> String? {
    if case .never(_, let reason)? = storedForm(of: name) { return reason }
    return nil
  }
}

// MARK: - The implementations of Foundation, and which of them wrote an object

/// The implementation of Foundation that reads an archive: some classes store other fields in each.
package enum FoundationKind: String, Sendable, CaseIterable {
  /// Apple's.
  case apple
  /// swift-corelibs-foundation, on Linux and Windows.
  case swiftCorelibs = "swift-corelibs"

  /// The implementation that wrote an object; nil if it stores what the other stores, too.
  ///
  /// Sources: encodeWithCoder: of NSDateInterval, NSIndexSet and NSPersonNameComponents, NSStringFromRect, and
  /// swift-corelibs-foundation's files of these names.
  package init?(writerOf node: Node, in graph: ObjectGraph) {
    guard let type = graph.classDescription(of: node) else { return nil }
    let fields = ObjectFields(of: node, in: graph)
    switch type.name {
    case "NSDateInterval": self = fields["NS.duration"] == nil ? .swiftCorelibs : .apple
    case "NSPersonNameComponents":
      self = fields["NS.nameComponentsPrivate"] == nil ? .swiftCorelibs : .apple
    case "NSIndexSet", "NSMutableIndexSet":
      guard let data = fields["NSRangeData"] else { return nil }
      self = graph.classIndex(of: data) == nil ? .swiftCorelibs : .apple
    case "NSValue":
      let text = ["NS.pointval", "NS.sizeval", "NS.rectval"].lazy.compactMap { fields.string($0) }
      let words = text.first?.split { "{}, ".contains($0) } ?? []
      guard let whole = words.first(where: { Double($0).map { $0 == $0.rounded() } ?? false })
      else { return nil }
      self = whole.contains(".") ? .swiftCorelibs : .apple
    default: return nil
    }
  }
}
