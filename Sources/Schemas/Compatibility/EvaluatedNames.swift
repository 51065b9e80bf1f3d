// The members that a schema evaluates, for `unevaluatedProperties` (JSON Schema Core 2020-12, section 11.3).

import Basics

/// The members that a schema evaluates.
struct EvaluatedNames {
  var names: Set<CodePointString> = []
  var patterns: Set<CodePointString> = []
  /// Whether it evaluates every member.
  private var isAll = false

  /// Collects the members that a schema may evaluate in some value, too many where that is not known.
  init(of place: Subschema, in documents: SchemaDocuments) {
    var met: Set<Subschema> = []
    collect(place, documents, &met, isRoot: true)
  }

  /// Whether the names of a class are evaluated.
  func contains(_ names: NameClass) -> Bool {
    if isAll || !names.matching.isDisjoint(with: patterns) { return true }
    return names.name.map { self.names.contains($0) } ?? false
  }

  private mutating func collect(
    _ place: Subschema, _ documents: SchemaDocuments, _ met: inout Set<Subschema>, isRoot: Bool
  ) {
    guard met.count < 256, met.insert(place).inserted else {
      if met.count >= 256 { isAll = true }
      return
    }
    names.formUnion(place.schemas("properties").map { CodePointString($0.name) })
    let patterns = place.schemas("patternProperties").map { CodePointString($0.name) }
    self.patterns.formUnion(patterns)
    // Names were not matched against the patterns of other schemas.
    if !isRoot, !patterns.isEmpty { isAll = true }
    if place["additionalProperties"] != nil { isAll = true }
    if !isRoot, place["unevaluatedProperties"] != nil { isAll = true }
    var parts = place.list("allOf")
    if let reference = place["$ref"] {
      if let target = documents.target(of: reference, from: place) {
        parts.append(target)
      } else {
        isAll = true
      }
    }
    parts += place.list("anyOf") + place.list("oneOf")
    parts += ["if", "then", "else"].compactMap { place.schema($0) }
    parts += place.schemas("dependentSchemas").map(\.place)
    if place["$dynamicRef"] != nil || place["$recursiveRef"] != nil { isAll = true }
    for part in parts { collect(part, documents, &met, isRoot: false) }
  }
}
