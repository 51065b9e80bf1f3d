// Objects of frameworks made from the values that are shown of them or from Codable's forms; keys of dictionaries.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

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
    let classPart = ClassPart.named(name, FoundationClass.chain(of: name))
    return add(try parts(fields, classPart, value.schemaIndex, trail))
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
        item.node, className, chain, isKept: name.isKept, item.schemaIndex, item.trail)
    else { return nil }
    return try parts(fields, name, item.schemaIndex, item.trail)
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
    let pairs: Pairs
    switch graph.value(of: node) {
    case .dictionary(let found), .object(_, let found): pairs = found
    default: return nil
    }
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
      var fields = ["NS.keys", "NS.objects"].map {
        Field(key: .built(builder.add($0)), value: .inline(add(.list([]))))
      }
      appendClass("NSDictionary", to: &fields)
      return .object(add(.pairs(fields)))
    case .object(let name, let fields):
      let classPart = ClassPart.named(name, FoundationClass.chain(of: name))
      return .object(add(try parts(fields, classPart, 0, trail)))
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
    bytes.withUnsafeBytes { builder.add(data: $0) }
  }

  /// The object of a string; a bare "$null" is nil to every decoder.
  private mutating func string(_ index: UInt32, isNull: Bool) -> Int {
    isNull ? stringObject(index, "NSString") : object(ofScalar: index)
  }
}

// MARK: Codable's lists, and the keys of dictionaries

extension ArchiveAssembly {
  /// An object from a list, if the schema asks for it: Codable's keys and values in turn, a point; nil for other lists.
  mutating func listedObject(
    _ item: Work, _ elements: Elements
  ) throws(ArchiveError) -> Content? {
    // A root list may be one of objects of the class.
    let isRootList = item.isRoot && request.shape.element(item.schemaIndex) == item.schemaIndex
    guard !isStored(item.node), !isRootList, let rule = rule(item),
      let name = rule.className ?? rule.keyClass.map({ _ in "NSDictionary" })
    else { return nil }
    guard FoundationClass.immutable(name) == "NSDictionary" else {
      guard case .made? = ClassRegistry.storedForm(of: name) else { return nil }
      return try frameworkObject(item, .named(name, FoundationClass.chain(of: name)), nil)
    }
    guard elements.count % 2 == 0 else {
      throw unknown(
        "the list does not alternate keys and values, which its class requires", item.trail)
    }
    let className = rule.isMutable == true ? FoundationClass.mutable(name) : name
    guard let record = record(.named(className, FoundationClass.chain(of: className))) else {
      return nil
    }
    let schemaIndex = request.shape.schemaIndex(of: "", in: item.schemaIndex)
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
}

// MARK: - Values without a stored form: those that a lens adds, and those of a property list

extension ArchiveAssembly {
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
      guard FoundationClass.isMutable(name) else { return .object(object(ofScalar: index, value)) }
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
    guard value.holder == .field else { return .object(object(ofScalar: index, value)) }
    var storage = value.storage ?? heldStorage(value)
    if storage == nil { storage = try self.storage(rule, trail) }
    return storage == .inline ? .built(index) : .object(object(ofScalar: index, value))
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
        return .object(object(ofScalar: index, value))
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
    appendClass(name, to: &fields)
    return add(.pairs(fields))
  }

  mutating func appendClass(_ name: String, to fields: inout [Field]) {
    guard let record = record(.named(name, FoundationClass.chain(of: name))) else { return }
    fields.append(Field(key: .built(builder.add("$class")), value: record))
  }

  mutating func nullObject() -> Int {
    if let known = nullObjectNumber { return known }
    let object = object("NSNull", [])
    nullObjectNumber = object
    return object
  }
}

// MARK: - What a schema leaves open

extension ArchiveAssembly {
  // MARK: Answers of the request

  /// What is known about the class and the storage of a value.
  func rule(_ value: Value, _ trail: Int) -> StructureRule? {
    rule(value.schemaIndex, value.isKey ? nil : trail)
  }

  /// What is known about the class of a container.
  func rule(_ item: Work) -> StructureRule? {
    rule(item.schemaIndex, item.isKey ? nil : item.trail)
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
