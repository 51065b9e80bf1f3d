// The rules for the members of objects, and how they change when members are added and removed.

import Basics
import PropertyLists
import Schemas

/// A schema of the members with one name, or of those that match a pattern.
struct NamedSchema {
  /// The name, or the pattern.
  let name: String
  var schema: LensSchema

  /// The same name with an additional schema.
  func and(_ other: LensSchema) -> NamedSchema {
    NamedSchema(name: name, schema: schema.and(other))
  }
}

/// The rules for the members of objects.
struct MemberShape {
  var named: [NamedSchema] = []
  var required: Set<CodePointString> = []
  var patterns: [NamedSchema] = []
  /// The schema of members that no name or pattern matches.
  var rest: LensSchema = .anything
  /// Whether a schema constrains those members.
  var hasRest = false
  /// The schemas that the names of members must fit.
  var names: [JSONTree] = []
  /// Names that lenses have added, which need not fit `names`.
  var broughtNames: [String] = []
  var least = 0
  var most: Int?
  var dependents: [(name: String, required: [String])] = []

  // MARK: Queries

  private func position(_ name: String) -> Int? {
    named.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Whether `properties` allows the member.
  func names(_ name: String) -> Bool {
    position(name).map { !named[$0].schema.isNothing } ?? false
  }

  /// Whether a value may have the member.
  func mayHave(_ name: String) -> Bool {
    if let position = position(name) { return !named[position].schema.isNothing }
    return !rest.isNothing || patterns.contains { Self.matches(name, $0.name) != false }
  }

  /// Whether a value must have the member.
  func requires(_ name: String) -> Bool { required.contains(CodePointString(name)) }

  /// The schema of the member's value.
  func schema(of name: String) -> LensSchema {
    var result = base(of: name)
    for pattern in patterns where Self.matches(name, pattern.name) == true {
      result = result.and(pattern.schema)
    }
    return result
  }

  /// The schema of a member's value, without the schemas of patterns.
  private func base(of name: String) -> LensSchema {
    if let position = position(name) { return named[position].schema }
    return patterns.contains { Self.matches(name, $0.name) != false } ? .anything : rest
  }

  /// Whether a name matches a pattern; nil if that is unknown.
  private static func matches(_ name: String, _ pattern: String) -> Bool? {
    PlainPattern(pattern)?.matches(name)
  }

  /// Whether a value cannot have any member.
  var isEmpty: Bool {
    named.allSatisfy { $0.schema.isNothing } && rest.isNothing
      && patterns.allSatisfy { $0.schema.isNothing }
  }

  // MARK: Changes

  /// Removes a member.
  mutating func take(_ name: String) {
    named.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    if mayHave(name) { named.append(NamedSchema(name: name, schema: .nothing)) }
    required.remove(CodePointString(name))
    forget(name)
    least = max(least - 1, 0)
  }

  /// Adds a member that did not exist before.
  mutating func insert(_ name: String, _ schema: LensSchema, isRequired: Bool) {
    replace(name, schema)
    if isRequired { required.insert(CodePointString(name)) }
    forget(name)
    if !names.isEmpty { broughtNames.append(name) }
    most = most.map { $0 == .max ? $0 : $0 + 1 }
  }

  /// Renames a member.
  mutating func rename(_ source: String, to destination: String) {
    let schema = schema(of: source)
    let (isRequired, least, most) = (requires(source), least, most)
    let dependents = dependents.map { entry in
      (
        name: entry.name.utf8.elementsEqual(source.utf8) ? destination : entry.name,
        required: entry.required.map { $0.utf8.elementsEqual(source.utf8) ? destination : $0 }
      )
    }
    take(source)
    insert(destination, schema, isRequired: isRequired)
    (self.least, self.most, self.dependents) = (least, most, dependents)
  }

  /// Changes the values that a member may have.
  mutating func replace(_ name: String, _ schema: LensSchema) {
    if let position = position(name) {
      named[position].schema = schema
    } else {
      named.append(NamedSchema(name: name, schema: schema))
    }
    // The pattern applied to the original value.
    for index in patterns.indices where Self.matches(name, patterns[index].name) != false {
      patterns[index].schema = .anything
    }
  }

  /// Makes a member optional.
  mutating func makeOptional(_ name: String) {
    required.remove(CodePointString(name))
    forget(name)
    least = max(least - 1, 0)
  }

  /// Removes the rules that the member triggers, and those that require it.
  private mutating func forget(_ name: String) {
    dependents.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    for index in dependents.indices {
      dependents[index].required.removeAll { $0.utf8.elementsEqual(name.utf8) }
    }
  }

  // MARK: Joining

  /// The conjunction of both.
  func and(_ other: MemberShape) -> MemberShape {
    var result = self
    result.named = named.map {
      NamedSchema(name: $0.name, schema: $0.schema.and(other.base(of: $0.name)))
    }
    for part in other.named where position(part.name) == nil {
      let schema = base(of: part.name).and(part.schema)
      result.named.append(NamedSchema(name: part.name, schema: schema))
    }
    // Members that match a pattern of one shape belong to `rest` of the other, if that has no patterns.
    result.patterns =
      patterns.map { $0.and(other.patterns.isEmpty ? other.rest : .anything) }
      + other.patterns.map { $0.and(patterns.isEmpty ? rest : .anything) }
    result.required.formUnion(other.required)
    result.rest = rest.and(other.rest)
    result.hasRest = hasRest || other.hasRest
    result.names += other.names
    result.broughtNames += other.broughtNames
    result.least = max(least, other.least)
    result.most = [most, other.most].compactMap { $0 }.min()
    result.dependents += other.dependents
    return result
  }
}
