// Proofs about schemas that are combined, and about the envelope of an archive.

import Basics
import PropertyLists

extension ContainmentProver {
  mutating func proveReference(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let reference = outer["$ref"],
      let target = documents.target(of: reference, from: outer)
    else {
      let reason = "cannot be proved: '$ref' cannot be resolved in this document"
      return [obstacle(facts, outer, "$ref", spot, reason)]
    }
    return obstacles(facts.conjunction, within: target, spot)
  }

  mutating func proveAll(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    let branches = outer.list("allOf")
    if branches.isEmpty { return malformed("allOf", outer, facts, spot) }
    var result: [Obstacle] = []
    for branch in branches { result += obstacles(facts.conjunction, within: branch, spot) }
    return result
  }

  mutating func proveAny(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    let branches = outer.list("anyOf")
    for branch in branches where isContained(facts.conjunction, branch, spot) { return [] }
    // Where only one branch is possible, the reason that it does not fit is the cause.
    let near = branches.filter { !areDisjoint(facts.conjunction, $0) }
    if near.count == 1 {
      let causes = obstacles(facts.conjunction, within: near[0], spot)
      if !causes.isEmpty { return causes }
    }
    return [obstacle(facts, outer, "anyOf", spot, "it is not known to fit any one of 'anyOf'")]
  }

  mutating func proveOne(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    let branches = outer.list("oneOf")
    // A branch that is disjoint from all the others must fit exactly that one.
    let near = branches.filter { !areDisjoint(facts.conjunction, $0) }
    if near.count == 1, isContained(facts.conjunction, near[0], spot) { return [] }
    return [
      obstacle(facts, outer, "oneOf", spot, "it is not known to fit exactly one of 'oneOf'")
    ]
  }

  mutating func proveNot(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let negated = outer.schema("not") else { return [] }
    if areDisjoint(facts.conjunction, negated) { return [] }
    // It is enough that one inner schema excludes everything that the outer one excludes.
    for object in facts.objects {
      if let other = object.schema("not"),
        isContained(Conjunction([negated], kinds: facts.kinds), other, spot)
      {
        return []
      }
    }
    let reason = "it is not known to be outside of what 'not' excludes"
    return [obstacle(facts, outer, "not", spot, reason)]
  }

  mutating func proveCondition(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let condition = outer.schema("if") else { return [] }
    // An equal condition in an inner schema applies the same branch.
    let same = facts.objects.filter { documents.areAlike("if", $0, outer) }
    func inner(_ more: [Subschema], _ keyword: String) -> Conjunction {
      same.reduce(facts.conjunction.adding(more)) { result, object in
        let branch = object.schema(keyword).map { [$0] } ?? []
        return result.adding(branch, choosing: Conjunction.Choice(place: object, keyword: "if"))
      }
    }
    if let then = outer.schema("then"), !isContained(inner([condition], "then"), then, spot) {
      return [obstacle(facts, outer, "if", spot, "where 'if' fits, it is not known to fit 'then'")]
    }
    if let otherwise = outer.schema("else"), !isContained(inner([], "else"), otherwise, spot),
      !isContained(facts.conjunction, condition, spot)
    {
      let reason = "where 'if' does not fit, it is not known to fit 'else'"
      return [obstacle(facts, outer, "if", spot, reason)]
    }
    return []
  }

  // MARK: Archives

  /// Archives in data values: the same envelope, and a model that the other one contains.
  mutating func proveArchived(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let rule = outer.schema("x-archived") else { return [] }
    let inners = facts.objects.compactMap { $0.schema("x-archived") }.filter {
      guard let archive = $0["x-archive"], let other = rule["x-archive"] else { return false }
      return archive.isSame(as: other)
    }
    if !inners.isEmpty, isContained(Conjunction(inners), rule, spot.part(.content("archive"))) {
      return []
    }
    func name(_ place: Subschema) -> String? {
      place["x-archived"].flatMap { SchemaLibrary.label(ofReference: $0) }
    }
    let wanted = name(outer).map { "an archive of \($0)" } ?? "another archive"
    let found = facts.objects.lazy.compactMap(name).first.map { "an archive of \($0)" }
    let reason = "it may be \(found ?? "data without an archive"), but \(wanted) is required"
    return [obstacle(facts, outer, "x-archived", spot, reason)]
  }

  /// A reader of one envelope cannot open another.
  func proveArchive(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard outer.pointer.isEmpty else { return [] }
    let document = facts.conjunction.places.first { $0.pointer.isEmpty && $0.side != outer.side }
    guard let inner = document?["x-archive"], let archive = outer["x-archive"] else {
      let reason = "cannot be proved: the other schema names no envelope"
      return [obstacle(facts, outer, "x-archive", spot, reason)]
    }
    func problem(_ keyword: String, _ reason: String) -> Obstacle {
      var result = obstacle(facts, outer, "x-archive", spot, reason)
      result.isRefuted = true
      return Obstacle(
        keyword: "x-archive", innerPointer: "/x-archive/\(keyword)",
        outerPointer: "/x-archive/\(keyword)", path: spot.path, reason: reason, isRefuted: true,
        counterexample: nil, levels: spot.levels)
    }
    let envelope = (inner["envelope"]?.string, archive["envelope"]?.string)
    if envelope.0.map(CodePointString.init) != envelope.1.map(CodePointString.init) {
      return [
        problem(
          "envelope",
          "a reader of the envelope \(envelope.1 ?? "?") cannot open \(envelope.0 ?? "?")")
      ]
    }
    var result: [Obstacle] = []
    let known = Set((archive["classes"]?.strings ?? []).map(CodePointString.init))
    let others = (inner["classes"]?.strings ?? []).filter {
      !known.contains(CodePointString($0)) && !known.contains(CodePointString("*"))
    }
    if !others.isEmpty {
      let names = others.joined(separator: ", ")
      result.append(problem("classes", "the class \(names) is not among those allowed"))
    }
    if inner["list"]?.boolean == true, archive["list"]?.boolean != true {
      result.append(problem("list", "it may be a list of models, but one model is allowed"))
    }
    return result
  }
}

// MARK: - Proofs about the members of objects

extension ContainmentProver {
  private static let memberKeywords = [
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
  ]

  /// The names that members may have where all others are forbidden; nil where other names are allowed.
  func closedNames(_ facts: SchemaFacts) -> Set<CodePointString>? {
    let onlyNames = facts.onlyNames
    if let onlyNames { return onlyNames }
    guard let classes = NameClass.classes(of: nil, patterns: facts.memberPatterns) else {
      return nil
    }
    let isClosed = classes.allSatisfy { names in
      facts.member(names, onlyNames: onlyNames).map {
        SchemaFacts($0, documents).isEmpty()
      } ?? true
    }
    return isClosed ? facts.memberNames : nil
  }

  /// Proves `properties` and the keywords that belong to it, all at the first of them.
  mutating func proveMembers(
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard Self.memberKeywords.first(where: { outer[$0] != nil }) == keyword else { return [] }
    for keyword in ["properties", "patternProperties"] {
      if let tree = outer[keyword], tree.members == nil {
        return malformed(keyword, outer, facts, spot)
      }
    }
    let patterns = outer.schemas("patternProperties").map { CodePointString($0.name) }
    let allPatterns = Array(Set(patterns + facts.memberPatterns)).sorted()
    var names = facts.memberNames
    names.formUnion(outer.schemas("properties").map { CodePointString($0.name) })
    let onlyNames = facts.onlyNames
    var result: [Obstacle] = []
    for name in names.sorted().map(Optional.some) + [nil] {
      guard let classes = NameClass.classes(of: name, patterns: allPatterns) else {
        let reason = "cannot be proved: there are too many patterns"
        return [obstacle(facts, outer, "patternProperties", spot, reason)]
      }
      for one in classes {
        result += proveMember(one, onlyNames, outer, facts, spot)
        if !result.isEmpty, trials > 0 { return result }
      }
    }
    return result
  }

  private mutating func proveMember(
    _ names: NameClass, _ onlyNames: Set<CodePointString>?, _ outer: Subschema,
    _ facts: SchemaFacts,
    _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let part = facts.member(names, onlyNames: onlyNames) else { return [] }
    let schemas = SchemaFacts.schemas(of: names, in: outer, documents, isContainer: true)
    let named = schemas.map { place in (Self.keyword(of: place, in: outer), place) }
    let step = names.name.map { GraphPath.Step.key($0.text) } ?? .anyMember
    return provePart(
      part, within: named, facts, outer, spot.part(step), wrap: .member(names.name?.text))
  }

  /// The keyword of a schema object that holds one of its parts.
  static func keyword(of part: Subschema, in outer: Subschema) -> String {
    let rest = part.pointer.unicodeScalars.dropFirst(outer.pointer.unicodeScalars.count)
    return rest.split(separator: "/").first.map { String($0) } ?? ""
  }

  /// Reports each name that the outer schema requires and the inner one does not.
  func proveRequired(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let names = outer["required"]?.listOfStrings else {
      return malformed("required", outer, facts, spot)
    }
    return names.filter { !facts.required.contains(CodePointString($0)) }.map { name in
      obstacle(
        facts, outer, "required", spot.named(spot.path.appending(.key(name))),
        "'\(name)' may be absent, where it is required")
    }
  }

  func proveDependentRequired(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    let keyword = "dependentRequired"
    guard let members = outer[keyword]?.members else {
      return malformed(keyword, outer, facts, spot)
    }
    var result: [Obstacle] = []
    for (name, tree) in members {
      guard let others = tree.listOfStrings else { return malformed(keyword, outer, facts, spot) }
      if !mayHave(name, facts) { continue }
      let brought = facts.objects.flatMap { $0[keyword]?[name]?.listOfStrings ?? [] }
      let known = facts.required.union(brought.map(CodePointString.init))
      for other in others where !known.contains(CodePointString(other)) {
        result.append(
          obstacle(
            facts, outer, keyword, spot, "'\(name)' may be present without '\(other)'"))
      }
    }
    return result
  }

  mutating func proveDependentSchemas(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard outer["dependentSchemas"]?.members != nil else {
      return malformed("dependentSchemas", outer, facts, spot)
    }
    var result: [Obstacle] = []
    for (name, place) in outer.schemas("dependentSchemas") where mayHave(name, facts) {
      // In the inner schema, the same member may also apply schemas.
      let brought = facts.objects.compactMap { $0.schema("dependentSchemas", name) }
      let inner = facts.conjunction.adding(brought).limited(to: .object)
      // A value that violates the schema is irrelevant if it lacks the member.
      result += obstacles(inner, within: place, spot).map { obstacle in
        guard let value = obstacle.counterexample, check.fits(value, outer) != .no else {
          return obstacle
        }
        var result = obstacle
        result.counterexample = nil
        result.isRefuted = false
        return result
      }
    }
    return result
  }

  /// Whether a member is not known to be forbidden.
  private func mayHave(_ name: String, _ facts: SchemaFacts) -> Bool {
    let name = CodePointString(name)
    guard let classes = NameClass.classes(of: name, patterns: facts.memberPatterns) else {
      return true
    }
    let onlyNames = facts.onlyNames
    return classes.contains { names in
      guard let part = facts.member(names, onlyNames: onlyNames) else { return false }
      return !SchemaFacts(part, documents).isEmpty()
    }
  }

  mutating func proveNames(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let rule = outer.schema("propertyNames") else { return [] }
    if let names = closedNames(facts) {
      let check = ValueCheck(documents, isExact: true)
      let wrong = names.sorted().filter {
        mayHave($0.text, facts) && check.fits(.string($0.text), rule) != .yes
      }
      return wrong.map { name in
        obstacle(
          facts, outer, "propertyNames", spot.named(spot.path.appending(.key(name.text))),
          "the name '\(name.text)' is not known to be allowed")
      }
    }
    let rules = facts.objects.compactMap { $0.schema("propertyNames") }
    if isContained(Conjunction(rules, kinds: .text), rule, spot.part(.anyMember)) {
      return []
    }
    let reason = "members may have names that are not known to be allowed"
    return [obstacle(facts, outer, "propertyNames", spot, reason)]
  }
}

// MARK: - Proofs about the elements of arrays

extension ContainmentProver {
  private static let elementKeywords = ["prefixItems", "items", "unevaluatedItems"]
  private static let prefixLimit = 1024

  /// Proves `prefixItems` and the keywords that belong to it, all at the first of them.
  mutating func proveElements(
    _ keyword: String, _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard Self.elementKeywords.first(where: { outer[$0] != nil }) == keyword else { return [] }
    if let tree = outer["prefixItems"], tree.list == nil {
      return malformed("prefixItems", outer, facts, spot)
    }
    if let tree = outer["items"], tree.list != nil {
      return malformed("items", outer, facts, spot)
    }
    let prefix = max(facts.prefixCount, outer["prefixItems"]?.list?.count ?? 0)
    guard prefix <= Self.prefixLimit else {
      return [obstacle(facts, outer, keyword, spot, "cannot be proved: 'prefixItems' is too long")]
    }
    let most = facts.count("maxItems", isLower: false) ?? .max
    var result: [Obstacle] = []
    for index in 0...prefix where index < most {
      let part = facts.element(index)
      // Where no element is allowed, none is allowed after it.
      if SchemaFacts(part, documents).isEmpty() { break }
      let step = index < prefix ? GraphPath.Step.index(index) : GraphPath.Step.anyElement
      result += provePart(
        part, within: schemas(ofElement: index, in: outer), facts, outer, spot.part(step),
        wrap: .element(index))
      if !result.isEmpty, trials > 0 { break }
    }
    return result
  }

  private func schemas(
    ofElement index: Int, in outer: Subschema
  ) -> [(keyword: String, place: Subschema)] {
    let prefix = outer.list("prefixItems")
    if index < prefix.count { return [("prefixItems", prefix[index])] }
    if let rest = outer.schema("items") { return [("items", rest)] }
    // This is stricter than the keyword, which skips what a neighboring schema has evaluated.
    return outer.schema("unevaluatedItems").map { [("unevaluatedItems", $0)] } ?? []
  }

  func proveUniqueItems(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let isUnique = outer["uniqueItems"]?.boolean else {
      return malformed("uniqueItems", outer, facts, spot)
    }
    let isKnown =
      !isUnique || facts.objects.contains { $0["uniqueItems"] == .boolean(true) }
      || (facts.count("maxItems", isLower: false) ?? .max) <= 1
    return isKnown
      ? [] : [obstacle(facts, outer, "uniqueItems", spot, "elements may be equal")]
  }

  mutating func proveContains(
    _ outer: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> [Obstacle] {
    guard let rule = outer.schema("contains") else { return [] }
    let least = outer["minContains"].map { ExactNumber($0) } ?? .integer(1)
    let most = outer["maxContains"].map { ExactNumber($0) }
    guard let least, most != .some(nil) else { return malformed("contains", outer, facts, spot) }
    if !isContainedOften(least, rule, facts, spot) {
      return [
        obstacle(
          facts, outer, "contains", spot,
          "fewer than \(least.text) of the elements may fit 'contains'")
      ]
    }
    guard let most = most ?? nil else { return [] }
    let count = facts.count("maxItems", isLower: false).map { ExactNumber.integer(Int128($0)) }
    let isLimited =
      count.map { $0 <= most } ?? false
      || facts.objects.contains { object in
        guard let tree = object["maxContains"], let known = ExactNumber(tree), known <= most,
          let other = object.schema("contains")
        else { return false }
        return isContained(Conjunction([rule]), other, spot.part(.anyElement))
      }
    if isLimited { return [] }
    return [
      obstacle(
        facts, outer, "contains", spot, "more than \(most.text) elements may fit 'contains'")
    ]
  }

  /// Whether at least a given number of elements are known to fit a schema.
  private mutating func isContainedOften(
    _ least: ExactNumber, _ rule: Subschema, _ facts: SchemaFacts, _ spot: ProofLocation
  ) -> Bool {
    if least <= .integer(0) { return true }
    let inside = spot.part(.anyElement)
    for object in facts.objects {
      guard let other = object.schema("contains") else { continue }
      let known = object["minContains"].map { ExactNumber($0) } ?? .integer(1)
      if let known, known >= least, isContained(Conjunction([other]), rule, inside) { return true }
    }
    let count = facts.count("minItems", isLower: true) ?? 0
    guard ExactNumber.integer(Int128(count)) >= least, facts.prefixCount <= Self.prefixLimit else {
      return false
    }
    for index in 0...min(facts.prefixCount, max(count - 1, 0)) {
      if !isContained(facts.element(index), rule, inside) { return false }
    }
    return true
  }
}
