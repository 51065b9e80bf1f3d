// Containers made into parts: the fields of objects, the elements of collections.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

extension ArchiveAssembly {
  /// The new form of a container.
  private enum Form {
    /// An object with a key for each member, of a class that is stored or new.
    case fields(ClassPart)
    /// A dictionary object.
    case dictionary(ClassPart)
  }

  /// The class of an object.
  enum ClassPart {
    /// Its previous class, as it is stored; nil for a dictionary without a class.
    case kept(Part?)
    /// A class by its name and its chain.
    case named(String, [String])

    var isKept: Bool { if case .kept = self { true } else { false } }
  }

  /// A container as parts.
  mutating func parts(_ item: Work) throws(ArchiveError) -> Content {
    let origin = graph.origin(of: item.node)
    let source = origin == nil ? item.node : origin?.node
    let old = source.flatMap { isStored($0) ? $0 : nil }
    switch graph.value(of: item.node) {
    case .dictionary(let pairs), .object(_, let pairs):
      let form = try memberForm(item, old, origin)
      if case .fields(let name) = form, let made = try frameworkObject(item, name, old) {
        return made
      }
      return try members(pairs, form, item, old, origin)
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      if let made = try listedObject(item, elements) { return made }
      let form = try collectionForm(item, old)
      return try list(elements, form, item, old, origin)
    default:
      throw unknown("the value cannot be an object of an archive", item.trail)
    }
  }

  /// A model whose members are the top-level keys of the archive.
  mutating func topFields(_ item: Work) throws(ArchiveError) -> Content {
    let pairs: Pairs
    switch graph.value(of: item.node) {
    case .dictionary(let found), .object(_, let found): pairs = found
    default: throw unknown("only an object can have its members as top-level keys", item.trail)
    }
    return try fields(pairs, .kept(nil), item, nil, graph.origin(of: item.node))
  }

  // MARK: Classes

  /// What becomes of a value with members.
  private mutating func memberForm(
    _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Form {
    let rule = rule(item)
    let oldClass = old.flatMap { graph.classIndex(of: $0) }.map { graph.classes[$0] }
    let wasObject = old.map { isObject($0) } ?? false
    if let name = origin?.newClass { return form(name, rule, oldClass, old) }
    if item.isRoot, let name = request.rootClass { return form(name, rule, oldClass, old) }
    if request.keepsStructure, let old {
      if let name = rule?.className, oldClass == nil { return form(name, rule, nil, nil) }
      let kept = ClassPart.kept(classPart(of: old))
      return wasObject ? .fields(kept) : .dictionary(kept)
    }
    if let name = rule?.className { return form(name, rule, oldClass, old) }
    // Keys that are not names do not belong to an object's fields.
    if !wasObject, let old, request.envelope == .dictionariable || !hasNames(item.node) {
      return .dictionary(.kept(classPart(of: old)))
    }
    return try newForm(item, rule)
  }

  /// Whether all the keys of a value with members are strings.
  private func hasNames(_ node: Node) -> Bool {
    guard case .dictionary(let pairs) = graph.value(of: node) else { return true }
    return (0..<pairs.count).allSatisfy { position in
      let key = graph.key(pairs, position)
      if graph.text(of: key) != nil { return true }
      guard case .string = graph.value(of: key), let index = graph.classIndex(of: key) else {
        return false
      }
      return FoundationClass.immutable(graph.classes[index].name) == "NSString"
    }
  }

  /// The form of a value with members whose class is unknown.
  private mutating func newForm(
    _ item: Work, _ rule: StructureRule?
  ) throws(ArchiveError) -> Form {
    let name = rule?.isMutable == true ? "NSMutableDictionary" : "NSDictionary"
    if request.envelope == .nscoding, rule?.keyClass == nil, hasNames(item.node),
      item.isRoot || !request.allowsPlainContainers
    {
      try leaveOpen(
        .class, name, item.trail,
        item.isRoot
          ? "the class of the root object is unknown: name it with --class, or as the first of the schema's classes"
          : "the class of the object is not known: name it in the schema by x-class (NSDictionary for a dictionary), or with --class-of, or have a dictionary for each such object with --plain-containers"
      )
    }
    return .dictionary(.named(name, FoundationClass.chain(of: name)))
  }

  /// The form of a class that is named.
  private mutating func form(
    _ name: String, _ rule: StructureRule?, _ oldClass: ClassDescription?, _ old: Node?
  ) -> Form {
    // That a dictionary is mutable is nothing that its class in a schema denies.
    if let old, let oldClass,
      oldClass.name.hasSameScalars(as: name)
        || FoundationClass.immutable(name) == "NSDictionary"
          && FoundationClass.immutable(oldClass.name) == "NSDictionary"
    {
      let kept = ClassPart.kept(classPart(of: old))
      return isObject(old) ? .fields(kept) : .dictionary(kept)
    }
    let name = rule?.isMutable == true ? FoundationClass.mutable(name) : name
    let named = ClassPart.named(
      name, FoundationClass.chain(of: name, declared: rule?.chain ?? [], replacing: oldClass))
    return FoundationClass.immutable(name) == "NSDictionary" ? .dictionary(named) : .fields(named)
  }

  /// What becomes of a list or a set.
  private mutating func collectionForm(
    _ item: Work, _ old: Node?
  ) throws(ArchiveError) -> ClassPart {
    let rule = rule(item)
    let oldClass = old.flatMap { graph.classIndex(of: $0) }.map { graph.classes[$0].name }
    if let old, request.keepsStructure || oldClass.map({ keeps($0, rule, item) }) == true {
      return .kept(classPart(of: old))
    }
    // A list that is stored inline has no class.
    if item.isInline { return .kept(nil) }
    var name = rule?.className ?? plainClass(of: item.node)
    // A root list is the application's list of objects: the class is that of its elements.
    if item.isRoot || !Self.collections.contains(FoundationClass.immutable(name)) {
      name = "NSArray"
    }
    if rule?.isMutable == true { name = FoundationClass.mutable(name) }
    return .named(name, FoundationClass.chain(of: name))
  }

  /// Whether a collection has the class that it should have.
  private func keeps(_ oldClass: String, _ rule: StructureRule?, _ item: Work) -> Bool {
    let plain = FoundationClass.immutable(oldClass)
    // The rule of a root list is that of its elements.
    if item.isRoot { return Self.collections.contains(plain) }
    guard let name = rule?.className else { return true }
    // That a list is mutable is nothing that its class in a schema denies.
    return name == oldClass
      || name == plain && rule?.isMutable != !FoundationClass.isMutable(oldClass)
  }

  /// The class of a new collection that no schema names.
  private func plainClass(of node: Node) -> String {
    switch graph.value(of: node) {
    case .set: "NSSet"
    case .orderedSet: "NSOrderedSet"
    default: "NSArray"
    }
  }

  private static let collections: Set<String> = ["NSArray", "NSSet", "NSOrderedSet"]

  /// Whether a stored value is an object of fields, not a dictionary.
  private func isObject(_ node: Node) -> Bool {
    if case .object = graph.value(of: node) { return true }
    return false
  }

  /// The stored class of a stored object, or nil.
  private mutating func classPart(of node: Node) -> Part? {
    stored("$class", of: node).map { reference($0) }
  }

  /// Where a key's value is stored in an object.
  func stored(_ name: StaticString, of node: Node) -> Slot? {
    let table = graph.documents[Int(node.document)].table
    guard table.marker(of: node.index) >> 4 == Marker.dictionary else { return nil }
    return table.value(name, of: node.index).map { Slot(document: node.document, reference: $0) }
  }

  /// The class record of an object.
  mutating func record(_ part: ClassPart) -> Part? {
    switch part {
    case .kept(let part): return part
    case .named(let name, let chain):
      collectRecords()
      let names = ([name] + chain).map { CodePointString($0) }
      if let known = records[names] { return .object(known) }
      let index = builder.classRecord(name, chain: chain)
      let object = add(.built(index))
      records[names] = object
      return .object(object)
    }
  }

  /// The class records of the archive, so that none is written twice.
  private mutating func collectRecords() {
    guard !hasRecords else { return }
    hasRecords = true
    guard isWholeArchive else { return }
    let (start, count) = graph.objectTable(of: 0)
    let table = graph.documents[0].table
    guard let start else { return }
    for number in 1..<max(count, 1) {
      let index = table.reference(start, number)
      guard table.marker(of: index) >> 4 == Marker.dictionary,
        let name = table.value("$classname", of: index).flatMap({ table.text(at: $0) })?.string,
        let list = table.value("$classes", of: index), table.marker(of: list) >> 4 == Marker.array,
        table.value("$classhints", of: index) == nil
      else { continue }
      let (first, length) = table.counted(list)
      guard length < 64 else { continue }
      let chain = (0..<length).compactMap { table.text(at: table.reference(first, $0))?.string }
      let names = ([name] + chain).map { CodePointString($0) }
      guard chain.count == length, records[names] == nil else { continue }
      records[names] = object(0, UInt32(truncatingIfNeeded: number))
    }
  }

  // MARK: Members

  private mutating func members(
    _ pairs: Pairs, _ form: Form, _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Content {
    switch form {
    case .fields(let name): return try fields(pairs, name, item, old, origin)
    case .dictionary(let name):
      return try dictionary(pairs, name, item, old, origin)
    }
  }

  /// How a member or an element was held.
  private func held(_ elements: Elements, _ position: Int, _ origin: Origin?) -> Origin.Part {
    if let origin {
      return position < origin.parts.count ? origin.parts[position] : Origin.Part(slot: nil)
    }
    return Origin.Part(slot: graph.slot(elements, position))
  }

  /// The fields of an object, its class where it was.
  private mutating func fields(
    _ pairs: Pairs, _ name: ClassPart, _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Content {
    var fields: [Field] = []
    var names = SourceNames(item.sourceSchemaIndex, origin, request.sourceShape, graph)
    for position in 0..<pairs.count {
      guard let text = graph.memberName(pairs, position) else {
        throw unknown("a field's key must be a string", item.trail)
      }
      let held = held(pairs.values, pairs.position(position), origin)
      let trail = step(.key(text.string), after: item.trail)
      let value = Value(
        node: graph.value(pairs, position), slot: held.slot,
        schemaIndex: request.shape.member(item.schemaIndex, text) ?? 0, holder: .field,
        storage: held.storage,
        isCollected: old.map { !isObject($0) } ?? false,
        sourceSchemaIndex: names.schemaIndex(of: held))
      fields.append(
        Field(key: fieldKey(pairs, position, held, text), value: try part(value, trail: trail)))
    }
    guard let record = record(name) else { return .pairs(fields) }
    let field = Field(key: .built(builder.add("$class")), value: record)
    fields.insert(field, at: min(pairs.classPosition ?? .max, fields.count))
    return .pairs(fields)
  }

  /// The key of a field as it is stored: an archiver puts a `$` before one that begins with it.
  private mutating func fieldKey(
    _ pairs: Pairs, _ position: Int, _ held: Origin.Part, _ name: Text
  ) -> Part {
    if pairs.isFields, let slot = graph.slot(pairs.keys, pairs.position(position)) {
      return .stored(document: slot.document, index: slot.reference)
    }
    // The key of a dictionary's member is an object, not a string that its holder stores.
    if let key = held.key, graph.objectNumber(in: key) == nil, isStored(graph.node(in: key)) {
      return .stored(document: key.document, index: key.reference)
    }
    let text = name.string
    return .built(builder.add(text.hasPrefix("$") ? "$" + text : text))
  }

  /// A dictionary object, or one that its holder stores.
  private mutating func dictionary(
    _ pairs: Pairs, _ name: ClassPart, _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Content {
    let record = record(name)
    // Without a class the keys and values are those of a stored dictionary.
    let isPlain = record == nil
    let rule = request.shape.structure(item.schemaIndex)
    var keys: [Part] = []
    var values: [Part] = []
    var names = SourceNames(item.sourceSchemaIndex, origin, request.sourceShape, graph)
    for position in 0..<pairs.count {
      let text = graph.memberName(pairs, position)
      let held = held(pairs.values, pairs.position(position), origin)
      let trail = step(.key(text?.string ?? "?"), after: item.trail)
      keys.append(
        try dictionaryKey(
          pairs, position, held, isPlain: isPlain, isPlain ? nil : rule?.keyClass, trail))
      let schemaIndex = text.flatMap { request.shape.member(item.schemaIndex, $0) } ?? 0
      let value = Value(
        node: graph.value(pairs, position), slot: held.slot, schemaIndex: schemaIndex,
        holder: isPlain ? .field : .collection, storage: held.storage,
        sourceSchemaIndex: names.schemaIndex(of: held))
      values.append(try part(value, trail: trail))
    }
    guard let record else {
      return .pairs(zip(keys, values).map { Field(key: $0, value: $1) })
    }
    return .pairs(
      collectionFields(
        keys: keys, values: values, record, isIndexed: isIndexed(name, old), kept(name, old)))
  }

  private mutating func dictionaryKey(
    _ pairs: Pairs, _ position: Int, _ held: Origin.Part, isPlain: Bool, _ keyClass: KeyClass?,
    _ trail: Int
  ) throws(ArchiveError) -> Part {
    let node = graph.key(pairs, position)
    let slot = held.key ?? (pairs.isFields ? nil : graph.slot(pairs.keys, pairs.position(position)))
    if isPlain, let slot, isStored(graph.node(in: slot)) { return reference(slot) }
    if !pairs.isFields, isStored(node) || graph.text(of: node) == nil {
      return try part(
        Value(node: node, slot: slot, schemaIndex: 0, holder: .collection, isKey: true),
        trail: trail)
    }
    if let key = held.key, graph.objectNumber(in: key) != nil { return reference(key) }
    if let keyClass, keyClass != .string, !pairs.isFields, held.key == nil {
      return try newKey(node, keyClass, trail)
    }
    let name = graph.memberName(pairs, position)?.string ?? ""
    let index = builder.add(name)
    if isPlain { return .built(index) }
    return .object(name == "$null" ? stringObject(index, "NSString") : object(ofScalar: index))
  }

  // MARK: Lists

  private mutating func list(
    _ elements: Elements, _ name: ClassPart, _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Content {
    let record = record(name)
    let schemaIndex = request.shape.element(item.schemaIndex)
    var parts: [Part] = []
    for position in 0..<elements.count {
      let held = held(elements, position, origin)
      let trail = step(.index(position), after: item.trail)
      let value = Value(
        node: graph.node(elements, position), slot: held.slot, schemaIndex: schemaIndex,
        holder: .collection,
        isRoot: item.isRoot,
        sourceSchemaIndex: item.sourceSchemaIndex.flatMap { request.sourceShape?.element($0) })
      parts.append(try part(value, trail: trail))
    }
    guard let record else { return .list(parts) }
    return .pairs(
      collectionFields(
        keys: nil, values: parts, record, isIndexed: isIndexed(name, old), kept(name, old)))
  }

  /// The collection whose further fields stay: one that keeps its class.
  private func kept(_ name: ClassPart, _ old: Node?) -> Node? {
    if case .kept = name { return old }
    return nil
  }

  /// The fields of a collection's object, in the collection's previous form.
  mutating func collectionFields(
    keys: [Part]?, values: [Part], _ record: Part, isIndexed: Bool, _ old: Node?
  ) -> [Field] {
    var fields: [Field] = []
    if isIndexed {
      for (position, key) in (keys ?? []).enumerated() {
        fields.append(Field(key: .built(builder.add("NS.key.\(position)")), value: key))
      }
      for (position, value) in values.enumerated() {
        fields.append(Field(key: .built(builder.add("NS.object.\(position)")), value: value))
      }
    } else {
      if let keys {
        fields.append(Field(key: .built(builder.add("NS.keys")), value: .inline(add(.list(keys)))))
      }
      fields.append(
        Field(key: .built(builder.add("NS.objects")), value: .inline(add(.list(values)))))
    }
    if let old { fields += furtherFields(of: old) }
    fields.append(Field(key: .built(builder.add("$class")), value: record))
    return fields
  }

  /// Whether a collection was written with a key for each element, as older archivers do, and all of ordered sets.
  private func isIndexed(_ name: ClassPart, _ old: Node?) -> Bool {
    if let old, isStored(old) { return stored("NS.object.0", of: old) != nil }
    if case .named(let name, _) = name {
      return FoundationClass.immutable(name) == "NSOrderedSet"
    }
    return false
  }

  /// The fields of a collection's object besides its class and its elements.
  private mutating func furtherFields(of node: Node) -> [Field] {
    let pairs = graph.storedPairs(of: node)
    var fields: [Field] = []
    for position in 0..<pairs.count {
      guard let key = graph.slot(pairs.keys, position),
        let value = graph.slot(pairs.values, position),
        let name = graph.text(of: graph.key(pairs, position))?.string,
        name != "$class", name != "NS.keys", name != "NS.objects", !name.hasPrefix("NS.key."),
        !name.hasPrefix("NS.object.")
      else { continue }
      fields.append(
        Field(
          key: .stored(document: key.document, index: key.reference), value: reference(value)))
    }
    return fields
  }
}

// MARK: - Locations in the source's shape

/// The members of a container before any change, found again by where they were held.
private struct SourceNames {
  private let shape: (any TypeHints)?
  private let schemaIndex: Int
  private let pairs: Pairs?
  private let graph: ObjectGraph
  /// The position after the one that was found last: members are mostly in their previous order.
  private var next = 0

  init(_ schemaIndex: Int?, _ origin: Origin?, _ shape: (any TypeHints)?, _ graph: ObjectGraph) {
    (self.shape, self.schemaIndex, self.graph) = (shape, schemaIndex ?? 0, graph)
    guard shape != nil, schemaIndex != nil, let node = origin?.node else {
      pairs = nil
      return
    }
    switch graph.value(of: node) {
    case .dictionary(let found), .object(_, let found): pairs = found
    default: pairs = nil
    }
  }

  /// The location of a member that was held somewhere; nil for one that another container held.
  mutating func schemaIndex(of held: Origin.Part) -> Int? {
    guard let shape, let pairs, let slot = held.slot else { return nil }
    for step in 0..<pairs.count {
      let position = (next + step) % pairs.count
      guard graph.slot(pairs.values, pairs.position(position)) == slot else { continue }
      next = position + 1
      return graph.memberName(pairs, position).flatMap { shape.member(schemaIndex, $0) }
    }
    return nil
  }
}
