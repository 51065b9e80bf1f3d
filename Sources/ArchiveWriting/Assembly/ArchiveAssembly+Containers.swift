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

    /// A class with the superclasses that are known of it.
    static func foundation(_ name: String) -> ClassPart {
      .named(name, FoundationClass.chain(of: name))
    }

    var isKept: Bool { if case .kept = self { true } else { false } }
  }

  /// A container as parts.
  mutating func parts(_ item: Work) throws(ArchiveError) -> Content {
    let origin = graph.origin(of: item.value.node)
    let source = origin == nil ? item.value.node : origin?.node
    let old = source.flatMap { isStored($0) ? $0 : nil }
    switch graph.value(of: item.value.node) {
    case .dictionary(let pairs), .object(_, let pairs):
      switch try memberForm(item, old, origin) {
      case .fields(let name):
        if let made = try frameworkObject(item, name, old) { return made }
        return try fields(pairs, name, item, old, origin)
      case .dictionary(let name): return try dictionary(pairs, name, item, old, origin)
      }
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
    guard case .members(let pairs)? = GraphContainer(graph.value(of: item.value.node)) else {
      throw unknown("only an object can have its members as top-level keys", item.trail)
    }
    return try fields(pairs, .kept(nil), item, nil, graph.origin(of: item.value.node))
  }

  // MARK: Classes

  /// What becomes of a value with members.
  private mutating func memberForm(
    _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Form {
    let rule = rule(item.value, item.trail)
    let oldClass = old.flatMap { graph.classIndex(of: $0) }.map { graph.classes[$0] }
    let wasObject = old.map { isObject($0) } ?? false
    if let name = origin?.newClass { return form(name, rule, oldClass, old) }
    if item.value.isRoot, let name = request.rootClass { return form(name, rule, oldClass, old) }
    if request.keepsStructure, let old {
      if let name = rule?.className, oldClass == nil { return form(name, rule, nil, nil) }
      let kept = ClassPart.kept(classPart(of: old))
      return wasObject ? .fields(kept) : .dictionary(kept)
    }
    if let name = rule?.className { return form(name, rule, oldClass, old) }
    // Keys that are not names do not belong to an object's fields.
    if !wasObject, let old, request.envelope == .dictionariable || !hasNames(item.value.node) {
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
    if request.envelope == .nscoding, rule?.keyClass == nil, hasNames(item.value.node),
      item.value.isRoot || !request.allowsPlainContainers
    {
      try leaveOpen(
        .class, name, item.trail,
        item.value.isRoot
          ? "the class of the root object is unknown: name it with --class, or as the first of the schema's classes"
          : "the class of the object is not known: name it in the schema by x-class (NSDictionary for a dictionary), or with --class-of, or have a dictionary for each such object with --plain-containers"
      )
    }
    return .dictionary(.foundation(name))
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
    let rule = rule(item.value, item.trail)
    let oldClass = old.flatMap { graph.classIndex(of: $0) }.map { graph.classes[$0].name }
    if let old, request.keepsStructure || oldClass.map({ keeps($0, rule, item) }) == true {
      return .kept(classPart(of: old))
    }
    // A list that is stored inline has no class.
    if item.isInline { return .kept(nil) }
    var name = rule?.className ?? plainClass(of: item.value.node)
    // A root list is the application's list of objects: the class is that of its elements.
    if item.value.isRoot || !Self.collections.contains(FoundationClass.immutable(name)) {
      name = "NSArray"
    }
    if rule?.isMutable == true { name = FoundationClass.mutable(name) }
    return .foundation(name)
  }

  /// Whether a collection has the class that it should have.
  private func keeps(_ oldClass: String, _ rule: StructureRule?, _ item: Work) -> Bool {
    let plain = FoundationClass.immutable(oldClass)
    // The rule of a root list is that of its elements.
    if item.value.isRoot { return Self.collections.contains(plain) }
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
    if case .object = graph.value(of: node) { true } else { false }
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
      let length = table.counted(list).count
      guard length < 64 else { continue }
      let chain = table.children(of: list).compactMap { table.text(at: $0)?.string }
      let names = ([name] + chain).map { CodePointString($0) }
      guard chain.count == length, records[names] == nil else { continue }
      records[names] = object(0, UInt32(truncatingIfNeeded: number))
    }
  }

  // MARK: Members

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
    var names = SourceNames(item.value.sourceSchemaIndex, origin, request.sourceShape, graph)
    for position in 0..<pairs.count {
      guard let text = graph.memberName(pairs, position) else {
        throw unknown("a field's key must be a string", item.trail)
      }
      let held = held(pairs.values, pairs.position(position), origin)
      let trail = step(.key(text.string), after: item.trail)
      let value = Value(
        node: graph.value(pairs, position), slot: held.slot,
        schemaIndex: request.shape.member(item.value.schemaIndex, text) ?? 0, holder: .field,
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
    return .built(builder.add(storedKey(name.string)))
  }

  /// A dictionary object, or one that its holder stores.
  private mutating func dictionary(
    _ pairs: Pairs, _ name: ClassPart, _ item: Work, _ old: Node?, _ origin: Origin?
  ) throws(ArchiveError) -> Content {
    let record = record(name)
    // Without a class the keys and values are those of a stored dictionary.
    let isPlain = record == nil
    let rule = request.shape.structure(item.value.schemaIndex)
    var keys: [Part] = []
    var values: [Part] = []
    var names = SourceNames(item.value.sourceSchemaIndex, origin, request.sourceShape, graph)
    for position in 0..<pairs.count {
      let text = graph.memberName(pairs, position)
      let held = held(pairs.values, pairs.position(position), origin)
      let trail = step(.key(text?.string ?? "?"), after: item.trail)
      keys.append(
        try dictionaryKey(
          pairs, position, held, isPlain: isPlain, isPlain ? nil : rule?.keyClass, trail))
      let schemaIndex = text.flatMap { request.shape.member(item.value.schemaIndex, $0) } ?? 0
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
    let schemaIndex = request.shape.element(item.value.schemaIndex)
    var parts: [Part] = []
    for position in 0..<elements.count {
      let held = held(elements, position, origin)
      let trail = step(.index(position), after: item.trail)
      let value = Value(
        node: graph.node(elements, position), slot: held.slot, schemaIndex: schemaIndex,
        holder: .collection,
        isRoot: item.value.isRoot,
        sourceSchemaIndex: item.value.sourceSchemaIndex.flatMap { request.sourceShape?.element($0) }
      )
      parts.append(try part(value, trail: trail))
    }
    guard let record else { return .list(parts) }
    return .pairs(
      collectionFields(
        keys: nil, values: parts, record, isIndexed: isIndexed(name, old), kept(name, old)))
  }

  /// The collection whose further fields stay: one that keeps its class.
  private func kept(_ name: ClassPart, _ old: Node?) -> Node? {
    if case .kept = name { old } else { nil }
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
    guard shape != nil, schemaIndex != nil, let node = origin?.node,
      case .members(let found)? = GraphContainer(graph.value(of: node))
    else {
      pairs = nil
      return
    }
    pairs = found
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

// MARK: - Objects of frameworks, made from the values that are shown of them or from Codable's forms

extension ArchiveAssembly {
  /// An object of a framework's class that is new; nil if its members are its fields.
  ///
  /// - Throws: `ArchiveError` with the path, if there is no way from the value to the class.
  mutating func frameworkObject(
    _ node: Node, _ name: String, _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> Int? {
    guard !isStored(node) || isText(node),
      let fields = try frameworkFields(node, name, [], isKept: false, value.schemaIndex, trail)
    else { return nil }
    return add(try parts(fields, .foundation(name), value.schemaIndex, trail))
  }

  private func isText(_ node: Node) -> Bool {
    if case .string = graph.value(of: node) { true } else { false }
  }

  /// The parts of an object of a framework's class; nil if its members are its fields.
  mutating func frameworkObject(
    _ item: Work, _ name: ClassPart, _ old: Node?
  ) throws(ArchiveError) -> Content? {
    guard let (className, chain) = self.name(of: name, old),
      let fields = try frameworkFields(
        item.value.node, className, chain, isKept: name.isKept, item.value.schemaIndex, item.trail)
    else { return nil }
    return try parts(fields, name, item.value.schemaIndex, item.trail)
  }

  /// The name of a class and its chain; nil for a dictionary without a class.
  private func name(of part: ClassPart, _ old: Node?) -> (String, [String])? {
    if case .named(let name, let chain) = part { return (name, chain) }
    return old.flatMap { graph.classIndex(of: $0) }.map {
      (graph.classes[$0].name, graph.classes[$0].chain)
    }
  }

  /// The stored fields of an object that is shown in another form than its fields; nil if it is not.
  ///
  /// - Parameter isKept: whether the object has its class already, and so fields that only its class knows.
  private func frameworkFields(
    _ node: Node, _ name: String, _ chain: [String], isKept: Bool, _ schemaIndex: Int, _ trail: Int
  ) throws(ArchiveError) -> [StoredField]? {
    guard let form = ClassRegistry.storedForm(of: name, chain) else { return nil }
    let names = memberNames(of: node)
    let isOfFields =
      names.map { names in
        ClassRegistry.objection(toFields: names, of: name, chain) == nil
          && (isKept || names.allSatisfy(Framework.isKey))
      } ?? false
    switch form {
    case .fields: return nil
    case .value:
      if isOfFields || names == nil { return nil }
      throw unknown(ClassRegistry.noForm(to: name, nil), trail)
    case .never(_, let reason):
      if isOfFields { return nil }
      throw unknown(ClassRegistry.noForm(to: name, reason), trail)
    case .made(let maker):
      if isOfFields, names?.isEmpty == false { return nil }
      let shape = request.shape
      let value = FormValue(node, of: graph, for: shape.foundation) {
        shape.names($0, in: schemaIndex)
      }
      do throws(FormRefusal) {
        return try maker.fields(value)
      } catch {
        throw unknown(
          ClassRegistry.noForm(to: name, error.reason), trail,
          about: error.reason == nil ? nil : .refusedContent)
      }
    }
  }

  /// The names of a value's members; nil for a value without members.
  private func memberNames(of node: Node) -> [String]? {
    guard case .members(let pairs)? = GraphContainer(graph.value(of: node)) else { return nil }
    return (0..<pairs.count).map { graph.memberName(pairs, $0)?.string ?? "" }
  }

  // MARK: Parts

  /// The parts of an object with fields, its class last.
  private mutating func parts(
    _ fields: [StoredField], _ name: ClassPart, _ schemaIndex: Int, _ trail: Int
  ) throws(ArchiveError) -> Content {
    var parts: [Field] = []
    for field in fields {
      let value = try part(field.value, schemaIndex, step(.key(field.key), after: trail))
      parts.append(Field(key: .built(builder.add(field.key)), value: value))
    }
    if let record = record(name) {
      parts.append(Field(key: .built(builder.add("$class")), value: record))
    }
    return .pairs(parts)
  }

  /// The part of a field; makers bound the depth of objects within objects.
  private mutating func part(
    _ value: StoredValue, _ schemaIndex: Int, _ trail: Int
  ) throws(ArchiveError) -> Part {
    switch value {
    case .null: return .object(0)
    case .integer(let number): return .built(builder.add(number))
    case .real(let number): return .built(builder.add(number))
    case .single(let number): return .built(builder.add(number))
    case .boolean(let flag): return .built(builder.add(flag))
    case .bytes(let bytes): return .built(add(bytes))
    case .boxed(let number): return .object(object(ofScalar: builder.add(number)))
    case .text(let text): return .object(string(builder.add(text), isNull: text.equals("$null")))
    case .string(let text): return .object(string(builder.add(text), isNull: text == "$null"))
    case .data(let bytes, let isMutable):
      let index = add(bytes)
      return .object(
        isMutable ? object("NSMutableData", [("NS.data", index)]) : object(ofScalar: index))
    case .date(let seconds): return .object(object("NSDate", [("NS.time", builder.add(seconds))]))
    case .emptyDictionary:
      let record = record(.foundation("NSDictionary")) ?? .object(0)
      return .object(
        add(.pairs(collectionFields(keys: [], values: [], record, isIndexed: false, nil))))
    case .object(let name, let fields):
      return .object(add(try parts(fields, .foundation(name), 0, trail)))
    case .member(let node, let name):
      let schemaIndex = request.shape.schemaIndex(of: name, in: schemaIndex)
      // A number within an object of a framework is stored in it.
      let storage = isStored(node) ? nil : request.shape.structure(schemaIndex)?.storage ?? .inline
      return try part(
        Value(node: node, slot: nil, schemaIndex: schemaIndex, holder: .field, storage: storage),
        trail: trail)
    }
  }

  private mutating func add(_ bytes: [UInt8]) -> UInt32 {
    bytes.withByteView { builder.add(data: $0) }
  }

  /// The object of a string; a bare "$null" is nil to every decoder.
  private mutating func string(_ index: UInt32, isNull: Bool) -> Int {
    isNull ? stringObject(index, "NSString") : object(ofScalar: index)
  }

  // MARK: Codable's lists, and the keys of dictionaries

  /// An object from a list, if the schema asks for it: Codable's keys and values in turn, a point; nil for other lists.
  mutating func listedObject(
    _ item: Work, _ elements: Elements
  ) throws(ArchiveError) -> Content? {
    // A root list may be one of objects of the class.
    let isRootList =
      item.value.isRoot && request.shape.element(item.value.schemaIndex) == item.value.schemaIndex
    guard !isStored(item.value.node), !isRootList, let rule = rule(item.value, item.trail),
      let name = rule.className ?? rule.keyClass.map({ _ in "NSDictionary" })
    else { return nil }
    guard FoundationClass.immutable(name) == "NSDictionary" else {
      guard case .made? = ClassRegistry.storedForm(of: name) else { return nil }
      return try frameworkObject(item, .foundation(name), nil)
    }
    guard elements.count % 2 == 0 else {
      throw unknown(
        "the list does not alternate keys and values, which its class requires", item.trail)
    }
    let className = rule.isMutable == true ? FoundationClass.mutable(name) : name
    guard let record = record(.foundation(className)) else { return nil }
    let schemaIndex = request.shape.schemaIndex(of: "", in: item.value.schemaIndex)
    var keys: [Part] = []
    var values: [Part] = []
    for position in 0..<elements.count {
      let trail = step(.index(position), after: item.trail)
      let node = graph.node(elements, position)
      if position % 2 == 0 {
        keys.append(try newKey(node, rule.keyClass, trail))
      } else {
        values.append(
          try part(
            Value(node: node, slot: nil, schemaIndex: schemaIndex, holder: .collection),
            trail: trail))
      }
    }
    return .pairs(
      collectionFields(keys: keys, values: values, record, isIndexed: false, nil))
  }

  /// A new key of a dictionary, as an object of the class that the schema names.
  mutating func newKey(
    _ node: Node, _ keyClass: KeyClass?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let value = Value(node: node, slot: nil, schemaIndex: 0, holder: .collection, isKey: true)
    guard let keyClass = keyClass ?? impliedKeyClass(node) else {
      if case .string = graph.value(of: node) {
        throw unknown(
          "the class of the key is not known: name it in the schema by x-key-class", trail)
      }
      return try part(value, trail: trail)
    }
    switch (keyClass, graph.value(of: node)) {
    case (.string, .string), (.number, .integer), (.number, .unsigned), (.number, .wide),
      (.number, .real), (.number, .single), (.number, .boolean), (.date, .date), (.data, .data):
      return try part(value, trail: trail)
    case (.uuid, _), (.url, _), (.decimal, _):
      if let object = try frameworkObject(node, keyClass.rawValue, value, trail) {
        return .object(object)
      }
    case (_, .string(let text)):
      if let index = keyClass.scalar(of: text.string, in: &builder) {
        return .object(
          keyClass == .date ? object("NSDate", [("NS.time", index)]) : object(ofScalar: index))
      }
    default: break
    }
    throw unknown(
      "the key is not of the class \(keyClass.rawValue), which 'x-key-class' requires", trail)
  }

  /// The class of a key in Codable's list that its form tells: among strings only UUIDs are such keys.
  private func impliedKeyClass(_ node: Node) -> KeyClass? {
    switch graph.value(of: node) {
    case .string(let text): return NSUUIDClass.bytes(of: text.string) == nil ? nil : .uuid
    case .dictionary(let pairs): return pairs.count == 5 ? .decimal : .url
    default: return nil
    }
  }

  // MARK: Values without a stored form: those that a lens adds, and those of a property list

  /// A new value, with the class and the storage of its schema.
  mutating func newPart(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    let rule = rule(value, trail)
    switch graph.value(of: value.node) {
    case .null: return value.holder == .field ? .object(0) : .object(nullObject())
    case .boolean, .integer, .unsigned, .wide, .real, .single:
      return try number(value, rule, trail)
    case .data:
      let index = scalar(of: value.node)
      if value.holder == .field, (value.storage ?? heldStorage(value) ?? rule?.storage) == .inline {
        return .built(index)
      }
      let name = className(rule, "NSData")
      guard FoundationClass.isMutable(name) else { return .object(replacement(value, "", index)) }
      return .object(replacement(value, name, index) { $0.object(name, [("NS.data", index)]) })
    case .string(let text): return try string(text, value, rule, trail)
    case .date(let seconds):
      let index = builder.add(seconds)
      return .object(
        replacement(value, "NSDate", index) { $0.object("NSDate", [("NS.time", index)]) })
    case .uid:
      throw unknown("a UID from outside a keyed archive cannot be stored in one", trail)
    case .array, .set, .orderedSet, .dictionary, .object:
      return try newContainer(value, trail)
    }
  }

  /// The class of a new value: the schema's, or a plain one in the schema's form.
  private func className(_ rule: StructureRule?, _ plain: String) -> String {
    let name = rule?.className ?? plain
    return rule?.isMutable == true ? FoundationClass.mutable(name) : name
  }

  // MARK: Numbers

  private mutating func number(
    _ value: Value, _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    if let name = rule?.className, let made = try frameworkObject(value.node, name, value, trail) {
      return .object(made)
    }
    let index = shaped(value.node, request.shape.number(value.schemaIndex))
    guard value.holder == .field else { return .object(replacement(value, "", index)) }
    var storage = value.storage ?? heldStorage(value)
    if storage == nil { storage = try self.storage(rule, trail) }
    return storage == .inline ? .built(index) : .object(replacement(value, "", index))
  }

  /// The storage of the value that this one replaces.
  private func heldStorage(_ value: Value) -> FieldStorage? {
    guard let slot = value.slot, isStored(graph.node(in: slot)) else { return nil }
    switch graph.value(of: graph.node(in: slot)) {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data:
      return graph.objectNumber(in: slot) == nil ? .inline : .boxed
    default: return nil
    }
  }

  /// A number in the type that the schema gives it, as a coder would write it.
  private mutating func shaped(_ node: Node, _ shape: NumberShape) -> UInt32 {
    switch (graph.value(of: node), shape) {
    case (.integer(let number), .boolean) where number == 0 || number == 1:
      return builder.add(number == 1)
    case (.integer(let number), .real) where Int64(exactly: Double(number)) == number:
      return builder.add(Double(number))
    case (.real(let number), .integer):
      guard let whole = Int64(exactly: number) else { return scalar(of: node) }
      return builder.add(whole)
    default: return scalar(of: node)
    }
  }

  // MARK: Strings

  mutating func string(
    _ text: Text, _ value: Value, _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let name = className(rule, "NSString")
    if FoundationClass.immutable(name) == "NSString" {
      let index = builder.add(text)
      // A bare "$null" is nil to every decoder.
      guard name == "NSMutableString" || text.equals("$null") else {
        return .object(replacement(value, "", index))
      }
      return .object(replacement(value, name, index) { $0.stringObject(index, name) })
    }
    guard name != "NSURL" || URLReference.isWellFormed(text.string) else {
      throw unknown(
        "the string is not a URL, which its class requires", trail, about: .refusedContent)
    }
    guard let made = try frameworkObject(value.node, name, value, trail) else {
      throw unknown("a string cannot become an object of the class \(name)", trail)
    }
    return .object(made)
  }

  /// A string that is an object with a class.
  mutating func stringObject(_ index: UInt32, _ name: String) -> Int {
    object(name, [("NS.string", index)])
  }

  // MARK: Objects of Foundation

  /// An object of a Foundation class whose fields are stored in it.
  mutating func object(_ name: String, _ values: [(String, UInt32)]) -> Int {
    var fields = values.map { Field(key: .built(builder.add($0.0)), value: .built($0.1)) }
    if let record = record(.foundation(name)) {
      fields.append(Field(key: .built(builder.add("$class")), value: record))
    }
    return add(.pairs(fields))
  }

  mutating func nullObject() -> Int {
    if let known = nullObjectNumber { return known }
    let object = object("NSNull", [])
    nullObjectNumber = object
    return object
  }

  // MARK: Answers of the request

  /// What is known about the class and the storage of a value.
  func rule(_ value: Value, _ trail: Int) -> StructureRule? {
    rule(value.schemaIndex, value.isKey ? nil : trail)
  }

  /// The schema's rule, with the class that the request has for the path if the schema names none.
  private func rule(_ schemaIndex: Int, _ trail: Int?) -> StructureRule? {
    let rule = request.shape.structure(schemaIndex)
    guard !request.classes.isEmpty, rule?.className == nil, let trail,
      let answer = request.classes.last(where: { isAt($0.path, trail) })
    else { return rule }
    var answered = rule ?? StructureRule()
    answered.classes.insert(answer.name, at: 0)
    return answered
  }

  /// Whether a path, in which `anyElement` is any element or member, leads to a value.
  private func isAt(_ path: GraphPath, _ trail: Int) -> Bool {
    var current = trail
    for step in path.steps.reversed() {
      guard current >= 0 else { return false }
      switch (step, unknowns.trails[current].step) {
      case (.anyElement, .index), (.anyElement, .key): break
      case (.key(let name), .key(let other)):
        guard name.hasSameScalars(as: other) else { return false }
      case (let step, let other): guard step == other else { return false }
      }
      current = unknowns.trails[current].parent
    }
    return current < 0
  }

  /// The storage of a number in a field.
  mutating func storage(
    _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> FieldStorage {
    if let storage = rule?.storage ?? request.openStorage { return storage }
    try leaveOpen(
      .storage, FieldStorage.boxed.rawValue, trail,
      "whether the number is stored inline or boxed is not known: name it in the schema by x-storage, in the lens by store, or for all such numbers with --storage"
    )
    return .boxed
  }

  // MARK: Values that nothing answers

  /// Remembers what is written for lack of a name, or refuses to write it.
  mutating func leaveOpen(
    _ kind: StoredDifference.Kind, _ text: String, _ trail: Int,
    _ message: @autoclosure () -> String
  ) throws(ArchiveError) {
    guard isLenient else { throw unknown(message(), trail) }
    unknowns.add(kind, text, trail)
  }

  /// A value whose class or storage is unknown or impossible.
  func unknown(
    _ message: String, _ trail: Int, about subject: ArchiveError.Subject? = nil
  ) -> ArchiveError {
    ArchiveError(.unrepresentable, message, path: path(trail), about: subject)
  }
}
