// What a conjunction requires of its values, keyword by keyword, for all its schemas together.
//
// Constraints that are not understood are left out: the facts then hold for more values than the schemas.

import ArchiveBasics
import ArchivePropertyLists

struct SchemaFacts {
  struct Bound: Equatable {
    let number: ExactNumber
    let isExclusive: Bool
  }

  let conjunction: Conjunction
  /// Every schema that applies: those of the conjunction, and those behind `$ref` and `allOf`.
  private(set) var objects: [Subschema] = []
  private(set) var kinds: ValueKinds
  /// The kinds that `type` and `x-plist-type` allow, and the values that are listed, whatever other keywords say.
  private(set) var declaredKinds: ValueKinds = []
  private(set) var declaredValues: [JSONTree]?
  /// The only values, if the schemas list them.
  private(set) var listed: [JSONTree]?
  private(set) var minimum: Bound?
  private(set) var maximum: Bound?
  private(set) var divisors: [ExactNumber] = []
  private(set) var required: Set<CodePointString> = []

  /// The limit on schemas behind `$ref` and `allOf`; those beyond it are left out.
  private static let objectLimit = 1024

  init(_ conjunction: Conjunction) {
    self.conjunction = conjunction
    kinds = conjunction.kinds
    gather(conjunction.schemas)
    for object in objects { readScalars(object) }
    gatherRequired()
    (declaredKinds, declaredValues) = (kinds, listed)
    reduceKinds()
  }

  // MARK: Gathering

  private mutating func gather(_ schemas: [Subschema]) {
    var met = Set(objects)
    var waiting = Array(schemas.reversed())
    while let schema = waiting.popLast(), met.count < Self.objectLimit {
      guard met.insert(schema).inserted else { continue }
      if schema.tree == .boolean(false) { kinds = [] }
      guard schema.tree.members != nil else { continue }
      objects.append(schema)
      if let target = schema["$ref"].flatMap(schema.target) { waiting.append(target) }
      waiting += schema.list("allOf")
    }
  }

  private mutating func readScalars(_ schema: Subschema) {
    for keyword in ["type", "x-plist-type"] {
      if let tree = schema[keyword], let allowed = ValueKinds(tree, keyword: keyword) {
        kinds.formIntersection(allowed)
      }
    }
    if let constant = schema["const"] { list([constant]) }
    if let values = schema["enum"]?.list { list(values) }
    Self.tighten(&minimum, schema, "minimum", "exclusiveMinimum", Self.isAbove)
    Self.tighten(&maximum, schema, "maximum", "exclusiveMaximum", Self.isBelow)
    if let tree = schema["multipleOf"], let divisor = ExactNumber(tree), divisor.isPositive {
      divisors.append(divisor)
    }
  }

  private mutating func list(_ values: [JSONTree]) {
    let allowed = Set(values.map(SchemaValue.init))
    listed = listed?.filter { allowed.contains(SchemaValue($0)) } ?? values
  }

  private static func tighten(
    _ bound: inout Bound?, _ schema: Subschema, _ inclusive: String, _ exclusive: String,
    _ isAtLeast: (Bound, Bound) -> Bool
  ) {
    for (keyword, isExclusive) in [(inclusive, false), (exclusive, true)] {
      guard let number = schema[keyword].flatMap({ ExactNumber($0) }) else { continue }
      let next = Bound(number: number, isExclusive: isExclusive)
      if bound.map({ isAtLeast(next, $0) }) ?? true { bound = next }
    }
  }

  /// Whether a lower bound is at least as tight as another.
  static func isAbove(_ bound: Bound, _ other: Bound) -> Bool {
    bound.number > other.number
      || bound.number == other.number && (bound.isExclusive || !other.isExclusive)
  }

  /// Whether an upper bound is at least as tight as another.
  static func isBelow(_ bound: Bound, _ other: Bound) -> Bool {
    bound.number < other.number
      || bound.number == other.number && (bound.isExclusive || !other.isExclusive)
  }

  /// Gathers required names and the names that these require; each round may find more.
  private mutating func gatherRequired() {
    for _ in 0..<8 {
      let count = required.count
      let known = objects.count
      for object in objects {
        required.formUnion((object["required"]?.listOfStrings ?? []).map(CodePointString.init))
        // Only a dictionary has members, and only its names require others.
        for (name, names) in object["dependentRequired"]?.members ?? []
        where required.contains(CodePointString(name)) {
          required.formUnion((names.listOfStrings ?? []).map(CodePointString.init))
        }
      }
      if kinds.isSubset(of: .object) {
        let more = objects.flatMap { object in
          object.schemas("dependentSchemas").filter { required.contains(CodePointString($0.name)) }
        }
        gather(more.map(\.schema))
        for object in objects[known...] { readScalars(object) }
      }
      if required.count == count, objects.count == known { return }
    }
  }

  /// The first keyword with branches, at least one of which a value fits, and none of which was chosen; each branch is a
  /// list of schemas that all apply.
  var alternatives: (choice: Conjunction.Choice, branches: [[Subschema]])? {
    for schema in objects {
      for keyword in ["anyOf", "oneOf", "if"] where schema[keyword] != nil {
        let choice = Conjunction.Choice(schema: schema, keyword: keyword)
        let branches =
          keyword == "if"
          ? [["if", "then"], ["else"]].map { $0.compactMap(schema.schema) }
          : schema.list(keyword).map { [$0] }
        if !branches.isEmpty, !conjunction.choices.contains(choice) { return (choice, branches) }
      }
    }
    return nil
  }

  // MARK: Conclusions

  /// Removes the kinds that no value of the facts has.
  private mutating func reduceKinds() {
    if divisors.contains(where: \.isIntegral) { kinds.subtract(.fraction) }
    if let minimum, let maximum {
      let isEmpty =
        minimum.number > maximum.number
        || minimum.number == maximum.number && (minimum.isExclusive || maximum.isExclusive)
      if isEmpty { kinds.subtract(.number) }
    }
    for (suffix, kind) in [("Length", ValueKinds.text), ("Items", .array)] {
      if let low = count("min" + suffix), let high = count("max" + suffix), low > high {
        kinds.subtract(kind)
      }
    }
    if let values = listed {
      let kept = values.filter { !ValueKinds(of: $0).isDisjoint(with: kinds) }
      listed = kept
      kinds.formIntersection(
        kept.reduce(into: []) { $0.formUnion(ValueKinds(of: $1)) })
    }
  }

  /// The tightest value of a keyword that counts.
  func count(_ keyword: String) -> Int? {
    let counts = objects.compactMap { object -> Int? in
      guard let tree = object[keyword], let number = ExactNumber(tree)?.integer else {
        return nil
      }
      // A count beyond `Int` is equivalent to the largest.
      return number < 0 ? nil : Int(clamping: number)
    }
    return keyword.hasPrefix("min") ? counts.max() : counts.min()
  }
}

// MARK: - What a conjunction requires of members and elements

extension SchemaFacts {
  // MARK: Members

  /// The patterns of every `patternProperties`.
  var memberPatterns: [CodePointString] {
    objects.flatMap { $0.schemas("patternProperties").map { CodePointString($0.name) } }
  }

  /// The names that the schemas mention, sorted.
  var memberNames: Set<CodePointString> {
    var names = required
    for object in objects {
      names.formUnion(object.schemas("properties").map { CodePointString($0.name) })
      // Names that only a branch mentions are not among the unevaluated ones.
      if object["unevaluatedProperties"] != nil {
        names.formUnion(EvaluatedNames(of: object).names)
      }
    }
    return names.union(onlyNames ?? [])
  }

  /// The only names that members may have, where `propertyNames` lists them.
  var onlyNames: Set<CodePointString>? {
    var result: Set<CodePointString>?
    for object in objects {
      guard let rule = object.schema("propertyNames") else { continue }
      let names = SchemaFacts(Conjunction([rule], kinds: .text))
      let listed = names.kinds.isEmpty ? [] : names.listed
      guard let texts = listed?.compactMap(\.string) else { continue }
      let allowed = Set(texts.map(CodePointString.init))
      result = result.map { $0.intersection(allowed) } ?? allowed
    }
    return result
  }

  /// The schemas that members with certain names must fit; nil if such members are forbidden.
  func member(_ names: NameClass) -> Conjunction? {
    if count("maxProperties") == 0 { return nil }
    let schemas = objects.flatMap { Self.schemas(of: names, in: $0) }
    if schemas.contains(where: { $0.tree == .boolean(false) }) { return nil }
    return Conjunction(schemas)
  }

  /// The schemas that a schema object applies to members with certain names; too few where that is not known.
  static func schemas(of names: NameClass, in object: Subschema) -> [Subschema] {
    var result: [Subschema] = []
    if let name = names.name, let named = object.schema("properties", name.text) {
      result.append(named)
    }
    for (pattern, schema) in object.schemas("patternProperties")
    where names.matching.contains(CodePointString(pattern)) {
      result.append(schema)
    }
    if let rest = object.schema("additionalProperties") {
      if result.isEmpty { result.append(rest) }
    } else if let rest = object.schema("unevaluatedProperties") {
      if !EvaluatedNames(of: object).contains(names) { result.append(rest) }
    }
    return result
  }

  // MARK: Elements

  /// The longest `prefixItems`.
  var prefixCount: Int { objects.map { $0["prefixItems"]?.list?.count ?? 0 }.max() ?? 0 }

  func element(_ index: Int) -> Conjunction {
    Conjunction(objects.flatMap { Self.schemas(ofElement: index, in: $0) })
  }

  static func schemas(ofElement index: Int, in object: Subschema) -> [Subschema] {
    let prefix = object.list("prefixItems")
    if index < prefix.count { return [prefix[index]] }
    if let rest = object.schema("items") { return rest.tree.list == nil ? [rest] : [] }
    let others = SchemaKeyword.sameValue.union(["contains"])
    if let rest = object.schema("unevaluatedItems"), others.allSatisfy({ object[$0] == nil }) {
      return [rest]
    }
    return []
  }
}

// MARK: - The members that a schema evaluates, for `unevaluatedProperties` (JSON Schema Core 2020-12, section 11.3)

/// The members that a schema evaluates.
struct EvaluatedNames {
  var names: Set<CodePointString> = []
  var patterns: Set<CodePointString> = []
  /// Whether it evaluates every member.
  private var isAll = false

  /// Collects the members that a schema may evaluate in some value, too many where that is not known.
  init(of root: Subschema) {
    let schemas = [root].withBranches
    for schema in schemas {
      names.formUnion(schema.schemas("properties").map { CodePointString($0.name) })
      let found = schema.schemas("patternProperties").map { CodePointString($0.name) }
      patterns.formUnion(found)
      // Names were not matched against the patterns of other schemas.
      let isOpen = schema != root && (!found.isEmpty || schema["unevaluatedProperties"] != nil)
      let isUnknown = ["additionalProperties", "$dynamicRef", "$recursiveRef"].contains {
        schema[$0] != nil
      }
      let isLost = schema["$ref"].map { schema.target(of: $0) == nil } ?? false
      if isOpen || isUnknown || isLost || schemas.count == 256 { isAll = true }
    }
  }

  /// Whether the names of a class are evaluated.
  func contains(_ names: NameClass) -> Bool {
    if isAll || !names.matching.isDisjoint(with: patterns) { return true }
    return names.name.map { self.names.contains($0) } ?? false
  }
}
