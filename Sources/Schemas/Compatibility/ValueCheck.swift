// Whether one value fits a schema, for values that schemas list and for counterexamples. It says so where it does not
// know: behind a regular expression, or a keyword of another vocabulary.

import Basics
import PropertyLists

/// Checks values against schemas.
struct ValueCheck {
  let documents: SchemaDocuments
  /// Whether the spelling of a value tells its stored type; otherwise a string may be a date's, a 5 a real.
  let isExact: Bool
  /// How many schemas may lie in one another on the way.
  var depthLimit = 200

  init(_ documents: SchemaDocuments, isExact: Bool) {
    self.documents = documents
    self.isExact = isExact
  }

  /// Whether a value fits a schema, whatever its stored type among some kinds.
  func fits(
    _ value: JSONTree, _ place: SchemaPlace, kinds: ValueKinds = .all, depth: Int = 0
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
    _ value: JSONTree, _ keyword: String, of place: SchemaPlace, kinds: ValueKinds = .all,
    depth: Int = 0
  ) -> Certainty {
    if depth == 0 { documents.effort.begin() }
    if SchemaKeywords.isAnnotation(keyword, documents.options) || keyword == "x-archive" {
      return .yes
    }
    if SchemaKeywords.spokenFor.contains(keyword) { return .yes }
    guard let rule = place[keyword] else { return .yes }
    switch keyword {
    case "type", "x-plist-type": return fitsType(value, keyword, rule, kinds)
    case "const": return Certainty(value.isSame(as: rule))
    case "enum":
      guard let values = rule.list else { return .unknown }
      return Certainty(documents.listed.values(of: place, values).contains(value))
    case "$ref":
      guard let target = documents.target(of: rule, from: place) else { return .unknown }
      return fits(value, target, kinds: kinds, depth: depth + 1)
    case "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas":
      return fitsCombination(value, keyword, place, kinds, depth)
    default: break
    }
    switch value {
    case .null, .boolean: return Self.isKnown(keyword) ? .yes : .unknown
    case .string(let text): return fitsString(text, keyword, rule)
    case .list(let items): return fitsList(items, keyword, place, rule, depth)
    case .members: return fitsMembers(value, keyword, place, rule, depth)
    default: return fitsNumber(value, keyword, rule)
    }
  }

  /// Keywords that say something of one type only.
  private static let typed: [String: String] = [
    "minimum": "number", "maximum": "number", "exclusiveMinimum": "number",
    "exclusiveMaximum": "number", "multipleOf": "number", "minLength": "string",
    "maxLength": "string", "pattern": "string", "minItems": "array", "maxItems": "array",
    "uniqueItems": "array", "items": "array", "prefixItems": "array", "contains": "array",
    "unevaluatedItems": "array", "properties": "object", "patternProperties": "object",
    "additionalProperties": "object", "unevaluatedProperties": "object", "required": "object",
    "minProperties": "object", "maxProperties": "object", "dependentRequired": "object",
    "propertyNames": "object", "dependentSchemas": "object",
  ]

  /// The kinds that a keyword says something of; nil if it may say something of any.
  static func kinds(for keyword: String) -> ValueKinds? {
    typed[keyword].flatMap { ValueKinds(type: $0) }
  }

  static func isKnown(_ keyword: String) -> Bool { typed[keyword] != nil }

  private func fitsType(
    _ value: JSONTree, _ keyword: String, _ rule: JSONTree, _ kinds: ValueKinds
  ) -> Certainty {
    guard let allowed = ValueKinds(rule, keyword: keyword) else { return .unknown }
    let possible = ValueKinds(of: value, isExact: isExact).intersection(kinds)
    if allowed.isSuperset(of: possible) { return .yes }
    return allowed.isDisjoint(with: possible) ? .no : .unknown
  }

  private func fitsNumber(_ value: JSONTree, _ keyword: String, _ rule: JSONTree) -> Certainty {
    guard Self.kinds(for: keyword) == .number else {
      return Self.isKnown(keyword) ? .yes : .unknown
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
    default: return Self.isKnown(keyword) ? .yes : .unknown
    }
  }

  private func fitsCombination(
    _ value: JSONTree, _ keyword: String, _ place: SchemaPlace, _ kinds: ValueKinds, _ depth: Int
  ) -> Certainty {
    func fits(_ place: SchemaPlace) -> Certainty {
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
