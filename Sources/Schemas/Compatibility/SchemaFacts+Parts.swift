// What a conjunction says of members and elements, and whether it has any value at all.

import Basics
import PropertyLists

extension SchemaFacts {
  /// How deep `isEmpty` looks for a required part that no value fits.
  private static let emptinessDepth = 4
  /// How many branches in one another it looks into: their number multiplies.
  private static let branchDepth = 2

  // MARK: Members

  /// The patterns of every `patternProperties`.
  var memberPatterns: [ExactText] {
    objects.flatMap { $0.schemas("patternProperties").map { ExactText($0.name) } }
  }

  /// The names that the schemas speak of, sorted.
  var memberNames: Set<ExactText> {
    var names = required
    for object in objects {
      names.formUnion(object.schemas("properties").map { ExactText($0.name) })
      names.formUnion((object["required"]?.listOfStrings ?? []).map(ExactText.init))
      // A name that only a branch speaks of is not among those that are left unevaluated.
      if object["unevaluatedProperties"] != nil {
        names.formUnion(EvaluatedNames(of: object, certainly: false, in: documents).names)
      }
    }
    return names.union(onlyNames ?? [])
  }

  /// The only names that members may have, where `propertyNames` lists them.
  var onlyNames: Set<ExactText>? {
    var result: Set<ExactText>?
    for object in objects {
      guard let rule = object.schema("propertyNames") else { continue }
      let names = SchemaFacts(Conjunction([rule], kinds: .text), documents)
      let listed = names.kinds.isEmpty ? [] : names.listed
      guard let texts = listed?.compactMap(\.string) else { continue }
      let allowed = Set(texts.map(ExactText.init))
      result = result.map { $0.intersection(allowed) } ?? allowed
    }
    return result
  }

  /// What members of some names fit; nil if there can be none.
  func member(_ names: NameClass, onlyNames: Set<ExactText>?) -> Conjunction? {
    if let onlyNames {
      guard let name = names.name, onlyNames.contains(name) else { return nil }
    }
    if maximumMembers == 0 { return nil }
    let places = objects.flatMap {
      Self.schemas(of: names, in: $0, documents, isContainer: false)
    }
    if places.contains(where: { $0.tree == .boolean(false) }) { return nil }
    return Conjunction(places)
  }

  /// The most members that a value has.
  var maximumMembers: Int? { count("maxProperties", isLower: false) }

  /// The schemas that an object of schemas applies to members of some names.
  ///
  /// - Parameter isContainer: whether too many may be given rather than too few, where that is not known.
  static func schemas(
    of names: NameClass, in object: SchemaPlace, _ documents: SchemaDocuments, isContainer: Bool
  ) -> [SchemaPlace] {
    var result: [SchemaPlace] = []
    if let name = names.name, let named = object.schema("properties", name.text) {
      result.append(named)
    }
    for (pattern, place) in object.schemas("patternProperties")
    where names.matching.contains(ExactText(pattern)) {
      result.append(place)
    }
    if let rest = object.schema("additionalProperties") {
      if result.isEmpty { result.append(rest) }
    } else if let rest = object.schema("unevaluatedProperties") {
      let evaluated = EvaluatedNames(of: object, certainly: isContainer, in: documents)
      if !evaluated.contains(names) { result.append(rest) }
    }
    return result
  }

  // MARK: Elements

  /// The longest `prefixItems`.
  var prefixCount: Int { objects.map { $0["prefixItems"]?.list?.count ?? 0 }.max() ?? 0 }

  /// What an element fits.
  func element(_ index: Int) -> Conjunction {
    Conjunction(objects.flatMap { Self.schemas(ofElement: index, in: $0) })
  }

  static func schemas(ofElement index: Int, in object: SchemaPlace) -> [SchemaPlace] {
    let prefix = object.list("prefixItems")
    if index < prefix.count { return [prefix[index]] }
    if let rest = object.schema("items") { return rest.tree.list == nil ? [rest] : [] }
    let others = SchemaKeywords.applicators.union(["contains"])
    if let rest = object.schema("unevaluatedItems"), others.allSatisfy({ object[$0] == nil }) {
      return [rest]
    }
    return []
  }

  // MARK: Emptiness

  /// Whether no value is known to fit; false where it is not known.
  func isEmpty(depth: Int = 0) -> Bool {
    if livingKinds(depth: depth).isEmpty { return true }
    guard depth < Self.emptinessDepth else { return false }
    if let values = listed, values.count <= 64 {
      let check = ValueCheck(documents, isExact: false)
      let isHopeless = values.allSatisfy { value in
        objects.contains { check.fits(value, $0, kinds: kinds) == .no }
      }
      if isHopeless { return true }
    }
    guard depth < Self.branchDepth else { return false }
    return alternatives.prefix(4).contains { choice in
      choice.branches.count <= 8
        && choice.branches.allSatisfy { branch in
          let narrowed = conjunction.adding(branch, choosing: choice.choice)
          return SchemaFacts(narrowed, documents).isEmpty(depth: depth + 1)
        }
    }
  }

  /// The kinds of which there is a value, as far as that is known.
  func livingKinds(depth: Int = 0) -> ValueKinds {
    var result = kinds
    if kinds.isDisjoint(with: [.object, .array]) { return result }
    if !kinds.isDisjoint(with: .object), hasImpossibleMember(depth) { result.subtract(.object) }
    if kinds.contains(.array), depth < Self.emptinessDepth {
      let count = min(self.count("minItems", isLower: true) ?? 0, 16)
      let isImpossible = (0..<count).contains {
        SchemaFacts(element($0), documents).isEmpty(depth: depth + 1)
      }
      if isImpossible { result.subtract(.array) }
    }
    return result
  }

  private func hasImpossibleMember(_ depth: Int) -> Bool {
    let most = maximumMembers
    if let most, max(required.count, count("minProperties", isLower: true) ?? 0) > most {
      return true
    }
    guard depth < Self.emptinessDepth, !required.isEmpty else { return false }
    let patterns = memberPatterns
    let onlyNames = onlyNames
    return required.contains { name in
      guard let classes = NameClass.classes(of: name, patterns: patterns) else { return false }
      return classes.allSatisfy { names in
        guard let member = member(names, onlyNames: onlyNames) else { return true }
        return SchemaFacts(member, documents).isEmpty(depth: depth + 1)
      }
    }
  }

  /// The only values, where there are few: listed ones, booleans and null, or integers between near bounds.
  var finiteValues: [JSONTree]? {
    if let listed { return listed }
    if kinds.isSubset(of: [.null, .boolean]) {
      return (kinds.contains(.null) ? [.null] : [])
        + (kinds.contains(.boolean) ? [.boolean(false), .boolean(true)] : [])
    }
    guard kinds.isSubset(of: .integer), let minimum, let maximum,
      minimum.number > .integer(-1 << 60), maximum.number < .integer(1 << 60)
    else { return nil }
    guard let low = minimum.number.integer, let high = maximum.number.integer,
      high - low <= 64
    else { return nil }
    return (low...max(low, high)).map { ExactNumber.integer($0).tree }
  }
}
