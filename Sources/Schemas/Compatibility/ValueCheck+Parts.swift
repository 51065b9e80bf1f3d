// Arrays and objects against the keywords that speak of their parts.

import Basics
import PropertyLists

extension ValueCheck {
  func fitsList(
    _ items: [JSONTree], _ keyword: String, _ place: SchemaPlace, _ rule: JSONTree, _ depth: Int
  ) -> Certainty {
    switch keyword {
    case "minItems", "maxItems":
      return compare(items.count, rule, isLower: keyword == "minItems")
    case "uniqueItems":
      guard let isUnique = rule.boolean else { return .unknown }
      guard isUnique else { return .yes }
      guard items.count <= 64 else { return .unknown }
      return Certainty(
        !items.indices.contains { first in
          items[(first + 1)...].contains { $0.isSame(as: items[first]) }
        })
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
    default: return Self.isKnown(keyword) ? .yes : .unknown
    }
  }

  private func fitsContains(_ answers: [Certainty], _ place: SchemaPlace) -> Certainty {
    let certain = answers.filter { $0 == .yes }.count
    let possible = certain + answers.filter { $0 == .unknown }.count
    let least = place["minContains"] ?? .integer(1)
    let low = Certainty.all([
      compare(certain, least, isLower: true), compare(possible, least, isLower: true),
    ])
    // With answers that are not known, one of both counts decides only if the other agrees.
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

  func fitsMembers(
    _ value: JSONTree, _ keyword: String, _ place: SchemaPlace, _ rule: JSONTree, _ depth: Int
  ) -> Certainty {
    let names = Set((value.members ?? []).map { ExactText($0.0) })
    switch keyword {
    case "minProperties", "maxProperties":
      return compare(names.count, rule, isLower: keyword == "minProperties")
    case "required":
      guard let required = rule.listOfStrings else { return .unknown }
      return Certainty(required.allSatisfy { names.contains(ExactText($0)) })
    case "dependentRequired":
      return .all(
        (rule.members ?? []).map { name, others in
          guard names.contains(ExactText(name)) else { return .yes }
          guard let others = others.listOfStrings else { return .unknown }
          return Certainty(others.allSatisfy { names.contains(ExactText($0)) })
        })
    case "propertyNames":
      guard let schema = place.schema(keyword) else { return .unknown }
      // Names are texts, whatever is known of values.
      let check = ValueCheck(documents, isExact: true)
      return .all(names.map { check.fits(.string($0.text), schema, depth: depth + 1) })
    case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties":
      return .all(
        names.sorted().lazy.map { name in
          fitsMember(name, value[name.text] ?? .null, keyword, place, depth)
        })
    default: return Self.isKnown(keyword) ? .yes : .unknown
    }
  }

  private func fitsMember(
    _ name: ExactText, _ value: JSONTree, _ keyword: String, _ place: SchemaPlace, _ depth: Int
  ) -> Certainty {
    let named = place.schema("properties", name.text)
    if keyword == "properties" {
      return named.map { fits(value, $0, depth: depth + 1) } ?? .yes
    }
    let matches = place.schemas("patternProperties").map { pattern, schema in
      (Certainty(NameClass.decide(name, ExactText(pattern))), schema)
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
    // What another schema beside may have evaluated is not looked into.
    if place["additionalProperties"] != nil { return .yes }
    let isAlone = SchemaKeywords.applicators.allSatisfy { place[$0] == nil } && matches.isEmpty
    return isAlone ? answer : .unknown
  }
}
