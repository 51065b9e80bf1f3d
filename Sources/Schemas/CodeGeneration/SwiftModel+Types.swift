// The Swift types of JSON's: numbers, lists, records and maps.

import Basics
import ObjectGraph
import PropertyLists

extension SwiftModel {
  mutating func types(
    of schema: JSONTree, _ place: Place
  ) throws(ArchiveError) -> Found {
    var names = schema["type"]?.strings ?? Self.impliedTypes(of: schema)
    let isNullable = names.contains("null")
    names.removeAll { $0 == "null" }
    // An integer is a number, which a union tells apart all the same: a real has no room for every integer.
    if names.allSatisfy({ $0 == "number" || $0 == "integer" }), names.contains("number") {
      names = ["number"]
    }
    if names.isEmpty { return Found(type: anything(), isNullable: true) }
    if names.count == 1 {
      return Found(type: try type(names[0], schema, place), isNullable: isNullable)
    }
    return try declareUnion(schema, isNullable, place) { (model, place) throws(ArchiveError) in
      var all: [Found] = []
      for name in names {
        let inner = Place(hint: place.hint + "Value", path: place.path, depth: place.depth + 1)
        all.append(Found(type: try model.type(name, schema, inner)))
      }
      return all
    }
  }

  private static func impliedTypes(of schema: JSONTree) -> [String] {
    let objects = ["properties", "additionalProperties", "patternProperties"]
    if objects.contains(where: { schema[$0] != nil }) { return ["object"] }
    if schema["items"] != nil || schema["prefixItems"] != nil { return ["array"] }
    switch schema["x-plist-type"]?.string {
    case "date"?, "data"?, "string"?: return ["string"]
    case "integer"?: return ["integer"]
    case "real"?: return ["number"]
    case let name? where ["null", "boolean", "array", "object"].contains(name): return [name]
    default: return []
    }
  }

  private mutating func type(
    _ name: String, _ schema: JSONTree, _ place: Place
  ) throws(ArchiveError) -> SwiftType {
    let exact = schema["x-plist-type"]?.string
    if exact == "uid" { throw problem(.unsupported, "a UID has no Swift type", place) }
    switch name {
    case "string":
      if exact == "date" { return .date }
      if exact == "data" { return .data }
      return schema["format"]?.string == "uuid" ? .uuid : .string
    case "boolean": return .boolean
    case "number": return exact == "integer" ? .integer : .real
    case "integer": return integer(schema)
    case "array": return .list(try element(schema, place))
    case "object": return try object(schema, place)
    default: throw problem(.malformed, "'\(name)' is no type", place)
    }
  }

  private func integer(_ schema: JSONTree) -> SwiftType {
    if schema["x-plist-type"]?.string == "real" { return .real }
    guard case .unsigned? = schema["maximum"], case .integer(let least)? = schema["minimum"] else {
      return .integer
    }
    return least >= 0 ? .unsigned : .integer
  }

  private mutating func element(
    _ schema: JSONTree, _ place: Place
  ) throws(ArchiveError) -> SwiftType {
    let name = DefinitionNames.singular(place.hint)
    let hint = name == place.hint ? name + "Element" : name
    if let first = schema["prefixItems"]?.list {
      let all = first + [schema["items"]].compactMap { $0 }.filter { $0.boolean != false }
      return try wrapped(union(of: all, .members([]), place.inner("prefixItems", hint: hint)))
    }
    guard let items = schema["items"] else { return anything().asOptional }
    return try wrapped(resolve(items, place.inner("items", hint: hint)))
  }

  private func wrapped(_ found: Found) -> SwiftType {
    found.isNullable ? found.type.asOptional : found.type
  }

  // MARK: Objects

  private mutating func object(
    _ schema: JSONTree, _ place: Place
  ) throws(ArchiveError) -> SwiftType {
    let additional = schema["additionalProperties"]
    let properties = schema["properties"]?.members ?? []
    if properties.isEmpty, additional?.boolean != false || schema["patternProperties"] != nil {
      return .map(try mapValue(schema, place))
    }
    let documentation = documentation(of: schema)
    let name = declare(place, documentation: documentation, .record([], isReference: false))
    let index = declarations.count - 1
    if let reference = place.reference { resolved[reference] = Found(type: .named(name)) }
    let requiredNames = schema["required"]?.strings ?? []
    let required = Set(requiredNames)
    // What must be there and no schema describes is as additional members are.
    let named = Set(properties.map(\.0))
    let undescribed = requiredNames.filter { !named.contains($0) }.map {
      ($0, additional ?? .boolean(true))
    }
    var propertyNames = SwiftNames(taken: SwiftNames.takenProperties)
    var found: [SwiftDeclaration.Property] = []
    var keys: Set<String> = []
    for (key, value) in properties + undescribed
    where value.boolean != false && keys.insert(key).inserted {
      let inner = place.inner("properties", key, hint: key)
      let type = try resolve(value, inner)
      let isOptional = type.isNullable || !required.contains(key)
      found.append(
        SwiftDeclaration.Property(
          key: key, name: propertyNames.lower(key, fallback: "value"),
          type: isOptional ? type.type.asOptional : type.type,
          documentation: self.documentation(of: value)))
    }
    declarations[index].form = .record(found, isReference: false)
    return .named(name)
  }

  /// The type of a map's values.
  private mutating func mapValue(
    _ schema: JSONTree, _ place: Place
  ) throws(ArchiveError) -> SwiftType {
    var all = schema["patternProperties"]?.members?.map(\.1) ?? []
    if let additional = schema["additionalProperties"], additional.members != nil {
      all.append(additional)
    }
    if all.isEmpty { return anything().asOptional }
    let name = DefinitionNames.singular(place.hint)
    let hint = name == place.hint ? name + "Value" : name
    return try wrapped(
      union(of: all, .members([]), place.inner("additionalProperties", hint: hint)))
  }
}
