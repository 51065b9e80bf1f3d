// Proofs about the elements of arrays.

import Basics
import PropertyLists

extension ContainmentProver {
  private static let elementKeywords = ["prefixItems", "items", "unevaluatedItems"]
  private static let prefixLimit = 1024

  /// Proves `prefixItems` and its neighbours, all at the first of them.
  mutating func proveElements(
    _ keyword: String, _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
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
      // Where no element can stand, none can stand behind it.
      if SchemaFacts(part, documents).isEmpty() { break }
      let step = index < prefix ? ModelPath.step(index) : ModelPath.anyElement
      result += provePart(
        part, within: schemas(ofElement: index, in: outer), facts, outer, spot.part(step),
        wrap: .element(index))
      if !result.isEmpty, trials > 0 { break }
    }
    return result
  }

  private func schemas(
    ofElement index: Int, in outer: SchemaPlace
  ) -> [(keyword: String, place: SchemaPlace)] {
    let prefix = outer.list("prefixItems")
    if index < prefix.count { return [("prefixItems", prefix[index])] }
    if let rest = outer.schema("items") { return [("items", rest)] }
    // Stricter than the keyword is, which leaves out what a schema beside has looked at.
    return outer.schema("unevaluatedItems").map { [("unevaluatedItems", $0)] } ?? []
  }

  func proveUniqueItems(
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
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
    _ outer: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
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
        return isContained(Conjunction([rule]), other, spot.part(ModelPath.anyElement))
      }
    if isLimited { return [] }
    return [
      obstacle(
        facts, outer, "contains", spot, "more than \(most.text) elements may fit 'contains'")
    ]
  }

  /// Whether at least so many elements are known to fit a schema.
  private mutating func isContainedOften(
    _ least: ExactNumber, _ rule: SchemaPlace, _ facts: SchemaFacts, _ spot: ProofSpot
  ) -> Bool {
    if least <= .integer(0) { return true }
    let inside = spot.part(ModelPath.anyElement)
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
