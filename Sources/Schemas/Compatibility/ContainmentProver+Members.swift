// Proofs about the members of objects.

import Basics
import PropertyLists

extension ContainmentProver {
  private static let memberKeywords = [
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
  ]

  /// The names that members may have where all others are forbidden; nil where others may be there.
  func closedNames(_ facts: SchemaFacts) -> Set<ExactText>? {
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

  /// Proves `properties` and its neighbours, all at the first of them.
  mutating func proveMembers(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard Self.memberKeywords.first(where: { outer[$0] != nil }) == keyword else { return [] }
    for keyword in ["properties", "patternProperties"] {
      if let tree = outer[keyword], tree.members == nil {
        return malformed(keyword, outer, facts, spot)
      }
    }
    let patterns = outer.schemas("patternProperties").map { ExactText($0.name) }
    let allPatterns = Array(Set(patterns + facts.memberPatterns)).sorted()
    var names = facts.memberNames
    names.formUnion(outer.schemas("properties").map { ExactText($0.name) })
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
    _ names: NameClass, _ onlyNames: Set<ExactText>?, _ outer: SchemaPlace, _ facts: SchemaFacts,
    _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let part = facts.member(names, onlyNames: onlyNames) else { return [] }
    let schemas = SchemaFacts.schemas(of: names, in: outer, documents, isContainer: true)
    let named = schemas.map { place in (Self.keyword(of: place, in: outer), place) }
    let step = names.name.map { ModelPath.step($0.text) } ?? ModelPath.anyMember
    return provePart(
      part, within: named, facts, outer, spot.part(step), wrap: .member(names.name?.text))
  }

  /// The keyword of a schema object that holds one of its parts.
  static func keyword(of part: SchemaPlace, in outer: SchemaPlace) -> String {
    let rest = part.pointer.unicodeScalars.dropFirst(outer.pointer.unicodeScalars.count)
    return rest.split(separator: "/").first.map { String($0) } ?? ""
  }

  /// Each name that is required and need not be there.
  func proveRequired(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let names = outer["required"]?.listOfStrings else {
      return malformed("required", outer, facts, spot)
    }
    return names.filter { !facts.required.contains(ExactText($0)) }.map { name in
      obstacle(
        facts, outer, "required", spot.named(spot.path + ModelPath.step(name)),
        "'\(name)' may be absent, where it is required")
    }
  }

  func proveDependentRequired(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
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
      let known = facts.required.union(brought.map(ExactText.init))
      for other in others where !known.contains(ExactText(other)) {
        result.append(
          obstacle(
            facts, outer, keyword, spot, "'\(name)' may be there without '\(other)'"))
      }
    }
    return result
  }

  mutating func proveDependentSchemas(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard outer["dependentSchemas"]?.members != nil else {
      return malformed("dependentSchemas", outer, facts, spot)
    }
    var result: [Obstacle] = []
    for (name, place) in outer.schemas("dependentSchemas") where mayHave(name, facts) {
      // The same member may bring schemas on this side too.
      let brought = facts.objects.compactMap { $0.schema("dependentSchemas", name) }
      let inner = facts.conjunction.adding(brought).limited(to: .object)
      // A value that breaks the schema is none of ours where it lacks the member.
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
    let name = ExactText(name)
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
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let rule = outer.schema("propertyNames") else { return [] }
    if let names = closedNames(facts) {
      let check = ValueCheck(documents, isExact: true)
      let wrong = names.sorted().filter {
        mayHave($0.text, facts) && check.fits(.string($0.text), rule) != .yes
      }
      return wrong.map { name in
        obstacle(
          facts, outer, "propertyNames", spot.named(spot.path + ModelPath.step(name.text)),
          "the name '\(name.text)' is not known to be allowed")
      }
    }
    let rules = facts.objects.compactMap { $0.schema("propertyNames") }
    if isContained(Conjunction(rules, kinds: .text), rule, spot.part(ModelPath.anyMember)) {
      return []
    }
    let reason = "members may have names that are not known to be allowed"
    return [obstacle(facts, outer, "propertyNames", spot, reason)]
  }
}
