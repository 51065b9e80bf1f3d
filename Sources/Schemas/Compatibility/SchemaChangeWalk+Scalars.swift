// Changes of types, values, ranges, lengths and texts.

import Basics
import ObjectGraph
import PropertyLists

extension SchemaChangeWalk {
  mutating func compareTypes(_ spot: Spot) {
    let old = Self.declaredKinds(spot.old)
    let new = Self.declaredKinds(spot.new)
    if old == new { return }
    let kind: SchemaChange.Kind =
      new.isSuperset(of: old) ? .typeWidened : new.isSubset(of: old) ? .typeNarrowed : .typeChanged
    add(
      kind, spot, ["x-plist-type", "type"],
      "type was \(old.description), now \(new.description)")
  }

  /// The kinds that `type` and `x-plist-type` allow, whatever other keywords leave of them.
  private static func declaredKinds(_ facts: SchemaFacts) -> ValueKinds {
    if facts.conjunction.places.contains(where: { $0.tree == .boolean(false) }) { return [] }
    var kinds = facts.conjunction.kinds
    for object in facts.objects {
      for keyword in ["type", "x-plist-type"] {
        guard let tree = object[keyword], let allowed = ValueKinds(tree, keyword: keyword) else {
          continue
        }
        kinds.formIntersection(allowed)
      }
    }
    return kinds
  }

  mutating func compareValues(_ spot: Spot) {
    let keywords = ["enum", "const"]
    switch (Self.declaredValues(spot.old), Self.declaredValues(spot.new)) {
    case (nil, nil): return
    case (nil, let new?):
      add(.enumAdded, spot, keywords, "only these values now: \(Self.text(new))")
    case (let old?, nil):
      add(.enumRemoved, spot, keywords, "any value now, not only \(Self.text(old))")
    case (let old?, let new?):
      let (before, after) = (ListedValues(old), ListedValues(new))
      let removed = old.filter { !after.contains($0) }
      let added = new.filter { !before.contains($0) }
      if !removed.isEmpty {
        add(.enumValueRemoved, spot, keywords, "no longer allowed: \(Self.text(removed))")
      }
      if !added.isEmpty { add(.enumValueAdded, spot, keywords, "now allowed: \(Self.text(added))") }
    }
  }

  private static func declaredValues(_ facts: SchemaFacts) -> [JSONTree]? {
    var result: [JSONTree]?
    for object in facts.objects {
      for values in [object["const"].map { [$0] }, object["enum"]?.list].compactMap({ $0 }) {
        guard let known = result else {
          result = values
          continue
        }
        let allowed = ListedValues(values)
        result = known.filter { allowed.contains($0) }
      }
    }
    return result
  }

  private static func text(_ values: [JSONTree]) -> String {
    let more = values.count > 8 ? " and \(values.count - 8) more" : ""
    return values.prefix(8).map(\.summary).joined(separator: ", ") + more
  }

  mutating func compareRanges(_ spot: Spot) {
    let old = spot.old
    let new = spot.new
    let lowerIsTighter = Self.isTighter(old.minimum, new.minimum, SchemaFacts.isAbove)
    let upperIsTighter = Self.isTighter(old.maximum, new.maximum, SchemaFacts.isBelow)
    let isEqual = Set(old.divisors) == Set(new.divisors)
    var tighter = [lowerIsTighter, upperIsTighter].compactMap { $0 }
    if !isEqual {
      func imply(_ left: [ExactNumber], _ right: [ExactNumber]) -> Bool {
        right.allSatisfy { right in left.contains { $0.isMultiple(of: right) } }
      }
      if !imply(old.divisors, new.divisors) { tighter.append(true) }
      if !imply(new.divisors, old.divisors) { tighter.append(false) }
    }
    guard let kind = Self.kind(tighter, .rangeNarrowed, .rangeWidened, .rangeChanged) else {
      return
    }
    let keywords = [
      "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    ]
    add(kind, spot, keywords, "range was \(Self.range(old)), now \(Self.range(new))")
  }

  /// Whether the new bound is tighter than the old; nil if they are equal.
  private static func isTighter(
    _ old: SchemaFacts.Bound?, _ new: SchemaFacts.Bound?,
    _ isAtLeast: (SchemaFacts.Bound, SchemaFacts.Bound) -> Bool
  ) -> Bool? {
    if old == new { return nil }
    guard let new else { return false }
    return old.map { isAtLeast(new, $0) } ?? true
  }

  private static func kind(
    _ tighter: [Bool], _ narrowed: SchemaChange.Kind, _ widened: SchemaChange.Kind,
    _ changed: SchemaChange.Kind
  ) -> SchemaChange.Kind? {
    if tighter.isEmpty { return nil }
    if tighter.allSatisfy({ $0 }) { return narrowed }
    return tighter.contains(true) ? changed : widened
  }

  private static func range(_ facts: SchemaFacts) -> String {
    var parts: [String] = []
    if let bound = facts.minimum {
      parts.append("\(bound.isExclusive ? ">" : "≥") \(bound.number.text)")
    }
    if let bound = facts.maximum {
      parts.append("\(bound.isExclusive ? "<" : "≤") \(bound.number.text)")
    }
    parts += facts.divisors.map { "multiple of \($0.text)" }
    return parts.isEmpty ? "any" : parts.joined(separator: ", ")
  }

  mutating func compareCounts(_ spot: Spot) {
    for (suffix, things) in [
      ("Length", "characters"), ("Items", "elements"), ("Properties", "members"),
    ] {
      var tighter: [Bool] = []
      func count(_ facts: SchemaFacts, _ prefix: String) -> Int? {
        let count = facts.count(prefix + suffix, isLower: prefix == "min")
        return prefix == "min" && count == 0 ? nil : count
      }
      func range(_ facts: SchemaFacts) -> String {
        let least = count(facts, "min").map { "at least \($0)" }
        let most = count(facts, "max").map { "at most \($0)" }
        return [least, most].compactMap { $0 }.joined(separator: ", ")
      }
      for prefix in ["min", "max"] {
        let old = count(spot.old, prefix)
        let new = count(spot.new, prefix)
        if old == new { continue }
        let isLower = prefix == "min"
        tighter.append(
          (new ?? (isLower ? 0 : .max)) > (old ?? (isLower ? 0 : .max)) ? isLower : !isLower)
      }
      guard let kind = Self.kind(tighter, .lengthNarrowed, .lengthWidened, .lengthChanged) else {
        continue
      }
      let texts = [range(spot.old), range(spot.new)].map { $0.isEmpty ? "any number" : $0 }
      add(
        kind, spot, ["min" + suffix, "max" + suffix],
        "number of \(things) was \(texts[0]), now \(texts[1])")
    }
  }

  mutating func compareTexts(_ spot: Spot) {
    func values(_ keyword: String, _ facts: SchemaFacts) -> Set<ExactText> {
      Set(facts.objects.compactMap { $0[keyword]?.string.map(ExactText.init) })
    }
    func text(_ values: Set<ExactText>) -> String {
      values.isEmpty ? "none" : values.sorted().map(\.text).joined(separator: ", ")
    }
    for (keyword, kind) in [
      ("pattern", SchemaChange.Kind.patternChanged), ("format", .formatChanged),
    ] where !SchemaKeywords.isAnnotation(keyword, documents.options) {
      let old = values(keyword, spot.old)
      let new = values(keyword, spot.new)
      if old == new { continue }
      add(kind, spot, [keyword], "\(keyword) was \(text(old)), now \(text(new))")
    }
  }
}
