// Changes of members, elements, branches, and of rules that are compared whole.

import Basics
import ObjectGraph
import PropertyLists

extension SchemaChangeWalk {
  // MARK: Members

  mutating func compareMembers(_ spot: Spot) {
    let patterns = Array(Set(spot.old.memberPatterns + spot.new.memberPatterns)).sorted()
    let oldNames = Self.names(spot.old)
    let newNames = Self.names(spot.new)
    let added = newNames.filter { !oldNames.contains($0) }
    let removed = oldNames.filter { !newNames.contains($0) }
    for name in oldNames where !removed.contains(name) {
      compareMember(name, patterns, spot)
    }
    for name in removed { addMember(.memberRemoved, name, spot, removed, added) }
    for name in added { addMember(.memberAdded, name, spot, removed, added) }
    compareAdditional(patterns, spot)
  }

  /// The names that a version speaks of, in its order.
  private static func names(_ facts: SchemaFacts) -> [ExactText] {
    var met: Set<ExactText> = []
    let named = facts.objects.flatMap { $0.schemas("properties").map { ExactText($0.name) } }
    return (named + facts.required.sorted()).filter { met.insert($0).inserted }
  }

  private mutating func compareMember(_ name: ExactText, _ patterns: [ExactText], _ spot: Spot) {
    let path = spot.path + ModelPath.step(name.text)
    let wasRequired = spot.old.required.contains(name)
    let isRequired = spot.new.required.contains(name)
    if wasRequired != isRequired {
      add(
        isRequired ? .becameRequired : .becameOptional, spot, ["required"],
        isRequired ? "the member is required now" : "the member is no longer required", path: path)
    }
    guard let names = NameClass.classes(of: name, patterns: patterns)?.first else { return }
    let nothing = Conjunction([], kinds: [])
    walk(
      spot.old.member(names, onlyNames: nil) ?? nothing,
      spot.new.member(names, onlyNames: nil) ?? nothing, path)
  }

  private mutating func addMember(
    _ kind: SchemaChange.Kind, _ name: ExactText, _ spot: Spot, _ removed: [ExactText],
    _ added: [ExactText]
  ) {
    let isAdded = kind == .memberAdded
    let facts = isAdded ? spot.new : spot.old
    let required = facts.required.contains(name) ? "required" : "optional"
    let place = facts.objects.lazy.compactMap { $0.schema("properties", name.text) }.first
    let others = (isAdded ? removed : added).filter { other in
      let otherFacts = isAdded ? spot.old : spot.new
      let otherPlace = otherFacts.objects.lazy.compactMap { $0.schema("properties", other.text) }
        .first
      guard let place, let otherPlace else { return false }
      return documents.areAlike(place, otherPlace)
    }
    var description = "\(required) member '\(name.text)' \(isAdded ? "added" : "removed")"
    if others.count == 1 {
      description += "; '\(others[0].text)' has the same schema: perhaps it was renamed"
    }
    let own = place?.pointer ?? Self.pointer(facts, ["required"])
    let parent = Self.pointer(isAdded ? spot.old : spot.new, ["properties"])
    add(
      SchemaChange(
        kind: kind, oldPointer: isAdded ? parent : own, newPointer: isAdded ? own : parent,
        path: spot.path + ModelPath.step(name.text), description: description))
  }

  private mutating func compareAdditional(_ patterns: [ExactText], _ spot: Spot) {
    comparePatterns(spot)
    let unnamed = NameClass(name: nil, matching: [])
    let old = spot.old.member(unnamed, onlyNames: nil)
    let new = spot.new.member(unnamed, onlyNames: nil)
    let path = spot.path + ModelPath.anyMember
    let keywords = ["additionalProperties", "unevaluatedProperties"]
    switch (old, new) {
    case (nil, nil): return
    case (nil, _):
      add(
        .additionalOpened, spot, keywords, "members that are not named are allowed now", path: path)
    case (_, nil):
      add(
        .additionalClosed, spot, keywords, "members that are not named are no longer allowed",
        path: path)
    case (let old?, let new?):
      if old.places.allSatisfy({ $0.tree == .boolean(true) })
        != new.places.allSatisfy({
          $0.tree == .boolean(true)
        })
      {
        add(
          .additionalChanged, spot, keywords, "other rules hold for members that are not named",
          path: path)
      } else {
        walk(old, new, path)
      }
    }
  }

  private mutating func comparePatterns(_ spot: Spot) {
    let old = Set(spot.old.memberPatterns)
    let new = Set(spot.new.memberPatterns)
    let path = spot.path + ModelPath.anyMember
    for pattern in old.union(new).sorted() {
      if old.contains(pattern), new.contains(pattern) {
        let places = [spot.old, spot.new].map { facts in
          Conjunction(facts.objects.compactMap { $0.schema("patternProperties", pattern.text) })
        }
        walk(places[0], places[1], path)
      } else {
        let word = new.contains(pattern) ? "now" : "no longer"
        add(
          .additionalChanged, spot, ["patternProperties"],
          "members whose names match \(pattern.text) have rules of their own \(word)", path: path)
      }
    }
  }

  // MARK: Elements

  mutating func compareElements(_ spot: Spot) {
    let prefix = max(spot.old.prefixCount, spot.new.prefixCount)
    for index in 0...min(prefix, 1024) {
      let step = index < prefix ? ModelPath.step(index) : ModelPath.anyElement
      let path = spot.path + step
      let old = spot.old.element(index)
      let new = spot.new.element(index)
      if old == new { continue }
      if old.places.isEmpty || new.places.isEmpty {
        let word = old.places.isEmpty ? "now" : "no longer"
        add(
          .itemsChanged, spot, ["items", "prefixItems"], "elements have a schema \(word)",
          path: path)
      } else {
        walk(old, new, path)
      }
    }
  }

  // MARK: Branches and rules

  mutating func compareAlternatives(_ spot: Spot) {
    for keyword in ["anyOf", "oneOf"] {
      let old = spot.old.objects.flatMap { $0.list(keyword) }
      let new = spot.new.objects.flatMap { $0.list(keyword) }
      let removed = old.filter { one in !new.contains { documents.areAlike(one, $0) } }
      let added = new.filter { one in !old.contains { documents.areAlike(one, $0) } }
      if removed.count == added.count, old.count == new.count {
        for (one, other) in zip(removed, added) {
          walk(Conjunction([one]), Conjunction([other]), spot.path)
        }
        continue
      }
      for branch in removed { addBranch(.alternativeRemoved, branch, keyword, spot) }
      for branch in added { addBranch(.alternativeAdded, branch, keyword, spot) }
    }
  }

  private mutating func addBranch(
    _ kind: SchemaChange.Kind, _ branch: SchemaPlace, _ keyword: String, _ spot: Spot
  ) {
    let isAdded = kind == .alternativeAdded
    let place = branch.pointer
    add(
      SchemaChange(
        kind: kind, oldPointer: isAdded ? Self.pointer(spot.old, [keyword]) : place,
        newPointer: isAdded ? place : Self.pointer(spot.new, [keyword]), path: spot.path,
        description: "a branch of '\(keyword)' was \(isAdded ? "added" : "removed")"))
  }

  private static let compared: Set<String> = [
    "type", "x-plist-type", "enum", "const", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems",
    "minProperties", "maxProperties", "pattern", "format", "properties", "patternProperties",
    "additionalProperties", "unevaluatedProperties", "required", "prefixItems", "items", "anyOf",
    "oneOf", "allOf", "$ref", "x-archive",
  ]

  /// Keywords that are compared whole: a change of one is named, not looked into.
  mutating func compareOthers(_ spot: Spot) {
    var keywords: [String] = []
    for object in spot.old.objects + spot.new.objects {
      for (keyword, _) in object.tree.members ?? []
      where !Self.compared.contains(keyword) && !keywords.contains(keyword)
        && !SchemaKeywords.isAnnotation(keyword, documents.options)
      {
        keywords.append(keyword)
      }
    }
    for keyword in keywords {
      let old = spot.old.objects.filter { $0[keyword] != nil }
      let new = spot.new.objects.filter { $0[keyword] != nil }
      let isSame =
        old.count == new.count
        && zip(old, new).allSatisfy { documents.areAlike(keyword, $0, $1) }
      if isSame { continue }
      let word = old.isEmpty ? "added" : new.isEmpty ? "removed" : "changed"
      add(.constraintChanged, spot, [keyword], "'\(keyword)' \(word)")
    }
  }
}
