// Keyed archives assembled from others: unchanged objects are copied as they are stored, one by one.
//
// Objects are numbered in the order of their source archive, new ones after them. A changed object keeps
// its number, so that all references to it, including its own, refer to its new form.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// Assembles a keyed archive of stored objects, changed objects and new values.
package struct ArchiveAssembly: ~Copyable {
  /// The source of classes and storage.
  package struct Request {
    /// The model.
    package let root: Node
    /// The target's schema for it.
    package let shape: any TypeHints
    /// The class of the root object, or of the elements of a root list; nil to keep it, or for a dictionary.
    package var rootClass: String?
    /// The envelope: `nscoding` or `dictionariable`.
    package let envelope: Envelope
    /// Whether objects keep their classes and values their storage, because the envelope is the same.
    package let keepsStructure: Bool
    /// The classes of objects that the schema leaves open, by their paths; in these `anyElement` is any element or member.
    package var classes: [(path: GraphPath, name: String)] = []
    /// Whether values with members whose class is open are dictionaries; the root's must be known.
    package var allowsPlainContainers = false
    /// The source's schema for the model: an NSURL that it demands, and the target's does not, becomes an NSString.
    package var sourceShape: (any TypeHints)?
    /// The storage of numbers whose storage is open; nil to refuse them.
    package var openStorage: FieldStorage?
    /// The top-level key that the model has in the archive; nil where the keys are its members.
    package var topKey: String? = UnwrappedModel.rootKey
    /// The one that it is to have.
    package var newTopKey: String? = UnwrappedModel.rootKey

    /// Makes a request.
    package init(
      root: Node, shape: any TypeHints, envelope: Envelope, keepsStructure: Bool,
      rootClass: String? = nil
    ) {
      self.root = root
      self.shape = shape
      self.envelope = envelope
      self.keepsStructure = keepsStructure
      self.rootClass = rootClass
    }
  }

  private typealias Part = AssembledObjects.Part
  private typealias Content = AssembledObjects.Content
  private typealias ClassPart = AssembledObjects.ClassPart
  private typealias Holder = AssembledValue.Holder

  /// A container that is to be made into parts.
  private struct Work {
    /// Its number among the contents.
    let number: Int
    /// The object that it is, or that it is stored in.
    let object: Int
    let value: AssembledValue
    /// How it was changed; nil for a container as it was read.
    let origin: Origin?
    /// The stored container that it was; nil for a new one.
    let old: Node?

    /// Whether it is stored in its holder.
    var isInline: Bool { number != object }
  }

  private let graph: ObjectGraph
  private let request: Request
  private var objects: AssembledObjects
  private var changes = ChangedObjects()
  private var structure: KnownStructure
  /// The objects of containers that were made from nodes without an origin.
  private var made: [Node: Int] = [:]
  /// What remains to be made into parts.
  private var work: [Work] = []
  /// The object whose parts are being made; 0 for the top.
  private var current = 0
  /// How many more values there may be: shared ones could multiply without end.
  private var allowance: Int

  private init(_ graph: ObjectGraph, _ request: Request, isLenient: Bool) {
    self.graph = graph
    self.request = request
    objects = AssembledObjects(graph)
    structure = KnownStructure(graph, request, isLenient: isLenient)
    allowance = graph.expansionLimit
  }

  /// Assembles an archive.
  ///
  /// - Parameters:
  ///   - request: the model, and what is known about its structure.
  ///   - graph: the graph that the model is of.
  ///   - isLenient: whether dictionaries and boxed numbers are written for what is not known; else it is an error.
  /// - Returns: the stored values of the archive, and what nothing names: those at equal paths but for positions once.
  /// - Throws: `ArchiveError` with the path of a value that cannot be stored, or that would become two.
  package static func assemble(
    _ request: Request, of graph: ObjectGraph, isLenient: Bool = false
  ) throws(ArchiveError) -> (document: Document, unknowns: [StoredDifference]) {
    var assembly = ArchiveAssembly(graph, request, isLenient: isLenient)
    let top = assembly.objects.add(.waiting)
    assembly.objects.set(top, to: try assembly.topContent(top))
    while let next = assembly.work.popLast() {
      assembly.current = next.object
      assembly.objects.set(next.number, to: try assembly.content(of: next))
    }
    return try assembly.finish(top)
  }

  private consuming func finish(
    _ top: Int
  ) throws(ArchiveError) -> (document: Document, unknowns: [StoredDifference]) {
    let unknowns = structure.openValues
    let reached = try changes.reach(from: top, in: &objects, structure.trails)
    return (try AssemblyWriter.write(objects, reached, top: top), unknowns)
  }

  /// The top-level keys: the model's among the archive's others, or the names of its members.
  private mutating func topContent(_ number: Int) throws(ArchiveError) -> Content {
    guard let newKey = request.newTopKey else {
      let value = topValue(nil)
      guard case .members(let pairs)? = GraphContainer(graph.value(of: value.node)) else {
        throw structure.refusal(
          "only an object can have its members as top-level keys", at: value.trail)
      }
      let item = Work(
        number: number, object: 0, value: value, origin: graph.origin(of: value.node), old: nil)
      return try fields(pairs, .kept(nil), item)
    }
    let key = Part.built(objects.builder.add(storedKey(newKey)))
    guard graph.documents[0].isKeyedArchive, let oldKey = request.topKey,
      let facts = graph.documents[0].archive
    else { return .pairs([key, try part(topValue(nil))]) }
    let position = facts.topKeys.firstIndex(of: oldKey)
    let fields = graph.storedFields(of: Node(document: 0, index: facts.topDictionary))
    var parts: [Part] = []
    for (number, field) in fields.enumerated() {
      let isModel = number == position
      parts.append(isModel && newKey != oldKey ? key : .stored(field.key))
      parts.append(isModel ? try part(topValue(field.value)) : objects.part(in: field.value))
    }
    return .pairs(parts)
  }

  private func topValue(_ slot: Slot?) -> AssembledValue {
    AssembledValue(
      node: request.root, slot: slot, schemaIndex: request.shape.root, holder: .top,
      trail: PathTrails.root, sourceSchemaIndex: request.sourceShape?.root)
  }

  // MARK: Values

  /// A value as its holder has it.
  private mutating func part(_ value: AssembledValue) throws(ArchiveError) -> Part {
    allowance &-= 1
    if allowance < 0 {
      throw ArchiveError(
        .limit, "copies of shared values would be over \(graph.expansionLimit &+ 1)")
    }
    if graph.origin(of: value.node) != nil { return try container(value) }
    guard graph.isArchived(value.node) else { return try newPart(value) }
    if let null = convertedNull(value) { return null }
    if mustConvert(value) { return try container(value) }
    if let text = try convertedText(value) { return text }
    return try storedPart(value)
  }

  /// A null for its new container: a collection has NSNull, because nil ends its decoder, and a new field is nil.
  private mutating func convertedNull(_ value: AssembledValue) -> Part? {
    guard case .null = graph.value(of: value.node) else { return nil }
    let isObject = graph.classIndex(of: value.node) != nil
    switch value.holder {
    case .collection: return isObject ? nil : .object(objects.null())
    case .field: return isObject && !request.keepsStructure ? .object(0) : nil
    case .top: return nil
    }
  }

  /// Whether a stored value may not be copied, since the envelope has other classes for such values.
  private func mustConvert(_ value: AssembledValue) -> Bool {
    let isNewRoot = request.rootClass != nil && (value.isRoot || value.holder == .top)
    guard isNewRoot || !request.keepsStructure else { return false }
    // Objects that contain no values of the model are copied as a whole.
    switch graph.value(of: value.node) {
    case .array, .set, .orderedSet, .dictionary: return true
    case .object(let index, _): return !ClassRegistry.isFoundation(graph.classes[index].name)
    default: return false
    }
  }

  /// Stored text of which a schema demands an object of another class; nil for other values.
  private mutating func convertedText(_ value: AssembledValue) throws(ArchiveError) -> Part? {
    guard case .string(let text) = graph.value(of: value.node),
      let (rule, old, new) = structure.newTextClass(of: value)
    else { return nil }
    // A URL may be relative to another.
    if old == "NSURL", let base = graph.slot(of: "NS.base", in: value.node),
      graph.objectNumber(in: base) != 0
    {
      throw structure.refusal(
        "the URL has a base, which an object of the class \(new) has not", at: value.trail)
    }
    return try string(text, value, rule)
  }

  /// A value that is copied as it is stored.
  private mutating func storedPart(_ value: AssembledValue) throws(ArchiveError) -> Part {
    var held = Slot(document: value.node.document, reference: value.node.index)
    if let slot = value.slot, graph.node(in: slot) == value.node {
      held = slot
    } else if let object = objects.object(of: value.node) {
      return left(object)
    }
    var storage = value.storage
    if storage == nil { storage = try structure.collectedStorage(value) }
    switch (objects.part(in: held), storage, value.holder) {
    case (.object, .inline, .field):
      guard graph.value(of: value.node).isNumberOrData else {
        throw structure.refusal(
          "the value cannot be stored inline: it is not a number", at: value.trail)
      }
      return .built(objects.scalar(of: value.node))
    case (.object(let object), _, _): return left(object)
    case (_, .boxed, _), (_, _, .collection), (_, _, .top): return .object(objects.box(held))
    case (let part, _, _): return part
    }
  }

  /// Remembers that a reference was left as it is.
  private mutating func left(_ object: Int) -> Part {
    changes.leave(object, in: current)
    return .object(object)
  }

  // MARK: Containers

  /// A container that was changed, or has to be converted.
  private mutating func container(_ value: AssembledValue) throws(ArchiveError) -> Part {
    if let source = source(of: value.node) {
      if let slot = value.slot, graph.node(in: slot) == source,
        let number = graph.objectNumber(in: slot)
      {
        return change(objects.object(slot.document, number), value)
      }
      if let object = objects.object(of: source) { return change(object, value) }
      if value.holder == .field, value.storage != .boxed { return inline(value) }
    }
    return try newContainer(value)
  }

  /// The stored container that was changed or is to be converted; nil for a new one.
  private func source(of node: Node) -> Node? {
    let origin = graph.origin(of: node)
    let source = origin == nil ? node : origin?.node
    return source.flatMap { graph.isArchived($0) ? $0 : nil }
  }

  /// A container that the archive did not have; the same value is one object wherever it is.
  private mutating func newContainer(_ value: AssembledValue) throws(ArchiveError) -> Part {
    if value.holder == .field, case .array = graph.value(of: value.node),
      (value.storage ?? structure.rule(value)?.storage) == .inline
    {
      return inline(value)
    }
    if let known = made[value.node] { return .object(known) }
    let object = objects.add(.waiting)
    queue(value, as: object)
    made[value.node] = object
    return .object(object)
  }

  /// A container that the present object stores.
  private mutating func inline(_ value: AssembledValue) -> Part {
    let number = objects.add(.waiting)
    queue(value, as: number, in: current)
    return .inline(number)
  }

  /// Replaces an object by its new form; if an operation has changed it before, both results must be equal.
  private mutating func change(_ object: Int, _ value: AssembledValue) -> Part {
    if let source = changes.source(of: object) {
      if source != value.node {
        let again = objects.add(.waiting)
        queue(value, as: again)
        changes.add(again, for: object, from: value)
      }
    } else {
      changes.add(object, from: value)
      queue(value, as: object)
    }
    return .object(object)
  }

  /// Has the parts of a container made: of an object, or of one that an object stores.
  private mutating func queue(_ value: AssembledValue, as number: Int, in object: Int? = nil) {
    var value = value
    value.isRoot = value.isRoot || value.holder == .top
    work.append(
      Work(
        number: number, object: object ?? number, value: value,
        origin: graph.origin(of: value.node),
        old: source(of: value.node)))
  }

  private mutating func content(of item: Work) throws(ArchiveError) -> Content {
    let value = item.value
    switch graph.value(of: value.node) {
    case .dictionary(let pairs), .object(_, let pairs):
      switch try structure.form(of: value, item.old, newClass: item.origin?.newClass) {
      case .fields(let name):
        // Objects are numbered as they are met: a class that is kept comes before the fields.
        if name.isKept { _ = objects.record(name) }
        if let made = try frameworkContent(item, name) { return made }
        return try fields(pairs, name, item)
      case .dictionary(let name): return try dictionary(pairs, name, item)
      }
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      if let made = try listedContent(item, elements) { return made }
      let name = structure.collectionClass(of: value, item.old, isInline: item.isInline)
      return try list(elements, name, item)
    default:
      throw structure.refusal("the value cannot be an object of an archive", at: value.trail)
    }
  }

  // MARK: Members and elements

  /// How a member or an element was held.
  private func held(_ elements: Elements, _ position: Int, _ item: Work) -> Origin.Part {
    guard let parts = item.origin?.parts else {
      return Origin.Part(slot: graph.slot(elements, position))
    }
    return position < parts.count ? parts[position] : Origin.Part(slot: nil)
  }

  /// A member of a container, and how it was held.
  private mutating func member(
    _ pairs: Pairs, _ position: Int, _ item: Work, in holder: Holder, _ source: inout SourceMembers
  ) -> (held: Origin.Part, value: AssembledValue) {
    let name = graph.memberName(pairs, position)
    let held = held(pairs.values, pairs.position(position), item)
    let value = AssembledValue(
      node: graph.value(pairs, position), slot: held.slot,
      schemaIndex: name.flatMap { request.shape.member(item.value.schemaIndex, $0) } ?? 0,
      holder: holder, trail: structure.step(.key(name?.string ?? "?"), after: item.value.trail),
      storage: held.storage, sourceSchemaIndex: source.schemaIndex(of: held))
    return (held, value)
  }

  /// The fields of an object, its class where it was.
  private mutating func fields(
    _ pairs: Pairs, _ name: ClassPart, _ item: Work
  ) throws(ArchiveError) -> Content {
    var parts: [Part] = []
    var source = SourceMembers(item.value, request.sourceShape, graph)
    for position in 0..<pairs.count {
      guard let text = graph.memberName(pairs, position) else {
        throw structure.refusal("a field's key must be a string", at: item.value.trail)
      }
      var (held, value) = member(pairs, position, item, in: .field, &source)
      value.isCollected = item.old.map { !graph.isObject($0) } ?? false
      parts.append(fieldKey(pairs, position, held, text))
      parts.append(try part(value))
    }
    if let record = objects.record(name) {
      let key = Part.built(objects.builder.add("$class"))
      parts.insert(
        contentsOf: [key, record], at: min(pairs.classPosition ?? .max, pairs.count) * 2)
    }
    return .pairs(parts)
  }

  /// The key of a field as it is stored: an archiver puts a `$` before one that begins with it.
  private mutating func fieldKey(
    _ pairs: Pairs, _ position: Int, _ held: Origin.Part, _ name: Text
  ) -> Part {
    if pairs.isFields, let slot = graph.slot(pairs.keys, pairs.position(position)) {
      return .stored(slot)
    }
    // The key of a dictionary's member is an object, not a string that its holder stores.
    if let key = held.key, graph.objectNumber(in: key) == nil, graph.isArchived(graph.node(in: key))
    {
      return .stored(key)
    }
    return .built(objects.builder.add(storedKey(name.string)))
  }

  /// A dictionary object, or one that its holder stores.
  private mutating func dictionary(
    _ pairs: Pairs, _ name: ClassPart, _ item: Work
  ) throws(ArchiveError) -> Content {
    let record = objects.record(name)
    let keyClass = structure.rule(item.value)?.keyClass
    var keys: [Part] = []
    var values: [Part] = []
    var source = SourceMembers(item.value, request.sourceShape, graph)
    for position in 0..<pairs.count {
      // Without a class the keys and values are those of a stored dictionary.
      let holder: Holder = record == nil ? .field : .collection
      let (held, value) = member(pairs, position, item, in: holder, &source)
      keys.append(
        try key(pairs, position, held, isPlain: record == nil, keyClass, value.trail))
      values.append(try part(value))
    }
    guard let record else { return .pairs(zip(keys, values).flatMap { [$0, $1] }) }
    return objects.collection(keys: keys, values: values, name, record, item.old)
  }

  private mutating func list(
    _ elements: Elements, _ name: ClassPart, _ item: Work
  ) throws(ArchiveError) -> Content {
    let record = objects.record(name)
    let (list, schemaIndex) = (item.value, request.shape.element(item.value.schemaIndex))
    var parts: [Part] = []
    for position in 0..<elements.count {
      parts.append(
        try part(
          AssembledValue(
            node: graph.node(elements, position), slot: held(elements, position, item).slot,
            schemaIndex: schemaIndex, holder: .collection,
            trail: structure.step(.index(position), after: list.trail), isRoot: list.isRoot,
            sourceSchemaIndex: list.sourceSchemaIndex.flatMap { request.sourceShape?.element($0) }))
      )
    }
    guard let record else { return .list(parts) }
    return objects.collection(keys: nil, values: parts, name, record, item.old)
  }

  // MARK: Keys of dictionaries

  private mutating func key(
    _ pairs: Pairs, _ position: Int, _ held: Origin.Part, isPlain: Bool, _ keyClass: KeyClass?,
    _ trail: Int
  ) throws(ArchiveError) -> Part {
    let node = graph.key(pairs, position)
    let slot = held.key ?? (pairs.isFields ? nil : graph.slot(pairs.keys, pairs.position(position)))
    if isPlain, let slot, graph.isArchived(graph.node(in: slot)) { return objects.part(in: slot) }
    if !pairs.isFields, graph.isArchived(node) || graph.text(of: node) == nil {
      return try part(
        AssembledValue(
          node: node, slot: slot, schemaIndex: 0, holder: .collection, trail: trail, isKey: true))
    }
    if let key = held.key, graph.objectNumber(in: key) != nil { return objects.part(in: key) }
    if !isPlain, let keyClass, keyClass != .string, !pairs.isFields, held.key == nil {
      return try newKey(node, keyClass, trail)
    }
    let name = graph.memberName(pairs, position)?.string ?? ""
    return isPlain ? .built(objects.builder.add(name)) : .object(objects.object(of: name))
  }

  /// A new key of a dictionary, as an object of the class that the schema names.
  private mutating func newKey(
    _ node: Node, _ keyClass: KeyClass?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let value = AssembledValue(
      node: node, slot: nil, schemaIndex: 0, holder: .collection, trail: trail, isKey: true)
    guard let keyClass = keyClass ?? impliedKeyClass(node) else {
      if case .string = graph.value(of: node) {
        throw structure.refusal(
          "the class of the key is not known: name it in the schema by x-key-class", at: trail)
      }
      return try part(value)
    }
    switch (keyClass, graph.value(of: node)) {
    case (.string, .string), (.number, .integer), (.number, .unsigned), (.number, .wide),
      (.number, .real), (.number, .single), (.number, .boolean), (.date, .date), (.data, .data):
      return try part(value)
    case (.uuid, _), (.url, _), (.decimal, _):
      if let object = try frameworkObject(value, keyClass.rawValue) { return object }
    case (_, .string(let text)):
      if let index = keyClass.scalar(of: text.string, in: &objects.builder) {
        return .object(objects.object(of: index, as: keyClass == .date ? "NSDate" : nil))
      }
    default: break
    }
    throw structure.refusal(
      "the key is not of the class \(keyClass.rawValue), which 'x-key-class' requires", at: trail)
  }

  /// The class of a key in Codable's list that its form tells: among strings only UUIDs are such keys.
  private func impliedKeyClass(_ node: Node) -> KeyClass? {
    switch graph.value(of: node) {
    case .string(let text): return NSUUIDClass.bytes(of: text.string) == nil ? nil : .uuid
    case .dictionary(let pairs): return pairs.count == 5 ? .decimal : .url
    default: return nil
    }
  }

  // MARK: Objects of frameworks, made from the values that are shown of them or from Codable's forms

  /// An object from a list, if the schema asks for it: Codable's keys and values in turn, a point; nil for other lists.
  private mutating func listedContent(
    _ item: Work, _ elements: Elements
  ) throws(ArchiveError) -> Content? {
    // A root list may be one of objects of the class.
    let isRootList =
      item.value.isRoot && request.shape.element(item.value.schemaIndex) == item.value.schemaIndex
    guard !graph.isArchived(item.value.node), !isRootList, let rule = structure.rule(item.value),
      let name = rule.className ?? rule.keyClass.map({ _ in "NSDictionary" })
    else { return nil }
    guard FoundationClass.immutable(name) == "NSDictionary" else {
      guard case .made? = ClassRegistry.storedForm(of: name) else { return nil }
      return try frameworkContent(item, .foundation(name))
    }
    guard elements.count % 2 == 0 else {
      throw structure.refusal(
        "the list does not alternate keys and values, which its class requires",
        at: item.value.trail)
    }
    let dictionary = ClassPart.foundation(Optional(rule).form(of: name))
    guard let record = objects.record(dictionary) else { return nil }
    let schemaIndex = request.shape.schemaIndex(of: "", in: item.value.schemaIndex)
    var keys: [Part] = []
    var values: [Part] = []
    for position in 0..<elements.count {
      let trail = structure.step(.index(position), after: item.value.trail)
      let node = graph.node(elements, position)
      if position % 2 == 0 {
        keys.append(try newKey(node, rule.keyClass, trail))
      } else {
        values.append(
          try part(
            AssembledValue(
              node: node, slot: nil, schemaIndex: schemaIndex, holder: .collection, trail: trail)))
      }
    }
    return objects.collection(keys: keys, values: values, dictionary, record)
  }

  /// A new object of a framework's class; nil if its members are its fields.
  private mutating func frameworkObject(
    _ value: AssembledValue, _ name: String
  ) throws(ArchiveError) -> Part? {
    if graph.isArchived(value.node) {
      guard case .string = graph.value(of: value.node) else { return nil }
    }
    guard let fields = try structure.frameworkFields(value, .named(name, []), nil) else {
      return nil
    }
    let content = try content(of: fields, .foundation(name), value.schemaIndex, value.trail)
    return .object(objects.add(content))
  }

  /// The parts of an object of a framework's class; nil if its members are its fields.
  private mutating func frameworkContent(
    _ item: Work, _ name: ClassPart
  ) throws(ArchiveError) -> Content? {
    guard let fields = try structure.frameworkFields(item.value, name, item.old) else { return nil }
    return try content(of: fields, name, item.value.schemaIndex, item.value.trail)
  }

  /// The parts of an object with fields, its class last.
  private mutating func content(
    of fields: [StoredField], _ name: ClassPart, _ schemaIndex: Int, _ trail: Int
  ) throws(ArchiveError) -> Content {
    var parts: [Part] = []
    for field in fields {
      let trail = structure.step(.key(field.key), after: trail)
      parts.append(.built(objects.builder.add(field.key)))
      parts.append(try part(of: field.value, schemaIndex, trail))
    }
    objects.appendClass(objects.record(name), to: &parts)
    return .pairs(parts)
  }

  /// The part of a field; makers bound the depth of objects within objects.
  private mutating func part(
    of value: StoredValue, _ schemaIndex: Int, _ trail: Int
  ) throws(ArchiveError) -> Part {
    switch value {
    case .object(let name, let fields):
      return .object(objects.add(try content(of: fields, .foundation(name), 0, trail)))
    case .member(let node, let name):
      let schemaIndex = request.shape.schemaIndex(of: name, in: schemaIndex)
      // A number within an object of a framework is stored in it.
      let storage =
        graph.isArchived(node) ? nil : request.shape.structure(schemaIndex)?.storage ?? .inline
      return try part(
        AssembledValue(
          node: node, slot: nil, schemaIndex: schemaIndex, holder: .field, trail: trail,
          storage: storage))
    default: return objects.part(of: value)
    }
  }

  // MARK: Values without a stored form: those that a lens adds, and those of a property list

  /// A new value, with the class and the storage of its schema.
  private mutating func newPart(_ value: AssembledValue) throws(ArchiveError) -> Part {
    let rule = structure.rule(value)
    switch graph.value(of: value.node) {
    case .null: return .object(value.holder == .field ? 0 : objects.null())
    case .boolean, .integer, .unsigned, .wide, .real, .single:
      if let name = rule?.className, let made = try frameworkObject(value, name) { return made }
      let number = objects.scalar(of: value.node, as: request.shape.number(value.schemaIndex))
      return try scalar(number, value, rule)
    case .data:
      let name = rule.form(of: rule?.className ?? "NSData")
      return try scalar(
        objects.scalar(of: value.node), value, rule, FoundationClass.isMutable(name) ? name : nil)
    case .string(let text): return try string(text, value, rule)
    case .date(let seconds):
      let index = objects.builder.add(seconds)
      return .object(objects.object(of: index, as: "NSDate", replacing: value.slot))
    case .uid:
      throw structure.refusal(
        "a UID from outside a keyed archive cannot be stored in one", at: value.trail)
    case .array, .set, .orderedSet, .dictionary, .object:
      return try newContainer(value)
    }
  }

  /// A number or bytes, in their holder or as an object.
  private mutating func scalar(
    _ index: UInt32, _ value: AssembledValue, _ rule: StructureRule?, _ className: String? = nil
  ) throws(ArchiveError) -> Part {
    if try structure.storage(of: value, rule) == .inline { return .built(index) }
    return .object(objects.object(of: index, as: className, replacing: value.slot))
  }

  private mutating func string(
    _ text: Text, _ value: AssembledValue, _ rule: StructureRule?
  ) throws(ArchiveError) -> Part {
    let name = rule.form(of: rule?.className ?? "NSString")
    if FoundationClass.immutable(name) == "NSString" {
      // A bare "$null" is nil to every decoder.
      let isBare = name != "NSMutableString" && !text.equals("$null")
      let index = objects.builder.add(text)
      return .object(
        objects.object(of: index, as: isBare ? nil : name, replacing: value.slot))
    }
    guard name != "NSURL" || URLReference.isWellFormed(text.string) else {
      throw structure.refusal(
        "the string is not a URL, which its class requires", at: value.trail,
        about: .refusedContent)
    }
    guard let made = try frameworkObject(value, name) else {
      throw structure.refusal(
        "a string cannot become an object of the class \(name)", at: value.trail)
    }
    return made
  }
}
