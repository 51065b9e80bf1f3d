// Proofs about schemas that are combined, and about the envelope of an archive.

import Basics
import PropertyLists

extension ContainmentProver {
  mutating func proveReference(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let reference = outer["$ref"],
      let target = documents.target(of: reference, from: outer)
    else {
      let reason = "cannot be proved: '$ref' leads nowhere in this document"
      return [obstacle(facts, outer, "$ref", spot, reason)]
    }
    return obstacles(facts.conjunction, within: target, spot)
  }

  mutating func proveAll(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    let branches = outer.list("allOf")
    if branches.isEmpty { return malformed("allOf", outer, facts, spot) }
    var result: [Obstacle] = []
    for branch in branches { result += obstacles(facts.conjunction, within: branch, spot) }
    return result
  }

  mutating func proveAny(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    let branches = outer.list("anyOf")
    for branch in branches where isContained(facts.conjunction, branch, spot) { return [] }
    // Where only one branch comes into question, what keeps it from fitting is the cause.
    let near = branches.filter { !areDisjoint(facts.conjunction, $0) }
    if near.count == 1 {
      let causes = obstacles(facts.conjunction, within: near[0], spot)
      if !causes.isEmpty { return causes }
    }
    return [obstacle(facts, outer, "anyOf", spot, "it is not known to fit any one of 'anyOf'")]
  }

  mutating func proveOne(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    let branches = outer.list("oneOf")
    // What is disjoint from all others but one must fit that one, and it alone.
    let near = branches.filter { !areDisjoint(facts.conjunction, $0) }
    if near.count == 1, isContained(facts.conjunction, near[0], spot) { return [] }
    return [
      obstacle(facts, outer, "oneOf", spot, "it is not known to fit exactly one of 'oneOf'")
    ]
  }

  mutating func proveNot(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let negated = outer.schema("not") else { return [] }
    if areDisjoint(facts.conjunction, negated) { return [] }
    // Whatever the outer schema excludes, one of the inner excludes already.
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
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let condition = outer.schema("if") else { return [] }
    // The same condition beside brings the same branch.
    let same = facts.objects.filter { documents.areAlike("if", $0, outer) }
    func inner(_ more: [SchemaPlace], _ keyword: String) -> Conjunction {
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

  /// Archives in data values: the same envelope, and a model that is contained in the other.
  mutating func proveArchived(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> [Obstacle] {
    guard let rule = outer.schema("x-archived") else { return [] }
    let inners = facts.objects.compactMap { $0.schema("x-archived") }.filter {
      guard let archive = $0["x-archive"], let other = rule["x-archive"] else { return false }
      return archive.isSame(as: other)
    }
    if !inners.isEmpty, isContained(Conjunction(inners), rule, spot.part("⟨archive⟩")) {
      return []
    }
    func name(_ place: SchemaPlace) -> String? {
      place["x-archived"].flatMap { SchemaLibrary.label(ofReference: $0) }
    }
    let wanted = name(outer).map { "an archive of \($0)" } ?? "another archive"
    let found = facts.objects.lazy.compactMap(name).first.map { "an archive of \($0)" }
    let reason = "it may be \(found ?? "data that holds no archive"), where \(wanted) is wanted"
    return [obstacle(facts, outer, "x-archived", spot, reason)]
  }

  /// A reader of one envelope cannot open another.
  func proveArchive(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
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
    if envelope.0.map(ExactText.init) != envelope.1.map(ExactText.init) {
      return [
        problem(
          "envelope",
          "a reader of the envelope \(envelope.1 ?? "?") cannot open \(envelope.0 ?? "?")")
      ]
    }
    var result: [Obstacle] = []
    let known = Set((archive["classes"]?.strings ?? []).map(ExactText.init))
    let others = (inner["classes"]?.strings ?? []).filter {
      !known.contains(ExactText($0)) && !known.contains(ExactText("*"))
    }
    if !others.isEmpty {
      let names = others.joined(separator: ", ")
      result.append(problem("classes", "the class \(names) is not among those allowed"))
    }
    if inner["list"]?.boolean == true, archive["list"]?.boolean != true {
      result.append(problem("list", "it may be a list of models, where one model is allowed"))
    }
    return result
  }
}
