// Proves that every keyword of the outer schema holds for every value that fits the inner schemas.
//
// A schema object holds if each of its keywords does, so each is proved separately. A pair that appears again inside
// its own proof counts as proved if the walk has entered a part of the value in between: values are finite, so that is
// induction.

import Basics
import PropertyLists

/// The current position of a proof.
struct ProofLocation {
  /// The path in the model.
  let path: GraphPath
  /// How many parts of the value were entered.
  let levels: Int
  /// How deeply the schemas are nested.
  var depth = 0

  func part(_ step: GraphPath.Step) -> ProofLocation {
    ProofLocation(path: path.appending(step), levels: levels + 1, depth: depth)
  }

  func named(_ path: GraphPath) -> ProofLocation {
    ProofLocation(path: path, levels: levels, depth: depth)
  }
}

/// Proves containment, or collects the obstacles.
struct ContainmentProver {
  typealias Obstacle = SchemaContainment.Obstacle

  private struct Goal: Hashable {
    let inner: Conjunction
    let outer: Subschema
  }

  /// Schemas nested deeper than this are not followed: the prover is recursive.
  private static let depthLimit = 150
  private static let obstacleLimit = 1000

  let documents: SchemaDocuments
  let check: ValueCheck
  private var steps = 0
  private var proved: Set<Goal> = []
  /// Goals that were not proved: another attempt would only take time.
  private var failed: Set<Goal> = []
  private var likeness: [SchemaPlacePair: Bool] = [:]
  private var open: [Goal: (levels: Int, position: Int)] = [:]
  /// The outermost goal that was assumed since the current goal began.
  private var assumed = Int.max
  /// Above zero while a branch is only tried: only whether it fails matters then, not why.
  private(set) var trials = 0

  init(_ documents: SchemaDocuments) {
    self.documents = documents
    check = ValueCheck(documents, isExact: false)
  }

  /// The obstacles of a proof that values of a conjunction fit a schema; empty if it is proved.
  mutating func obstacles(
    _ inner: Conjunction, within outer: Subschema, _ spot: ProofLocation
  ) -> [Obstacle] {
    if outer.tree == .boolean(true) { return [] }
    let goal = Goal(inner: inner, outer: outer)
    if proved.contains(goal) { return [] }
    if trials > 0, failed.contains(goal) {
      let facts = SchemaFacts(inner, documents)
      return [obstacle(facts, outer, "", spot, "it is not known to fit")]
    }
    if let known = open[goal], known.levels < spot.levels {
      assumed = min(assumed, known.position)
      return []
    }
    let facts = SchemaFacts(inner, documents)
    steps += Self.cost(facts)
    guard open[goal] == nil, steps <= documents.options.stepLimit, spot.depth < Self.depthLimit
    else {
      let reason = open[goal] == nil ? "the schemas are too large" : "a reference refers to itself"
      return [obstacle(facts, outer, "", spot, "cannot be proved: \(reason)")]
    }
    let before = assumed
    assumed = .max
    open[goal] = (spot.levels, open.count)
    let result = attempt(facts, outer, spot)
    open[goal] = nil
    // A result that depends on an open goal may be discarded with that goal.
    if result.isEmpty, assumed >= open.count { proved.insert(goal) }
    if !result.isEmpty { failed.insert(goal) }
    if assumed >= open.count { assumed = .max }
    assumed = min(before, assumed)
    return result
  }

  /// The number of steps that examining facts costs: many schemas at once cost more.
  private static func cost(_ facts: SchemaFacts) -> Int {
    1 + facts.objects.count / 4 + facts.alternatives.count
  }

  /// Whether values of a conjunction fit a schema, without collecting the obstacles.
  mutating func isContained(
    _ inner: Conjunction, _ outer: Subschema, _ spot: ProofLocation
  ) -> Bool {
    trials += 1
    defer { trials -= 1 }
    return obstacles(inner, within: outer, spot).isEmpty
  }

  /// Whether one of the schemas is equivalent to the outer one; cached, since schemas appear again and again.
  private mutating func isAlike(_ facts: SchemaFacts, _ outer: Subschema) -> Bool {
    for object in facts.objects {
      let pair = SchemaPlacePair(left: object, right: outer)
      let known = likeness[pair] ?? documents.areAlike(object, outer)
      likeness[pair] = known
      if known { return true }
    }
    return false
  }

  /// Whether it is known that no value fits both schemas.
  func areDisjoint(_ inner: Conjunction, _ place: Subschema) -> Bool {
    SchemaFacts(inner.adding([place]), documents).isEmpty()
  }

  private mutating func attempt(
    _ facts: SchemaFacts, _ outer: Subschema, _ spot: ProofLocation
  ) -> [Obstacle] {
    if facts.isEmpty() { return [] }
    guard let members = outer.tree.members else {
      let reason =
        outer.tree == .boolean(false)
        ? "no value is allowed" : "cannot be proved: this is not a schema"
      return refuted([obstacle(facts, outer, "", spot, reason)], facts, outer, spot)
    }
    var deeper = spot
    deeper.depth += 1
    let isAlike = isAlike(facts, outer)
    var result: [Obstacle] = []
    for (keyword, _) in members where !SchemaKeyword.isAnnotation(keyword, documents.options) {
      if isAlike, keyword != "x-archive" { continue }
      result += prove(keyword, of: outer, facts, deeper)
      if !result.isEmpty, trials > 0 || result.count > Self.obstacleLimit { break }
    }
    return refuted(unique(result), facts, outer, spot)
  }

  /// Proves one keyword; where that fails, proves it separately for each branch or kind that a value may have.
  private mutating func prove(
    _ keyword: String, of outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard steps <= documents.options.stepLimit else {
      return [obstacle(facts, outer, keyword, spot, "cannot be proved: the schemas are too large")]
    }
    steps += Self.cost(facts)
    let direct = proveDirectly(keyword, of: outer, facts, spot)
    guard !direct.isEmpty, steps <= documents.options.stepLimit, spot.depth < Self.depthLimit else {
      return direct
    }
    var cases: [Conjunction] = []
    if let choice = facts.alternatives.first {
      cases = choice.branches.map { facts.conjunction.adding($0, choosing: choice.choice) }
    } else if ["anyOf", "oneOf", "not", "if"].contains(keyword), facts.kinds.each.count > 1 {
      cases = facts.kinds.each.map { facts.conjunction.limited(to: $0) }
    } else {
      return direct
    }
    var result: [Obstacle] = []
    for inner in cases {
      let facts = SchemaFacts(inner, documents)
      if facts.isEmpty() || isAlike(facts, outer) { continue }
      var deeper = spot
      deeper.depth += 1
      result += prove(keyword, of: outer, facts, deeper)
      if !result.isEmpty, trials > 0 || result.count > Self.obstacleLimit { break }
    }
    return unique(result)
  }

  private func unique(_ obstacles: [Obstacle]) -> [Obstacle] {
    guard obstacles.count > 1 else { return obstacles }
    struct Identity: Hashable {
      let path: GraphPath
      let outerPointer: String
      let reason: String
    }
    var met: Set<Identity> = []
    return obstacles.filter {
      met.insert(Identity(path: $0.path, outerPointer: $0.outerPointer, reason: $0.reason)).inserted
    }
  }

  // MARK: Obstacles

  func obstacle(
    _ facts: SchemaFacts, _ outer: Subschema, _ keyword: String, _ spot: ProofLocation,
    _ reason: String
  ) -> Obstacle {
    Obstacle(
      keyword: keyword, innerPointer: facts.pointer(keyword),
      outerPointer: keyword.isEmpty ? outer.pointer : outer.pointer(to: keyword), path: spot.path,
      reason: reason, isRefuted: false, counterexample: nil, levels: spot.levels)
  }

  /// Looks for values that confirm the obstacles at this location.
  private func refuted(
    _ obstacles: [Obstacle], _ facts: SchemaFacts, _ outer: Subschema, _ spot: ProofLocation
  ) -> [Obstacle] {
    let isOpen: (Obstacle) -> Bool = { $0.levels == spot.levels && $0.counterexample == nil }
    guard trials == 0, obstacles.contains(where: isOpen) else { return obstacles }
    var maker = ValueMaker(documents)
    let values = maker.values(fitting: facts.conjunction, against: outer)
    return obstacles.map { obstacle in
      guard isOpen(obstacle) else { return obstacle }
      let value = values.first { maker.breaks($0, obstacle.keyword, of: outer) }
      guard let value else { return obstacle }
      var result = obstacle
      result.isRefuted = true
      result.counterexample = value
      return result
    }
  }

  /// Proves that a part of the value fits schemas of the outer one.
  ///
  /// - Parameter wrap: builds the whole value around a part, so that a counterexample grows with each level.
  mutating func provePart(
    _ part: Conjunction, within schemas: [(keyword: String, place: Subschema)],
    _ facts: SchemaFacts, _ outer: Subschema, _ spot: ProofLocation, wrap: ValueMaker.Part
  ) -> [Obstacle] {
    var result: [Obstacle] = []
    for (keyword, place) in schemas {
      var found: [Obstacle]
      if place.tree == .boolean(false) {
        if SchemaFacts(part, documents).isEmpty() { continue }
        found = [forbidden(part, keyword, facts, outer, spot)]
      } else {
        found = obstacles(part, within: place, spot)
      }
      if trials == 0 {
        var maker = ValueMaker(documents)
        for index in found.indices {
          guard let value = found[index].counterexample else { continue }
          found[index].counterexample = maker.whole(wrap, value, fitting: facts, against: outer)
        }
      }
      result += found
      if !result.isEmpty, trials > 0 { break }
    }
    return result
  }

  private func forbidden(
    _ part: Conjunction, _ keyword: String, _ facts: SchemaFacts, _ outer: Subschema,
    _ spot: ProofLocation
  ) -> Obstacle {
    var result = obstacle(facts, outer, keyword, spot, "it may be present, which is not allowed")
    guard trials == 0 else { return result }
    var maker = ValueMaker(documents)
    result.counterexample = maker.values(fitting: part, against: nil).first
    result.isRefuted = result.counterexample != nil
    return result
  }
}

// MARK: - Choosing the rule for one keyword of the outer schema, and the rules of scalar keywords

extension ContainmentProver {
  /// Keywords that mean the same in any schema, so that an equal one in an inner schema proves them.
  private static let independent: Set<String> = [
    "const", "enum", "pattern", "format", "uniqueItems", "propertyNames", "dependentRequired",
    "dependentSchemas", "anyOf", "oneOf", "not",
  ]

  /// Proves a keyword from the facts alone.
  private mutating func proveDirectly(
    _ keyword: String, of outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    switch keyword {
    case "$ref": return proveReference(outer, facts, spot)
    case "allOf": return proveAll(outer, facts, spot)
    case "x-archive": return proveArchive(outer, facts, spot)
    case _ where SchemaKeyword.spokenFor.contains(keyword): return []
    default: break
    }
    if keyword == "x-archived", !facts.livingKinds().contains(.data) { return [] }
    if let kinds = SchemaKeyword.kinds(of: keyword), facts.livingKinds().isDisjoint(with: kinds) {
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
    combined.contains(keyword) || SchemaKeyword.kinds(of: keyword) != nil
  }

  /// Whether a listed value might fit the other schemas.
  private func mayFit(_ value: JSONTree, _ facts: SchemaFacts) -> Bool {
    !facts.objects.contains { check.fits(value, $0, kinds: facts.kinds) == .no }
  }

  private func listed(
    _ values: [JSONTree], _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts,
    _ spot: ProofLocation
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
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    switch keyword {
    case "type", "x-plist-type": return proveType(keyword, outer, facts, spot)
    case "const", "enum":
      return [
        obstacle(facts, outer, keyword, spot, "it may be a value that is not listed")
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
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let tree = outer[keyword], let allowed = ValueKinds(tree, keyword: keyword) else {
      return malformed(keyword, outer, facts, spot)
    }
    let others = facts.livingKinds().subtracting(allowed)
    if others.isEmpty { return [] }
    var result = obstacle(
      facts, outer, keyword, spot,
      "it may be \(others.description), where only \(allowed.description) is allowed")
    // A schema with only a type has values of that type, even values that JSON cannot express.
    result.isRefuted =
      facts.objects.count == 1
      && facts.objects[0].tree.members?.allSatisfy { name, _ in
        name == "type" || name == "x-plist-type"
          || SchemaKeyword.isAnnotation(name, documents.options)
      } ?? false
    return [result]
  }

  private func proveBound(
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
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
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
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
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
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
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let pattern = outer["pattern"]?.string else {
      return malformed("pattern", outer, facts, spot)
    }
    if facts.patterns.contains(CodePointString(pattern)) { return [] }
    let plain = PlainPattern(pattern)
    if let plain {
      let known = facts.patterns.compactMap { PlainPattern($0.text) }
      if known.contains(where: { $0.implies(plain) }) { return [] }
    }
    let reason =
      facts.patterns.isEmpty || plain != nil
      ? "it need not match the pattern \(pattern)"
      : "cannot be proved: whether texts of the other pattern match \(pattern)"
    return [obstacle(facts, outer, "pattern", spot, reason)]
  }

  func malformed(
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    [obstacle(facts, outer, keyword, spot, "cannot be proved: '\(keyword)' is malformed")]
  }
}
