// Values in their containers: stored as they were, changed, or new.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

extension ArchiveAssembly {
  /// The container of a value, which determines its possible storage.
  package enum Holder {
    /// The top of the archive, or a collection: every value is an object.
    case top, collection
    /// A field of an object: numbers may be stored in it.
    case field
  }

  /// A value to be written to the archive.
  package struct Value {
    package let node: Node
    /// Where it was held; nil for one that was added.
    package let slot: Slot?
    /// Its location in the target's shape.
    let schemaIndex: Int
    package let holder: Holder
    /// The storage that an operation gave it.
    package var storage: FieldStorage?
    /// Whether it is the root, or an element of a list at the root.
    package var isRoot = false
    /// Whether it was not a field of an object, so that its storage has no meaning.
    var isCollected = false
    /// Whether it is the key of a dictionary's object.
    package var isKey = false
    /// Its location in the source's shape; nil where it is not known.
    var sourceSchemaIndex: Int?
  }

  /// A value as its holder has it.
  mutating func part(_ value: Value, trail: Int) throws(ArchiveError) -> Part {
    try count()
    let node = value.node
    if graph.origin(of: node) != nil { return try container(value, trail) }
    guard isStored(node) else { return try newPart(value, trail) }
    if let null = convertedNull(value) { return null }
    if mustConvert(value) { return try container(value, trail) }
    if let text = try convertedText(value, trail) { return text }
    return try storedPart(value, trail)
  }

  /// A null for its new container: a collection has NSNull, because nil ends its decoder, and a new field is nil.
  private mutating func convertedNull(_ value: Value) -> Part? {
    guard case .null = graph.value(of: value.node) else { return nil }
    let isObject = graph.classIndex(of: value.node) != nil
    switch value.holder {
    case .collection: return isObject ? nil : .object(nullObject())
    case .field: return isObject && !request.keepsStructure ? .object(0) : nil
    case .top: return nil
    }
  }

  /// Whether a node is a value that a keyed archive stores.
  func isStored(_ node: Node) -> Bool {
    graph.documents[Int(node.document)].isKeyedArchive
  }

  /// Whether a stored value may not be copied, since the envelope has other classes for such values.
  private func mustConvert(_ value: Value) -> Bool {
    if request.rootClass != nil, value.isRoot || value.holder == .top { return isContainer(value) }
    return !request.keepsStructure && isContainer(value)
  }

  /// Whether a value contains other values of the model; other objects are copied as a whole.
  private func isContainer(_ value: Value) -> Bool {
    switch graph.value(of: value.node) {
    case .array, .set, .orderedSet, .dictionary: return true
    case .object(let index, _): return !ClassRegistry.isFoundation(graph.classes[index].name)
    default: return false
    }
  }

  /// The classes whose objects are shown as text, and are made of it.
  private static let textClasses: Set<String> = [
    "NSString", "NSURL", "NSUUID", "NSDecimalNumber",
  ]

  /// Stored text of which a schema demands an object of another class; nil for other values.
  private mutating func convertedText(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part? {
    guard case .string(let text) = graph.value(of: value.node), !value.isKey else { return nil }
    let stored =
      graph.classIndex(of: value.node).map { FoundationClass.immutable(graph.classes[$0].name) }
      ?? "NSString"
    var rule = rule(value, trail) ?? StructureRule()
    if rule.classes.isEmpty, stored != "NSString", let schemaIndex = value.sourceSchemaIndex,
      request.sourceShape?.structure(schemaIndex)?.className == stored
    {
      rule.classes = ["NSString"]
    }
    guard let name = rule.className.map({ FoundationClass.immutable($0) }), name != stored,
      Self.textClasses.contains(name), Self.textClasses.contains(stored)
    else { return nil }
    if stored == "NSURL", hasBase(value.node) {
      throw unknown("the URL has a base, which an object of the class \(name) has not", trail)
    }
    return try string(text, value, rule, trail)
  }

  /// Whether a URL is relative to another.
  private func hasBase(_ node: Node) -> Bool {
    stored("NS.base", of: node).map { graph.objectNumber(in: $0) != 0 } ?? false
  }

  // MARK: Stored values

  /// A value that is copied as it is stored.
  private mutating func storedPart(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    guard let slot = value.slot, graph.node(in: slot) == value.node else {
      if let object = object(of: value.node) { return left(.object(object)) }
      return try stored(
        Slot(document: value.node.document, reference: value.node.index), value, trail)
    }
    return try stored(slot, value, trail)
  }

  private mutating func stored(
    _ slot: Slot, _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let part = reference(slot)
    var storage = value.storage
    if storage == nil { storage = try collectedStorage(value, trail) }
    switch (part, storage, value.holder) {
    case (.object, .inline, .field):
      guard let scalar = inlineScalar(value.node) else {
        throw unknown("the value cannot be stored inline: it is not a number", trail)
      }
      return .built(scalar)
    case (.object, _, _): return left(part)
    case (_, .boxed, _), (_, _, .collection), (_, _, .top):
      return .object(box(slot))
    default: return part
    }
  }

  /// The storage that a field gives a value of a collection; nil for one that has it already.
  private mutating func collectedStorage(
    _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> FieldStorage? {
    guard value.isCollected, !request.keepsStructure, value.holder == .field else { return nil }
    let rule = rule(value, trail)
    switch graph.value(of: value.node) {
    case .boolean, .integer, .unsigned, .wide, .real, .single: return try storage(rule, trail)
    case .data: return graph.classIndex(of: value.node) == nil ? rule?.storage : nil
    default: return nil
    }
  }

  /// Remembers that a reference was left as it is.
  private mutating func left(_ part: Part) -> Part {
    if case .object(let target) = part { unchanged.append((current, target)) }
    return part
  }

  /// The object of a stored value, by its index in `$objects`; nil for one that is stored inline.
  mutating func object(of node: Node) -> Int? {
    if objectNumbers[node.document] == nil {
      var numbers: [UInt32: UInt32] = [:]
      let (start, count) = graph.objectTable(of: node.document)
      let table = graph.documents[Int(node.document)].table
      if let start {
        for number in (0..<count).reversed() {
          numbers[table.reference(start, number)] = UInt32(truncatingIfNeeded: number)
        }
      }
      objectNumbers[node.document] = numbers
    }
    return objectNumbers[node.document]?[node.index].map { object(node.document, $0) }
  }

  /// A number or bytes as they are stored in their holder; nil for any other value.
  private mutating func inlineScalar(_ node: Node) -> UInt32? {
    switch graph.value(of: node) {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data: return scalar(of: node)
    default: return nil
    }
  }

  /// A value that was stored in its holder, as an object of its own.
  private mutating func box(_ slot: Slot) -> Int {
    let table = graph.documents[Int(slot.document)].table
    if table.marker(of: slot.reference) >> 4 < Marker.array {
      return object(ofScalar: builder.add(copying: slot.reference, of: table))
    }
    return add(.stored(document: slot.document, index: slot.reference))
  }

  /// A scalar of any document in the new table.
  mutating func scalar(of node: Node) -> UInt32 {
    // An object may have a scalar for its value, as NSMutableData has.
    if graph.classIndex(of: node) != nil { return builder.add(scalar: graph.value(of: node)) }
    return builder.add(copying: node.index, of: graph.documents[Int(node.document)].table)
  }

  /// The object of a scalar in the new table: equal ones are one.
  mutating func object(ofScalar index: UInt32) -> Int {
    if let known = scalars[index] { return known }
    let object = add(.built(index))
    scalars[index] = object
    return object
  }

  /// What became of an object: the class and the scalar of the one that replaces it.
  struct Replacement: Hashable {
    let object: UInt64
    let className: String
    let scalar: UInt32
  }

  /// The object of a scalar; one that replaces another is shared if that one was.
  mutating func object(ofScalar index: UInt32, _ value: Value) -> Int {
    replacement(value, "", index)
  }

  /// An object made of a scalar: as objects were shared or apart, those that replace them are.
  ///
  /// - Parameter make: makes the object; nil for the scalar itself.
  mutating func replacement(
    _ value: Value, _ className: String, _ index: UInt32, _ make: ((inout Self) -> Int)? = nil
  ) -> Int {
    guard let slot = value.slot, isStored(graph.node(in: slot)),
      let number = graph.objectNumber(in: slot), number > 0
    else {
      if let make { return make(&self) }
      return object(ofScalar: index)
    }
    let key = Replacement(
      object: Self.key(slot.document, number), className: className, scalar: index)
    if let known = replacements[key] { return known }
    let object: Int
    if let make { object = make(&self) } else { object = add(.built(index)) }
    replacements[key] = object
    return object
  }

  // MARK: Containers

  /// A container that was changed, or has to be converted.
  private mutating func container(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    let origin = graph.origin(of: value.node)
    let source = origin == nil ? value.node : origin?.node
    if let source, isStored(source) {
      if let slot = value.slot, graph.node(in: slot) == source,
        let number = graph.objectNumber(in: slot)
      {
        return try change(object(slot.document, number), value, trail)
      }
      if let object = object(of: source) { return try change(object, value, trail) }
      if value.holder == .field, value.storage != .boxed {
        return inline(value, isRoot: value.isRoot, trail)
      }
    }
    return try newContainer(value, trail)
  }

  /// A container that the archive did not have; the same value is one object wherever it is.
  mutating func newContainer(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    if isInlineList(value, trail) { return inline(value, isRoot: false, trail) }
    if let known = made[value.node] { return .object(known) }
    let object = add(.waiting)
    made[value.node] = object
    queue(object, value, trail)
    return .object(object)
  }

  /// Whether a new list is stored inline in its object.
  private func isInlineList(_ value: Value, _ trail: Int) -> Bool {
    guard value.holder == .field, case .array = graph.value(of: value.node) else { return false }
    return (value.storage ?? rule(value, trail)?.storage) == .inline
  }

  /// Replaces an object by its new form; if an operation has changed it before, both results must be equal.
  private mutating func change(
    _ object: Int, _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> Part {
    if changed[object] != nil {
      if madeOf[object] != value.node {
        // Both results must be equal, which is known when everything is written.
        let again = add(.waiting)
        repeats.append((object, again, trail))
        queue(again, value, trail)
      }
      return .object(object)
    }
    changed[object] = trail
    madeOf[object] = value.node
    queue(object, value, trail)
    return .object(object)
  }

  private mutating func queue(_ object: Int, _ value: Value, _ trail: Int) {
    work.append(
      Work(
        number: object, object: object, node: value.node, schemaIndex: value.schemaIndex,
        isRoot: value.isRoot || value.holder == .top, isKey: value.isKey,
        sourceSchemaIndex: value.sourceSchemaIndex, trail: trail))
  }

  /// A container that the object whose parts are being made stores.
  private mutating func inline(_ value: Value, isRoot: Bool, _ trail: Int) -> Part {
    let number = add(.waiting)
    work.append(
      Work(
        number: number, object: current, node: value.node, schemaIndex: value.schemaIndex,
        isRoot: isRoot,
        isKey: value.isKey, sourceSchemaIndex: value.sourceSchemaIndex, trail: trail))
    return .inline(number)
  }

  /// Makes a container's parts.
  mutating func fill(_ item: Work) throws(ArchiveError) {
    current = item.object
    contents[item.number] = try parts(item)
  }
}

extension GraphBuilder {
  /// Adds a scalar of another table as it is encoded there.
  package mutating func add(copying index: UInt32, of table: ValueTable) -> UInt32 {
    // UTF-8 is not an encoding of the format.
    if let text = table.text(at: index), text.form == .utf8 { return add(text) }
    // References of a container are to another table.
    guard table.marker(of: index) >> 4 < Marker.array else { return addNull() }
    return add(encoded: table.bytes(of: index))
  }
}
