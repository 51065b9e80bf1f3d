// The proof of one keyword of the outer schema: which rule is for which keyword, and those of scalars.

import Basics
import PropertyLists

extension ContainmentProver {
  /// Keywords that mean the same wherever they stand, so that an equal one beside proves them.
  private static let independent: Set<String> = [
    "const", "enum", "pattern", "format", "uniqueItems", "propertyNames", "dependentRequired",
    "dependentSchemas", "anyOf", "oneOf", "not",
  ]

  /// Proves a keyword from the facts as they are.
  mutating func proveDirectly(
    _ keyword: String, of outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    switch keyword {
    case "$ref": return proveReference(outer, facts, spot)
    case "allOf": return proveAll(outer, facts, spot)
    case "x-archive": return proveArchive(outer, facts, spot)
    case _ where SchemaKeywords.spokenFor.contains(keyword): return []
    default: break
    }
    if keyword == "x-archived", !facts.livingKinds().contains(.data) { return [] }
    if let kinds = ValueCheck.kinds(for: keyword), facts.livingKinds().isDisjoint(with: kinds) {
      return []
    }
    let isIndependent = Self.independent.contains(keyword) || !Self.isKnown(keyword)
    if isIndependent, facts.objects.contains(where: { documents.areAlike(keyword, $0, outer) }) {
      return []
    }
    if let values = facts.finiteValues {
      let others = values.filter {
        check.fits($0, keyword, of: outer, kinds: facts.kinds) != .yes && mayFit($0, facts)
      }
      if others.isEmpty { return [] }
      if facts.listed != nil { return listed(others, keyword, outer, facts, spot) }
    }
    return proveRule(keyword, outer, facts, spot)
  }

  private static let combined: Set<String> = [
    "type", "x-plist-type", "const", "enum", "anyOf", "oneOf", "not", "if", "format",
  ]

  private static func isKnown(_ keyword: String) -> Bool {
    combined.contains(keyword) || ValueCheck.isKnown(keyword)
  }

  /// Whether a listed value is not known to break another of the schemas.
  private func mayFit(_ value: JSONTree, _ facts: SchemaFacts) -> Bool {
    !facts.objects.contains { check.fits(value, $0, kinds: facts.kinds) == .no }
  }

  private func listed(
    _ values: [JSONTree], _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts,
    _ spot: ProofSpot
  ) -> [Obstacle] {
    let names = values.prefix(3).map(\.summary).joined(separator: ", ")
    let more = values.count > 3 ? " and \(values.count - 3) more" : ""
    let isKnown = values.contains {
      check.fits($0, keyword, of: outer, kinds: facts.kinds) == .no
    }
    let reason =
      isKnown
      ? "it may be \(names)\(more), which is not allowed"
      : "cannot be proved: whether '\(keyword)' allows \(names)\(more)"
    return [obstacle(facts, outer, keyword, spot, reason)]
  }

  private mutating func proveRule(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    switch keyword {
    case "type", "x-plist-type": return proveType(keyword, outer, facts, spot)
    case "const", "enum":
      return [
        obstacle(facts, outer, keyword, spot, "it may be another value than those listed")
      ]
    case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
      return proveBound(keyword, outer, facts, spot)
    case "multipleOf": return proveMultiple(outer, facts, spot)
    case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
      return proveCount(keyword, outer, facts, spot)
    case "pattern": return provePattern(outer, facts, spot)
    case "uniqueItems": return proveUniqueItems(outer, facts, spot)
    case "contains": return proveContains(outer, facts, spot)
    case "prefixItems", "items", "unevaluatedItems":
      return proveElements(keyword, outer, facts, spot)
    case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties":
      return proveMembers(keyword, outer, facts, spot)
    case "required": return proveRequired(outer, facts, spot)
    case "dependentRequired": return proveDependentRequired(outer, facts, spot)
    case "dependentSchemas": return proveDependentSchemas(outer, facts, spot)
    case "propertyNames": return proveNames(outer, facts, spot)
    case "x-archived": return proveArchived(outer, facts, spot)
    case "anyOf": return proveAny(outer, facts, spot)
    case "oneOf": return proveOne(outer, facts, spot)
    case "not": return proveNot(outer, facts, spot)
    case "if": return proveCondition(outer, facts, spot)
    default:
      let reason = "cannot be proved: '\(keyword)' is not looked into and has no equal"
      return [obstacle(facts, outer, keyword, spot, reason)]
    }
  }

  // MARK: Scalars

  private func proveType(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let tree = outer[keyword], let allowed = ValueKinds(tree, keyword: keyword) else {
      return malformed(keyword, outer, facts, spot)
    }
    let others = facts.livingKinds().subtracting(allowed)
    if others.isEmpty { return [] }
    var result = obstacle(
      facts, outer, keyword, spot,
      "it may be \(others.description), where only \(allowed.description) is allowed")
    // A schema of a type alone has values of that type, even those that JSON cannot spell.
    result.isRefuted =
      facts.objects.count == 1
      && facts.objects[0].tree.members?.allSatisfy { name, _ in
        name == "type" || name == "x-plist-type"
          || SchemaKeywords.isAnnotation(name, documents.options)
      } ?? false
    return [result]
  }

  private func proveBound(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let tree = outer[keyword], let number = ExactNumber(tree) else {
      return malformed(keyword, outer, facts, spot)
    }
    let isLower = keyword.lowercased().hasSuffix("minimum")
    let bound = SchemaFacts.Bound(number: number, isExclusive: keyword.hasPrefix("exclusive"))
    let known = isLower ? facts.minimum : facts.maximum
    if let known, isLower ? SchemaFacts.isAbove(known, bound) : SchemaFacts.isBelow(known, bound) {
      return []
    }
    let side = isLower ? "less" : "greater"
    let equal = bound.isExclusive ? "\(number.text) or \(side)" : "\(side) than \(number.text)"
    return [obstacle(facts, outer, keyword, spot, "it may be \(equal)")]
  }

  private func proveMultiple(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let tree = outer["multipleOf"], let divisor = ExactNumber(tree), divisor.isPositive else {
      return malformed("multipleOf", outer, facts, spot)
    }
    if facts.divisors.contains(where: { $0.isMultiple(of: divisor) }) { return [] }
    let isWhole = facts.kinds.isDisjoint(with: .fraction)
    if isWhole, ExactNumber.integer(1).isMultiple(of: divisor) { return [] }
    let reason = "it need not be a multiple of \(divisor.text)"
    return [obstacle(facts, outer, "multipleOf", spot, reason)]
  }

  private func proveCount(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let tree = outer[keyword], let bound = ExactNumber(tree) else {
      return malformed(keyword, outer, facts, spot)
    }
    let isLower = keyword.hasPrefix("min")
    var known = facts.count(keyword, isLower: isLower)
    if keyword == "minProperties" { known = max(known ?? 0, facts.required.count) }
    if keyword == "maxProperties", let names = closedNames(facts) {
      known = min(known ?? .max, names.count)
    }
    let count = known ?? (isLower ? 0 : nil)
    if let count {
      let number = ExactNumber.integer(Int128(count))
      if isLower ? number >= bound : number <= bound { return [] }
    }
    let things =
      keyword.hasSuffix("Length")
      ? "characters" : keyword.hasSuffix("Items") ? "elements" : "members"
    let side = isLower ? "fewer" : "more"
    return [
      obstacle(facts, outer, keyword, spot, "it may have \(side) than \(bound.text) \(things)")
    ]
  }

  private func provePattern(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let pattern = outer["pattern"]?.string else {
      return malformed("pattern", outer, facts, spot)
    }
    if facts.patterns.contains(ExactText(pattern)) { return [] }
    let plain = PlainPattern(pattern)
    if let plain {
      let known = facts.patterns.compactMap { PlainPattern($0.text) }
      if known.contains(where: { $0.implies(plain) }) { return [] }
    }
    let reason =
      facts.patterns.isEmpty || plain != nil
      ? "it need not match the pattern \(pattern)"
      : "cannot be proved: whether what matches the other pattern matches \(pattern)"
    return [obstacle(facts, outer, "pattern", spot, reason)]
  }

  func malformed(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    [obstacle(facts, outer, keyword, spot, "cannot be proved: '\(keyword)' is malformed")]
  }
}
