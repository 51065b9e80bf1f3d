// Checks whether one value fits a schema, for values that schemas list and for counterexamples. The answer may be
// "unknown": for a regular expression, or a keyword of another vocabulary.

import Basics
import PropertyLists

/// Checks values against schemas.
///
/// This is not `Validator`, which always decides. Here the stored type of a generated value may be open, a reference
/// may lead out of the document, and an expression may be beyond `PlainPattern`. Proofs use all three answers, ask
/// about single keywords of schemas that are not compiled, and must end, so that each step is counted.
struct ValueCheck {
  let documents: SchemaDocuments
  /// Whether the JSON form of a value determines its stored type; otherwise a string may be a date, a 5 a real.
  let isExact: Bool
  /// How deeply the remaining schemas may be nested.
  var depthLimit = 200

  init(_ documents: SchemaDocuments, isExact: Bool) {
    self.documents = documents
    self.isExact = isExact
  }

  /// Whether a value fits a schema, for any stored type among some kinds.
  func fits(
    _ value: JSONTree, _ place: Subschema, kinds: ValueKinds = .all, depth: Int = 0
  ) -> Certainty {
    if depth == 0 { documents.effort.begin() }
    guard depth < depthLimit, documents.effort.spend() else { return .unknown }
    if let flag = place.tree.boolean { return flag ? .yes : .no }
    guard let members = place.tree.members else { return .unknown }
    return .all(
      members.lazy.map { keyword, _ in
        fits(value, keyword, of: place, kinds: kinds, depth: depth)
      })
  }

  /// Whether a value fits all schemas of a conjunction.
  func fits(_ value: JSONTree, _ conjunction: Conjunction) -> Certainty {
    let own = ValueKinds(of: value, isExact: isExact)
    if own.isDisjoint(with: conjunction.kinds) { return .no }
    let base: Certainty = conjunction.kinds.isSuperset(of: own) ? .yes : .unknown
    let answers = conjunction.places.lazy.map { fits(value, $0, kinds: conjunction.kinds) }
    return .all([base, .all(answers)])
  }

  /// Whether a value fits one keyword of a schema.
  func fits(
    _ value: JSONTree, _ keyword: String, of place: Subschema, kinds: ValueKinds = .all,
    depth: Int = 0
  ) -> Certainty {
    if depth == 0 { documents.effort.begin() }
    if SchemaKeyword.isAnnotation(keyword, documents.options) || keyword == "x-archive" {
      return .yes
    }
    if SchemaKeyword.spokenFor.contains(keyword) { return .yes }
    guard let rule = place[keyword] else { return .yes }
    switch keyword {
    case "type", "x-plist-type": return fitsType(value, keyword, rule, kinds)
    case "const": return Certainty(value.isSame(as: rule))
    case "enum":
      guard let values = rule.list else { return .unknown }
      return Certainty(documents.listed.values(of: place, values).contains(SchemaValue(value)))
    case "$ref":
      guard let target = documents.target(of: rule, from: place) else { return .unknown }
      return fits(value, target, kinds: kinds, depth: depth + 1)
    case "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas":
      return fitsCombination(value, keyword, place, kinds, depth)
    default: break
    }
    switch value {
    case .null, .boolean: return isKnown(keyword) ? .yes : .unknown
    case .string(let text): return fitsString(text, keyword, rule)
    case .list(let items): return fitsList(items, keyword, place, rule, depth)
    case .members: return fitsMembers(value, keyword, place, rule, depth)
    default: return fitsNumber(value, keyword, rule)
    }
  }

  /// Whether a keyword is known not to apply to values of other kinds.
  private func isKnown(_ keyword: String) -> Bool { SchemaKeyword.kinds(of: keyword) != nil }

  private func fitsType(
    _ value: JSONTree, _ keyword: String, _ rule: JSONTree, _ kinds: ValueKinds
  ) -> Certainty {
    guard let allowed = ValueKinds(rule, keyword: keyword) else { return .unknown }
    let possible = ValueKinds(of: value, isExact: isExact).intersection(kinds)
    if allowed.isSuperset(of: possible) { return .yes }
    return allowed.isDisjoint(with: possible) ? .no : .unknown
  }

  private func fitsNumber(_ value: JSONTree, _ keyword: String, _ rule: JSONTree) -> Certainty {
    guard SchemaKeyword.kinds(of: keyword) == .number else {
      return isKnown(keyword) ? .yes : .unknown
    }
    guard let number = ExactNumber(value), let bound = ExactNumber(rule) else { return .unknown }
    switch keyword {
    case "minimum": return Certainty(number >= bound)
    case "maximum": return Certainty(number <= bound)
    case "exclusiveMinimum": return Certainty(number > bound)
    case "exclusiveMaximum": return Certainty(number < bound)
    default: return Certainty(number.isMultiple(of: bound))
    }
  }

  private func fitsString(_ text: String, _ keyword: String, _ rule: JSONTree) -> Certainty {
    switch keyword {
    case "minLength", "maxLength":
      guard let bound = ExactNumber(rule) else { return .unknown }
      let length = ExactNumber.integer(Int128(text.unicodeScalars.count))
      return Certainty(keyword == "minLength" ? length >= bound : length <= bound)
    case "pattern":
      guard let plain = rule.string.flatMap({ PlainPattern($0) }) else { return .unknown }
      return Certainty(plain.matches(text))
    default: return isKnown(keyword) ? .yes : .unknown
    }
  }

  private func fitsCombination(
    _ value: JSONTree, _ keyword: String, _ place: Subschema, _ kinds: ValueKinds, _ depth: Int
  ) -> Certainty {
    func fits(_ place: Subschema) -> Certainty {
      self.fits(value, place, kinds: kinds, depth: depth + 1)
    }
    let branches = place.list(keyword)
    switch keyword {
    case "allOf": return branches.isEmpty ? .unknown : .all(branches.lazy.map(fits))
    case "anyOf": return branches.isEmpty ? .unknown : .any(branches.lazy.map(fits))
    case "oneOf":
      let answers = branches.map(fits)
      if answers.filter({ $0 == .yes }).count > 1 { return .no }
      if answers.contains(.unknown) || answers.isEmpty { return .unknown }
      return Certainty(answers.contains(.yes))
    case "not": return place.schema("not").map { !fits($0) } ?? .yes
    case "if":
      guard let condition = place.schema("if") else { return .yes }
      let then = place.schema("then").map(fits) ?? .yes
      let otherwise = place.schema("else").map(fits) ?? .yes
      switch fits(condition) {
      case .yes: return then
      case .no: return otherwise
      case .unknown: return then == otherwise ? then : .unknown
      }
    default:
      guard value.members != nil else { return .yes }
      return .all(
        place.schemas("dependentSchemas").lazy.map { name, place in
          value[name] == nil ? .yes : fits(place)
        })
    }
  }
}

// MARK: - Arrays and objects, checked against the keywords about their parts

extension ValueCheck {
  private func fitsList(
    _ items: [JSONTree], _ keyword: String, _ place: Subschema, _ rule: JSONTree, _ depth: Int
  ) -> Certainty {
    switch keyword {
    case "minItems", "maxItems":
      return compare(items.count, rule, isLower: keyword == "minItems")
    case "uniqueItems":
      guard let isUnique = rule.boolean else { return .unknown }
      guard isUnique else { return .yes }
      guard items.count <= 64 else { return .unknown }
      return Certainty(Set(items.map(SchemaValue.init)).count == items.count)
    case "prefixItems":
      return .all(
        zip(items, place.list(keyword)).lazy.map { fits($0, $1, depth: depth + 1) })
    case "items":
      guard let schema = place.schema("items"), rule.list == nil else { return .unknown }
      let rest = items.dropFirst(place["prefixItems"]?.list?.count ?? 0)
      return .all(rest.lazy.map { fits($0, schema, depth: depth + 1) })
    case "contains":
      guard let schema = place.schema("contains") else { return .unknown }
      return fitsContains(items.map { fits($0, schema, depth: depth + 1) }, place)
    case "unevaluatedItems":
      return rule == .boolean(true) || place["items"] != nil ? .yes : .unknown
    default: return isKnown(keyword) ? .yes : .unknown
    }
  }

  private func fitsContains(_ answers: [Certainty], _ place: Subschema) -> Certainty {
    let certain = answers.filter { $0 == .yes }.count
    let possible = certain + answers.filter { $0 == .unknown }.count
    let least = place["minContains"] ?? .integer(1)
    let low = Certainty.all([
      compare(certain, least, isLower: true), compare(possible, least, isLower: true),
    ])
    // With unknown answers, one of the two counts decides only if the other agrees.
    let isShort = compare(possible, least, isLower: true) == .no
    guard let most = place["maxContains"] else {
      return isShort ? .no : (low == .yes ? .yes : .unknown)
    }
    if isShort || compare(certain, most, isLower: false) == .no { return .no }
    return low == .yes && compare(possible, most, isLower: false) == .yes ? .yes : .unknown
  }

  private func compare(_ count: Int, _ rule: JSONTree, isLower: Bool) -> Certainty {
    guard let bound = ExactNumber(rule) else { return .unknown }
    let count = ExactNumber.integer(Int128(count))
    return Certainty(isLower ? count >= bound : count <= bound)
  }

  private func fitsMembers(
    _ value: JSONTree, _ keyword: String, _ place: Subschema, _ rule: JSONTree, _ depth: Int
  ) -> Certainty {
    let names = Set((value.members ?? []).map { CodePointString($0.0) })
    switch keyword {
    case "minProperties", "maxProperties":
      return compare(names.count, rule, isLower: keyword == "minProperties")
    case "required":
      guard let required = rule.listOfStrings else { return .unknown }
      return Certainty(required.allSatisfy { names.contains(CodePointString($0)) })
    case "dependentRequired":
      return .all(
        (rule.members ?? []).map { name, others in
          guard names.contains(CodePointString(name)) else { return .yes }
          guard let others = others.listOfStrings else { return .unknown }
          return Certainty(others.allSatisfy { names.contains(CodePointString($0)) })
        })
    case "propertyNames":
      guard let schema = place.schema(keyword) else { return .unknown }
      // Names are always strings, whatever is known about values.
      let check = ValueCheck(documents, isExact: true)
      return .all(names.map { check.fits(.string($0.text), schema, depth: depth + 1) })
    case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties":
      return .all(
        names.sorted().lazy.map { name in
          fitsMember(name, value[name.text] ?? .null, keyword, place, depth)
        })
    default: return isKnown(keyword) ? .yes : .unknown
    }
  }

  private func fitsMember(
    _ name: CodePointString, _ value: JSONTree, _ keyword: String, _ place: Subschema, _ depth: Int
  ) -> Certainty {
    let named = place.schema("properties", name.text)
    if keyword == "properties" {
      return named.map { fits(value, $0, depth: depth + 1) } ?? .yes
    }
    let matches = place.schemas("patternProperties").map { pattern, schema in
      (Certainty(NameClass.decide(name, CodePointString(pattern))), schema)
    }
    if keyword == "patternProperties" {
      return .all(
        matches.lazy.map { match, schema in
          if match == .no { return .yes }
          let answer = fits(value, schema, depth: depth + 1)
          return match == .yes || answer == .yes ? answer : .unknown
        })
    }
    if named != nil || matches.contains(where: { $0.0 == .yes }) { return .yes }
    guard let rest = place.schema(keyword) else { return .unknown }
    let answer = fits(value, rest, depth: depth + 1)
    if answer == .yes || keyword == "additionalProperties" {
      return matches.allSatisfy { $0.0 == .no } || answer == .yes ? answer : .unknown
    }
    // What a neighboring schema may have evaluated is not examined.
    if place["additionalProperties"] != nil { return .yes }
    let isAlone = SchemaKeyword.inPlace.allSatisfy { place[$0] == nil } && matches.isEmpty
    return isAlone ? answer : .unknown
  }
}

// MARK: - A limit on the work for checking single values in a proof: branches of recursive schemas multiply

/// Counts the schemas that values are checked against in one proof.
final class CheckEffort {
  /// The schemas for one value.
  private static let callLimit = 5_000

  private var call = 0
  /// The schemas for all values together.
  private var total = 300_000

  /// Begins with a value.
  fileprivate func begin() { call = Self.callLimit }

  /// Spends a step; false if none is left, so that the answer is unknown.
  fileprivate func spend() -> Bool {
    guard call > 0, total > 0 else { return false }
    call -= 1
    total -= 1
    return true
  }
}

// MARK: - The answers of a check that may not know

/// An answer that may be "unknown".
enum Certainty {
  case yes
  case no
  case unknown

  init(_ flag: Bool?) {
    switch flag {
    case true: self = .yes
    case false: self = .no
    default: self = .unknown
    }
  }

  static prefix func ! (answer: Certainty) -> Certainty {
    switch answer {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }

  /// Whether all hold.
  fileprivate static func all(_ answers: some Sequence<Certainty>) -> Certainty {
    var result = Certainty.yes
    for answer in answers {
      if answer == .no { return .no }
      if answer == .unknown { result = .unknown }
    }
    return result
  }

  /// Whether at least one holds.
  fileprivate static func any(_ answers: some Sequence<Certainty>) -> Certainty {
    !all(answers.map { !$0 })
  }
}
