// Objects of frameworks made from the values that are shown of them or from Codable's forms; keys of dictionaries.

import Basics
import ObjectGraph

extension ArchiveAssembly {
  /// An object of a framework's class that is new; nil if its members are its fields.
  ///
  /// - Throws: `ArchiveError` with the path, if there is no way from the value to the class.
  mutating func frameworkObject(
    _ node: Node, _ name: String, _ value: Value, _ trail: Int
  ) throws(ArchiveError) -> Int? {
    guard !isStored(node) || isText(node),
      let fields = try frameworkFields(node, name, [], isKept: false, value.place, trail)
    else { return nil }
    let classPart = ClassPart.named(name, FoundationClass.chain(of: name))
    return add(try parts(fields, classPart, value.place, trail))
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
        item.node, className, chain, isKept: name.isKept, item.place, item.trail)
    else { return nil }
    return try parts(fields, name, item.place, item.trail)
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
    _ node: Node, _ name: String, _ chain: [String], isKept: Bool, _ place: Int, _ trail: Int
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
      throw unknown(ClassRegistry.noWay(to: name, nil), trail)
    case .never(_, let reason):
      if isOfFields { return nil }
      throw unknown(ClassRegistry.noWay(to: name, reason), trail)
    case .made(let maker):
      if isOfFields, names?.isEmpty == false { return nil }
      let shape = request.shape
      let value = FormValue(node, of: graph, for: shape.foundation) { shape.names($0, in: place) }
      do throws(FormRefusal) {
        return try maker.fields(value)
      } catch {
        throw unknown(
          ClassRegistry.noWay(to: name, error.reason), trail,
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
    _ fields: [StoredField], _ name: ClassPart, _ place: Int, _ trail: Int
  ) throws(ArchiveError) -> Content {
    var parts: [Field] = []
    for field in fields {
      let value = try part(field.value, place, step(.key(field.key), after: trail))
      parts.append(Field(key: .built(builder.add(field.key)), value: value))
    }
    if let record = record(name) {
      parts.append(Field(key: .built(builder.add("$class")), value: record))
    }
    return .pairs(parts)
  }

  /// The part of a field; makers bound the depth of objects within objects.
  private mutating func part(
    _ value: StoredValue, _ place: Int, _ trail: Int
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
      let place = request.shape.place(of: name, in: place)
      // A number within an object of a framework is stored in it.
      let storage = isStored(node) ? nil : request.shape.structure(place)?.storage ?? .inline
      return try part(
        Value(node: node, slot: nil, place: place, holder: .field, storage: storage), trail: trail)
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
    let isRootList = item.isRoot && request.shape.element(item.place) == item.place
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
    let place = request.shape.place(of: "", in: item.place)
    var keys: [Part] = []
    var values: [Part] = []
    for position in 0..<elements.count {
      let trail = step(.index(position), after: item.trail)
      let node = graph.node(elements, position)
      if position % 2 == 0 {
        keys.append(try newKey(node, rule.keyClass, trail))
      } else {
        values.append(
          try part(Value(node: node, slot: nil, place: place, holder: .collection), trail: trail))
      }
    }
    return .pairs(
      collectionFields(keys: keys, values: values, record, isIndexed: false, nil))
  }

  /// A new key of a dictionary, as an object of the class that the schema names.
  mutating func newKey(
    _ node: Node, _ keyClass: KeyClass?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let value = Value(node: node, slot: nil, place: 0, holder: .collection, isKey: true)
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
