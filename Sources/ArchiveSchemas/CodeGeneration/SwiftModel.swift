// Derives the Swift types of a schema's models.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveWriting

/// Finds the types of a schema.
package struct SwiftModel {
  /// The location of a schema, and a name for the type that it may need.
  struct Context {
    let hint: String
    let path: GraphPath
    /// The reference that leads to the schema; nil for schemas that are written inline.
    var reference: String?
    /// The schema resource that references in the schema are resolved against.
    var resource = 0
    let depth: Int

    func inner(_ steps: String..., hint: String) -> Context {
      let path = steps.reduce(path) { $0.appending(.key($1)) }
      return Context(hint: hint, path: path, resource: resource, depth: depth + 1)
    }
  }

  /// A limit for schemas that refer to one another in long chains, which could exhaust the stack.
  private static let depthLimit = 300

  private let schema: JSONTree
  private let store: SchemaStore
  private let typeName: String
  private var names: SwiftNames
  /// The types behind references; what may be null is optional.
  private var resolved: [CodePointString: SwiftType] = [:]
  private var open: Set<CodePointString> = []
  /// The type of values that the schema does not describe, if there are any.
  package private(set) var anyValue: SwiftType?
  /// The declared types, in the order in which they are first needed.
  package private(set) var declarations: [SwiftDeclaration] = []

  /// The declaration of a type; nil if there is none.
  package func declaration(_ name: String) -> SwiftDeclaration? {
    declarations.first { $0.name == name }
  }

  /// The envelope of the models, which determines how values of Foundation's types are written.
  private let envelope: Envelope?
  private let reservedProperties: Set<String>

  /// Takes a schema, and a name from which the model's type is named.
  ///
  /// - Parameters:
  ///   - reserved: the names that no type may have.
  ///   - reservedProperties: the names that no property may have.
  package init(
    _ schema: JSONTree, typeName: String, reserved: [String] = [],
    reservedProperties: Set<String> = []
  ) {
    self.reservedProperties = SwiftNames.reservedProperties.union(reservedProperties)
    let reserved = SwiftNames.reservedTypes.union(reserved)
    self.schema = schema
    envelope = (schema["x-archive"]?["envelope"]?.string).flatMap { Envelope(rawValue: $0) }
    store = SchemaStore(of: schema)
    names = SwiftNames(reserved: reserved)
    self.typeName = names.upper(typeName, fallback: "Model")
    // The model's own type is declared by `run`, unless it is an alias.
    names = SwiftNames(reserved: reserved)
  }

  /// Finds all types.
  ///
  /// - Returns: the model's name, and its type.
  /// - Throws: `ArchiveError` with code `unsupported` or `malformed` and the path of a schema without a Swift type.
  package mutating func run() throws(ArchiveError) -> (name: String, type: SwiftType) {
    let context = Context(hint: typeName, path: GraphPath(), reference: "", depth: 0)
    let type = try resolve(schema, context)
    try markReferences()
    markHashable()
    if type == .named(typeName) { return (typeName, type) }
    return (names.upper(typeName, fallback: "Model"), type)
  }

  // MARK: Schemas

  private mutating func resolve(
    _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    guard context.depth < Self.depthLimit else {
      throw problem(.limit, "schemas refer to one another too deep", context)
    }
    if schema.boolean == true { return anything().asOptional }
    guard schema.members != nil else {
      throw problem(.malformed, "a schema that allows something is expected", context)
    }
    var context = context
    // A schema with its own identifier is the base of the references in it (JSON Schema Core 2020-12, 8.2.1).
    if context.reference == nil, let id = schema["$id"]?.string {
      context.resource = store.resource(identified: id, in: context.resource)
    }
    if let reference = schema["$ref"]?.string { return try follow(reference, context) }
    if let list = schema["anyOf"]?.list ?? schema["oneOf"]?.list {
      return try union(of: list, schema, context)
    }
    if let all = schema["allOf"]?.list {
      guard all.count == 1, schema["type"] == nil, schema["properties"] == nil else {
        throw problem(.unsupported, "'allOf' has no Swift type", context)
      }
      return try resolve(all[0], context.inner("allOf", hint: context.hint))
    }
    if let values = schema["enum"]?.list ?? schema["const"].map({ [$0] }) {
      return try enumeration(values, schema, context)
    }
    return try types(of: schema, context)
  }

  /// The type behind a reference within the document.
  private mutating func follow(
    _ reference: String, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    guard let target = try store.find(reference, from: context.resource)?.location else {
      if store.knowsDocument(of: reference, from: context.resource) {
        throw problem(.malformed, "the reference '\(reference)' cannot be resolved", context)
      }
      throw problem(.unsupported, "the reference '\(reference)' leaves the schema", context)
    }
    let pointer = store.documentPointer(of: target)
    if let known = resolved[CodePointString(pointer)] { return known }
    guard open.insert(CodePointString(pointer)).inserted else {
      throw problem(
        .unsupported, "the reference '\(reference)' refers to itself without a record between",
        context
      )
    }
    defer { open.remove(CodePointString(pointer)) }
    let isRoot = pointer.isEmpty || context.reference?.isEmpty == true
    let hint = isRoot ? typeName : JSONPointer.tokens(of: pointer)?.last ?? context.hint
    let path = context.path.appending(.key("$ref"))
    let found = try resolve(
      target.tree,
      Context(
        hint: hint, path: path, reference: pointer, resource: target.resource,
        depth: context.depth + 1))
    resolved[CodePointString(pointer)] = found
    return found
  }

  // MARK: Several types

  mutating func union(
    of list: [JSONTree], _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    let values = list.filter { $0["type"]?.string != "null" }
    let isNullable = values.count < list.count
    guard values.count > 1 else {
      guard let only = values.first else { return anything().asOptional }
      // The name belongs to the one remaining type.
      return try resolve(only, context.inner("anyOf", hint: context.hint))
        .optional(if: isNullable)
    }
    return try declareUnion(schema, isNullable, context) { (model, context) throws(ArchiveError) in
      var all: [SwiftType] = []
      for (index, schema) in values.enumerated() {
        let inner = context.inner("anyOf", "\(index)", hint: "\(context.hint)\(index + 1)")
        all.append(try model.resolve(schema, inner))
      }
      return all
    }
  }

  /// Declares a union of the types that a closure finds; the name is known first, so that its types may refer to it.
  private mutating func declareUnion(
    _ schema: JSONTree, _ isNullable: Bool, _ context: Context,
    _ find: (inout SwiftModel, Context) throws(ArchiveError) -> [SwiftType]
  ) throws(ArchiveError) -> SwiftType {
    let name = declare(
      context, documentation: documentation(of: schema), .union([]))
    let index = declarations.count - 1
    let type = SwiftType.named(name)
    if let reference = context.reference {
      resolved[CodePointString(reference)] = type.optional(if: isNullable)
    }
    let all = try find(&self, context)
    let isNullable = isNullable || all.contains(where: \.isOptional)
    var known: Set<SwiftType> = []
    var types = all.map(\.unwrapped).filter { known.insert($0).inserted }
    if types.count == 1, types[0] != type, index == declarations.count - 1 {
      declarations.removeLast()
      return types[0].optional(if: isNullable)
    }
    var cases = SwiftNames(reserved: SwiftNames.reservedCases)
    types = types.filter { $0 != type }
    guard !types.isEmpty else {
      throw problem(.unsupported, "the schema is an alternative of itself alone", context)
    }
    declarations[index].form = .union(
      decodingOrder(types).map { (cases.lower($0.caseName, fallback: "value"), $0) })
    return type.optional(if: isNullable)
  }

  /// Sorts types for decoding: the one that decodes the fewest values comes first.
  ///
  /// Among records, that is the one with the most required members; other types keep the order of the schema.
  private func decodingOrder(_ types: [SwiftType]) -> [SwiftType] {
    types.enumerated().map { (offset, type) in
      (rank: type.decodingRank, freedom: -requiredCount(type), offset: offset, type: type)
    }.sorted { ($0.rank, $0.freedom, $0.offset) < ($1.rank, $1.freedom, $1.offset) }.map(\.type)
  }

  private func requiredCount(_ type: SwiftType) -> Int {
    guard case .named(let name) = type,
      case .record(let properties, _, _)? = declarations.first(where: { $0.name == name })?.form
    else { return 0 }
    return properties.filter { !$0.type.isOptional }.count
  }

  private mutating func enumeration(
    _ values: [JSONTree], _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    let strings = values.compactMap(\.string)
    let isNullable = values.contains(.null)
    let isExact = schema["x-plist-type"] != nil && Self.exactType(schema) != "string"
    // Raw values that are canonically equivalent in Unicode would not compile.
    if !isExact, !strings.isEmpty, strings.count + (isNullable ? 1 : 0) == values.count,
      Set(strings).count == strings.count
    {
      var cases = SwiftNames(reserved: SwiftNames.reservedCases)
      let all = strings.map { (cases.lower($0, fallback: "value"), $0) }
      let name = declare(context, documentation: documentation(of: schema), .strings(all))
      return .named(name).optional(if: isNullable)
    }
    if schema["type"] != nil || isExact { return try types(of: schema, context) }
    return try types(of: .members([("type", .list(Self.types(of: values)))]), context)
  }

  private static func types(of values: [JSONTree]) -> [JSONTree] {
    var names: [String] = []
    for name in values.map(\.schemaType) where !names.contains(name) { names.append(name) }
    return names.map { .string($0) }
  }

  // MARK: Declarations

  private mutating func declare(
    _ context: Context, documentation: String?, _ form: SwiftDeclaration.Form
  ) -> String {
    let name = names.upper(context.hint, fallback: "Value")
    declarations.append(SwiftDeclaration(name: name, documentation: documentation, form: form))
    return name
  }

  /// A type for values that a schema does not describe.
  private mutating func anything() -> SwiftType {
    if let anyValue { return anyValue }
    let name = names.upper("AnyValue", fallback: "AnyValue")
    let type = SwiftType.named(name)
    let types: [SwiftType] = [
      .scalar(.boolean), .scalar(.integer), .scalar(.real), .scalar(.date), .scalar(.data),
      .scalar(.string), .list(type.asOptional), .map(type.asOptional),
    ]
    declarations.append(
      SwiftDeclaration(
        name: name, documentation: "A value of any type.",
        form: .union(types.map { ($0.caseName, $0) })))
    anyValue = type
    return type
  }

  func documentation(of schema: JSONTree) -> String? {
    schema["description"]?.string ?? schema["title"]?.string
  }

  private func problem(
    _ code: ArchiveError.Code, _ message: String, _ context: Context
  ) -> ArchiveError {
    ArchiveError(code, message, path: context.path)
  }
}

// MARK: - The records that must be classes: structs of Swift cannot contain themselves

extension SwiftModel {
  private var numbers: [String: Int] {
    Dictionary(
      declarations.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { $1 })
  }

  /// Marks the records whose values directly contain values of the same type.
  ///
  /// - Throws: `ArchiveError` for unions that contain one another without a record between: decoding one would never
  ///   end.
  private mutating func markReferences() throws(ArchiveError) {
    let numbers = self.numbers
    let held = declarations.map { $0.types.compactMap(\.contained).compactMap { numbers[$0] } }
    let unions = held.indices.map { number in
      declarations[number].isUnion ? held[number].filter { declarations[$0].isUnion } : []
    }
    if let number = DirectedGraph.cyclicNodes(unions).min() {
      throw ArchiveError(
        .unsupported, "the alternatives of \(declarations[number].name) refer to themselves",
        path: GraphPath())
    }
    for number in DirectedGraph.cyclicNodes(held) {
      if case .record(let properties, _, let rule) = declarations[number].form {
        declarations[number].form = .record(properties, isReference: true, rule)
      }
    }
  }

  /// The declared types whose values may contain values of the same type, also in lists.
  package var recursiveNames: Set<String> {
    let numbers = self.numbers
    let held = declarations.map { $0.types.flatMap(\.names).compactMap { numbers[$0] } }
    return Set(DirectedGraph.cyclicNodes(held).map { declarations[$0].name })
  }

  /// Marks the types in sets, and the types in them.
  private mutating func markHashable() {
    var waiting = declarations.flatMap(\.types).flatMap(\.inSets)
    let numbers = self.numbers
    while let type = waiting.popLast() {
      for name in type.names {
        guard let number = numbers[name], !declarations[number].isHashable else { continue }
        declarations[number].isHashable = true
        waiting += declarations[number].types
      }
    }
  }
}

extension SwiftDeclaration {
  fileprivate var isUnion: Bool { if case .union = form { true } else { false } }
}

// MARK: - The Swift types of JSON values: numbers, lists, records and maps

extension SwiftModel {
  mutating func types(
    of schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    var names = schema["type"]?.strings ?? Self.impliedTypes(of: schema)
    let isNullable = names.contains("null")
    names.removeAll { $0 == "null" }
    // An integer is also a number, but a union distinguishes the two: a real cannot hold every integer.
    if names.allSatisfy({ $0 == "number" || $0 == "integer" }), names.contains("number") {
      names = ["number"]
    }
    if names.isEmpty { return anything().asOptional }
    if names.count == 1 {
      return try type(names[0], schema, context).optional(if: isNullable)
    }
    return try declareUnion(schema, isNullable, context) { (model, context) throws(ArchiveError) in
      var all: [SwiftType] = []
      for name in names {
        let inner = Context(
          hint: context.hint + "Value", path: context.path, resource: context.resource,
          depth: context.depth + 1)
        all.append(try model.type(name, schema, inner))
      }
      return all
    }
  }

  private static func impliedTypes(of schema: JSONTree) -> [String] {
    let objects = ["properties", "additionalProperties", "patternProperties"]
    if objects.contains(where: { schema[$0] != nil }) { return ["object"] }
    if schema["items"] != nil || schema["prefixItems"] != nil { return ["array"] }
    if isClass(schema, of: ["NSURL", "NSUUID", "NSDecimalNumber"]) { return ["string"] }
    switch exactType(schema) {
    case "date"?, "data"?, "string"?: return ["string"]
    case "integer"?: return ["integer"]
    case "real"?: return ["number"]
    case let name? where ["null", "boolean", "array", "object"].contains(name): return [name]
    default: return []
    }
  }

  private mutating func type(
    _ name: String, _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    let type = try plainType(name, schema, context)
    guard envelope == .nscoding || envelope == .dictionariable,
      let classes = Self.storedClasses(of: type, schema)
    else { return type }
    return .stored(classes, type)
  }

  /// The class of a value's object and its superclasses; nil if the class follows from the type.
  private static func storedClasses(of type: SwiftType, _ schema: JSONTree) -> [String]? {
    let plain: String
    switch type {
    case .named: return nil
    case .scalar(.string): plain = "NSString"
    case .scalar(.data): plain = "NSData"
    case .scalar(.date): plain = "NSDate"
    // A dictionary has the members that Codable writes.
    case .scalar(.url): plain = schema["properties"] == nil ? "NSURL" : "NSDictionary of a URL"
    case .scalar(.decimal):
      plain = schema["properties"] == nil ? "NSDecimalNumber" : "NSDictionary of a number"
    case .scalar(.uuid): plain = "NSUUID"
    case .scalar: plain = "NSNumber"
    case .list, .set: plain = "NSArray"
    case .map: plain = "NSDictionary"
    case .optional, .stored: return nil
    }
    let name = schema["x-class"]?.strings.first ?? plain
    if isMutable(schema, ""), name.hasPrefix("NS"), !name.hasPrefix("NSMutable") {
      return ["NSMutable" + name.dropFirst("NS".count)]
    }
    if name == plain { return name.includes(" ") ? [name] : nil }
    return schema["x-classes"]?.strings ?? [name]
  }

  /// Whether a schema asks for a mutable object, or names its class.
  private static func isMutable(_ schema: JSONTree, _ name: String) -> Bool {
    schema["x-mutable"]?.boolean == true || isClass(schema, of: [name])
  }

  private mutating func plainType(
    _ name: String, _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    let exact = Self.exactType(schema)
    if exact == "uid" { throw problem(.unsupported, "a UID has no Swift type", context) }
    switch name {
    case "string":
      if exact == "date" { return .scalar(.date) }
      if exact == "data" { return .scalar(.data) }
      return .scalar(text(schema))
    case "boolean": return .scalar(.boolean)
    case "number": return exact == "integer" ? .scalar(.integer) : .scalar(.real)
    case "integer": return integer(schema)
    case "array":
      let element = try element(schema, context)
      let isSet =
        schema["uniqueItems"]?.boolean == true
        || Self.isClass(schema, of: ["NSSet", "NSMutableSet"])
      return isSet && !element.isOptional && element != anyValue ? .set(element) : .list(element)
    case "object":
      if let type = codable(schema) { return .scalar(type) }
      return try object(schema, context)
    default: throw problem(.malformed, "'\(name)' is not a type", context)
    }
  }

  /// The type of a text: in an archive of objects by the class, in JSON also by the format.
  private func text(_ schema: JSONTree) -> SwiftType.Scalar {
    if Self.isClass(schema, of: ["NSURL"]) { return .url }
    if Self.isClass(schema, of: ["NSUUID"]) { return .uuid }
    if Self.isClass(schema, of: ["NSDecimalNumber"]) { return .decimal }
    switch schema["format"]?.string {
    case "uuid"?: return .uuid
    case "uri"?, "uri-reference"?: return envelope == .json ? .url : .string
    default: return .string
    }
  }

  /// The one type of property lists, besides null, that a schema names.
  private static func exactType(_ schema: JSONTree) -> String? {
    let names = schema["x-plist-type"]?.strings.filter { $0 != "null" } ?? []
    return names.count == 1 ? names.first : nil
  }

  /// Whether a schema names one of some classes first.
  private static func isClass(_ schema: JSONTree, of names: [String]) -> Bool {
    schema["x-class"]?.strings.first.map(names.contains) ?? false
  }

  /// The type whose values Codable writes as these objects; nil if they are an application's own.
  private func codable(_ schema: JSONTree) -> SwiftType.Scalar? {
    guard envelope != .json else { return nil }
    if schema.describesCodableURL { return .url }
    let parts = ["exponent", "isCompact", "isNegative", "length", "mantissa"]
    return schema.describesOnly(Set(parts), requiring: Set(parts)) ? .decimal : nil
  }

  private func integer(_ schema: JSONTree) -> SwiftType {
    if Self.exactType(schema) == "real" { return .scalar(.real) }
    guard case .unsigned? = schema["maximum"], case .integer(let least)? = schema["minimum"] else {
      return .scalar(.integer)
    }
    return least >= 0 ? .scalar(.unsigned) : .scalar(.integer)
  }

  private mutating func element(
    _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    let name = UniqueNames.singular(context.hint)
    let hint = name == context.hint ? name + "Element" : name
    if let first = schema["prefixItems"]?.list {
      let all = first + [schema["items"]].compactMap { $0 }.filter { $0.boolean != false }
      return try union(of: all, .members([]), context.inner("prefixItems", hint: hint))
    }
    guard let items = schema["items"] else { return anything().asOptional }
    return try resolve(items, context.inner("items", hint: hint))
  }

  // MARK: Objects

  private mutating func object(
    _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    let additional = schema["additionalProperties"]
    let properties = schema["properties"]?.members ?? []
    if properties.isEmpty, additional?.boolean != false || schema["patternProperties"] != nil {
      return .map(try mapValue(schema, context))
    }
    let documentation = documentation(of: schema)
    let rule = SwiftDeclaration.RecordRule(
      classes: schema["x-class"]?.strings ?? [], chain: schema["x-classes"]?.strings ?? [],
      isMutable: Self.isMutable(schema, "NSMutableDictionary"),
      isOpen: additional?.boolean != false, writesNull: envelope == .json)
    let name = declare(context, documentation: documentation, .record([], isReference: false, rule))
    let index = declarations.count - 1
    if let reference = context.reference {
      resolved[CodePointString(reference)] = .named(name)
    }
    let requiredNames = schema["required"]?.strings ?? []
    let required = Set(requiredNames)
    // A required member that no schema describes has the schema of additional members.
    let named = Set(properties.map(\.0))
    let undescribed = requiredNames.filter { !named.contains($0) }.map {
      ($0, additional ?? .boolean(true))
    }
    var propertyNames = SwiftNames(reserved: reservedProperties)
    var found: [SwiftDeclaration.Property] = []
    var keys: Set<String> = []
    for (key, value) in properties + undescribed
    where value.boolean != false && keys.insert(key).inserted {
      let inner = context.inner("properties", key, hint: key)
      let type = try resolve(value, inner)
      found.append(
        SwiftDeclaration.Property(
          key: key, name: propertyNames.lower(key, fallback: "value"), valueType: type,
          isRequired: required.contains(key), documentation: self.documentation(of: value),
          storage: value["x-storage"]?.strings.first, integers: Self.listedIntegers(value)))
    }
    declarations[index].form = .record(found, isReference: false, rule)
    return .named(name)
  }

  /// The values that a schema lists, if all are integers, such as the number of a version.
  private static func listedIntegers(_ schema: JSONTree) -> [Int] {
    let values = schema["enum"]?.list ?? schema["const"].map { [$0] } ?? []
    let integers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    return integers.count == values.count ? integers : []
  }

  private mutating func mapValue(
    _ schema: JSONTree, _ context: Context
  ) throws(ArchiveError) -> SwiftType {
    var all = schema["patternProperties"]?.members?.map(\.1) ?? []
    if let additional = schema["additionalProperties"], additional.members != nil {
      all.append(additional)
    }
    if all.isEmpty { return anything().asOptional }
    let name = UniqueNames.singular(context.hint)
    let hint = name == context.hint ? name + "Value" : name
    return try union(of: all, .members([]), context.inner("additionalProperties", hint: hint))
  }
}

// MARK: - The objects that Codable writes for values of Foundation

extension JSONTree {
  /// Whether a schema describes the objects that Codable writes for URLs.
  var describesCodableURL: Bool {
    [["relative"], ["relative", "base"]].contains { describesOnly($0, requiring: ["relative"]) }
      && self["properties"]?["relative"]?["type"]?.string == "string"
  }

  /// Whether a schema describes objects that have these members and no others.
  fileprivate func describesOnly(_ names: Set<String>, requiring required: Set<String>) -> Bool {
    self["additionalProperties"]?.boolean == false
      && Set(self["required"]?.strings ?? []) == required
      && Set((self["properties"]?.members ?? []).map(\.0)) == names
  }
}
