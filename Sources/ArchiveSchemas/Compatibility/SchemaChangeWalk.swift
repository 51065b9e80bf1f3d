// Walks two versions of a schema side by side, by locations in the model: whether a schema is inline or behind a
// reference makes no difference.

import ArchiveBasics
import ArchivePropertyLists

struct SchemaChangeWalk {
  /// A location in the model, as both versions describe it.
  private struct Comparison {
    let old: SchemaFacts
    let new: SchemaFacts
    let path: GraphPath
  }

  private static let depthLimit = 128
  private static let stepLimit = 20_000

  let documents: SchemaDocuments
  private let includesNotes: Bool
  private var found: [SchemaChange] = []
  /// The pairs of descriptions on the path to the current one.
  private var open: Set<[Conjunction]> = []
  private var steps = 0

  init(_ documents: SchemaDocuments, includesNotes: Bool) {
    self.documents = documents
    self.includesNotes = includesNotes
  }

  /// The changes between the documents' roots.
  mutating func changes() -> [SchemaChange] {
    compareArchives(documents.inner, documents.outer)
    walk(Conjunction([documents.inner]), Conjunction([documents.outer]), GraphPath())
    return found
  }

  /// Compares how both versions describe a location and its contents.
  mutating func walk(_ old: Conjunction, _ new: Conjunction, _ path: GraphPath) {
    steps += 1
    let location = Comparison(old: SchemaFacts(old), new: SchemaFacts(new), path: path)
    let pair = [location.old, location.new].map(Self.behindReferences)
    guard steps <= Self.stepLimit, open.count < Self.depthLimit, !open.contains(pair) else {
      return
    }
    if !includesNotes, old.schemas.count == 1, new.schemas.count == 1,
      documents.areAlike(old.schemas[0], new.schemas[0])
    {
      return
    }
    open.insert(pair)
    if includesNotes { compareNotes(location) }
    compareTypes(location)
    compareValues(location)
    compareRanges(location)
    compareCounts(location)
    compareTexts(location)
    compareMembers(location)
    compareElements(location)
    compareAlternatives(location)
    compareOthers(location)
    open.remove(pair)
  }

  /// The schemas without those that only refer to others, so that a location reached again by reference is recognized.
  private static func behindReferences(_ facts: SchemaFacts) -> Conjunction {
    let objects = facts.objects.filter { $0.tree.members?.contains { $0.0 != "$ref" } ?? true }
    return Conjunction(objects, kinds: facts.kinds)
  }

  private mutating func add(
    _ kind: SchemaChange.Kind, _ location: Comparison, _ keywords: [String], _ description: String,
    path: GraphPath? = nil
  ) {
    found.append(
      SchemaChange(
        kind: kind, oldPointer: Self.pointer(location.old, keywords),
        newPointer: Self.pointer(location.new, keywords), path: path ?? location.path,
        description: description))
  }

  /// The pointer of the first keyword that is present, or of the schema if none is.
  private static func pointer(_ facts: SchemaFacts, _ keywords: [String]) -> String? {
    for object in facts.objects {
      if let keyword = keywords.first(where: { object[$0] != nil }) {
        return object.pointer(to: keyword)
      }
    }
    return facts.conjunction.schemas.first?.pointer
  }

  // MARK: Archives and notes

  private mutating func compareArchives(_ old: Subschema, _ new: Subschema) {
    guard documents.options.comparesArchives else { return }
    for (part, name) in [("envelope", "envelope"), ("classes", "class"), ("list", "list")] {
      let before = old["x-archive"]?[part]
      let after = new["x-archive"]?[part]
      let isSame = before.map { before in after.map { $0.isSame(as: before) } ?? false }
      if isSame ?? (after == nil) { continue }
      func text(_ tree: JSONTree?) -> String {
        guard let tree else { return "none" }
        return tree.strings.isEmpty ? tree.summary : tree.strings.joined(separator: ", ")
      }
      found.append(
        SchemaChange(
          kind: .envelopeChanged, oldPointer: before.map { _ in "/x-archive/\(part)" },
          newPointer: after.map { _ in "/x-archive/\(part)" }, path: GraphPath(),
          description: "\(name) of the archive: \(text(before)), now \(text(after))"))
    }
  }

  private mutating func compareNotes(_ location: Comparison) {
    var notes = SchemaKeyword.notes
    if !documents.options.assertsFormat { notes.append("format") }
    for keyword in notes {
      let old = location.old.objects.compactMap { $0[keyword] }
      let new = location.new.objects.compactMap { $0[keyword] }
      if JSONTree.list(old).isSame(as: .list(new)) { continue }
      let word = old.isEmpty ? "added" : new.isEmpty ? "removed" : "changed"
      add(.annotationChanged, location, [keyword], "'\(keyword)' \(word)")
    }
  }
}

// MARK: - Changes of types, values, ranges, lengths and texts

extension SchemaChangeWalk {
  private mutating func compareTypes(_ location: Comparison) {
    let old = location.old.declaredKinds
    let new = location.new.declaredKinds
    if old == new { return }
    let kind: SchemaChange.Kind =
      new.isSuperset(of: old) ? .typeWidened : new.isSubset(of: old) ? .typeNarrowed : .typeChanged
    add(
      kind, location, ["x-plist-type", "type"],
      "type was \(old.description), now \(new.description)")
  }

  private mutating func compareValues(_ location: Comparison) {
    let keywords = ["enum", "const"]
    switch (location.old.declaredValues, location.new.declaredValues) {
    case (nil, nil): return
    case (nil, let new?):
      add(.enumAdded, location, keywords, "only these values now: \(Self.text(new))")
    case (let old?, nil):
      add(.enumRemoved, location, keywords, "any value now, not only \(Self.text(old))")
    case (let old?, let new?):
      let before = Set(old.map(SchemaValue.init))
      let after = Set(new.map(SchemaValue.init))
      let removed = old.filter { !after.contains(SchemaValue($0)) }
      let added = new.filter { !before.contains(SchemaValue($0)) }
      if !removed.isEmpty {
        add(.enumValueRemoved, location, keywords, "no longer allowed: \(Self.text(removed))")
      }
      if !added.isEmpty {
        add(.enumValueAdded, location, keywords, "now allowed: \(Self.text(added))")
      }
    }
  }

  private static func text(_ values: [JSONTree]) -> String {
    let more = values.count > 8 ? " and \(values.count - 8) more" : ""
    return values.prefix(8).map(\.summary).joined(separator: ", ") + more
  }

  private mutating func compareRanges(_ location: Comparison) {
    let old = location.old
    let new = location.new
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
    add(kind, location, keywords, "range was \(Self.range(old)), now \(Self.range(new))")
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

  private mutating func compareCounts(_ location: Comparison) {
    for (suffix, things) in [
      ("Length", "characters"), ("Items", "elements"), ("Properties", "members"),
    ] {
      func count(_ facts: SchemaFacts, _ prefix: String) -> SchemaFacts.Bound? {
        let count = facts.count(prefix + suffix).map { ExactNumber.integer(Int128($0)) }
        let isOpen = prefix == "min" && count == .integer(0)
        return isOpen ? nil : count.map { SchemaFacts.Bound(number: $0, isExclusive: false) }
      }
      func range(_ facts: SchemaFacts) -> String {
        let least = count(facts, "min").map { "at least \($0.number.text)" }
        let most = count(facts, "max").map { "at most \($0.number.text)" }
        return [least, most].compactMap { $0 }.joined(separator: ", ")
      }
      let (old, new) = (location.old, location.new)
      let tighter = [
        Self.isTighter(count(old, "min"), count(new, "min"), SchemaFacts.isAbove),
        Self.isTighter(count(old, "max"), count(new, "max"), SchemaFacts.isBelow),
      ].compactMap { $0 }
      guard let kind = Self.kind(tighter, .lengthNarrowed, .lengthWidened, .lengthChanged) else {
        continue
      }
      let texts = [range(location.old), range(location.new)].map { $0.isEmpty ? "any number" : $0 }
      add(
        kind, location, ["min" + suffix, "max" + suffix],
        "number of \(things) was \(texts[0]), now \(texts[1])")
    }
  }

  private mutating func compareTexts(_ location: Comparison) {
    func values(_ keyword: String, _ facts: SchemaFacts) -> Set<CodePointString> {
      Set(facts.objects.compactMap { $0[keyword]?.string.map(CodePointString.init) })
    }
    func text(_ values: Set<CodePointString>) -> String {
      values.isEmpty ? "none" : values.sorted().map(\.text).joined(separator: ", ")
    }
    for (keyword, kind) in [
      ("pattern", SchemaChange.Kind.patternChanged), ("format", .formatChanged),
    ] where !SchemaKeyword.isAnnotation(keyword, documents.options) {
      let old = values(keyword, location.old)
      let new = values(keyword, location.new)
      if old == new { continue }
      add(kind, location, [keyword], "\(keyword) was \(text(old)), now \(text(new))")
    }
  }
}

// MARK: - Changes of members, elements, branches, and of rules that are compared as a whole

extension SchemaChangeWalk {
  // MARK: Members

  private mutating func compareMembers(_ location: Comparison) {
    let patterns = Array(Set(location.old.memberPatterns + location.new.memberPatterns)).sorted()
    let oldNames = Self.names(location.old)
    let newNames = Self.names(location.new)
    let added = newNames.filter { !oldNames.contains($0) }
    let removed = oldNames.filter { !newNames.contains($0) }
    for name in oldNames where !removed.contains(name) {
      compareMember(name, patterns, location)
    }
    for name in removed { addMember(.memberRemoved, name, location, removed, added) }
    for name in added { addMember(.memberAdded, name, location, removed, added) }
    compareAdditional(patterns, location)
  }

  /// The names that a version mentions, in its order.
  private static func names(_ facts: SchemaFacts) -> [CodePointString] {
    var met: Set<CodePointString> = []
    let named = facts.objects.flatMap { $0.schemas("properties").map { CodePointString($0.name) } }
    return (named + facts.required.sorted()).filter { met.insert($0).inserted }
  }

  private mutating func compareMember(
    _ name: CodePointString, _ patterns: [CodePointString], _ location: Comparison
  ) {
    let path = location.path.appending(.key(name.text))
    let wasRequired = location.old.required.contains(name)
    let isRequired = location.new.required.contains(name)
    if wasRequired != isRequired {
      add(
        isRequired ? .becameRequired : .becameOptional, location, ["required"],
        isRequired ? "the member is required now" : "the member is no longer required", path: path)
    }
    let names = documents.patterns.names(name, of: patterns)
    let nothing = Conjunction([], kinds: [])
    walk(
      location.old.member(names) ?? nothing,
      location.new.member(names) ?? nothing, path)
  }

  private mutating func addMember(
    _ kind: SchemaChange.Kind, _ name: CodePointString, _ location: Comparison,
    _ removed: [CodePointString],
    _ added: [CodePointString]
  ) {
    let isAdded = kind == .memberAdded
    let facts = isAdded ? location.new : location.old
    let required = facts.required.contains(name) ? "required" : "optional"
    let schema = facts.objects.lazy.compactMap { $0.schema("properties", name.text) }.first
    let others = (isAdded ? removed : added).filter { other in
      let otherFacts = isAdded ? location.old : location.new
      let otherSchema = otherFacts.objects.lazy.compactMap { $0.schema("properties", other.text) }
        .first
      guard let schema, let otherSchema else { return false }
      return documents.areAlike(schema, otherSchema)
    }
    var description = "\(required) member '\(name.text)' \(isAdded ? "added" : "removed")"
    if others.count == 1 {
      description += "; '\(others[0].text)' has the same schema: perhaps it was renamed"
    }
    add(
      kind, isAdded: isAdded, schema?.pointer ?? Self.pointer(facts, ["required"]), "properties",
      location, path: location.path.appending(.key(name.text)), description)
  }

  private mutating func compareAdditional(_ patterns: [CodePointString], _ location: Comparison) {
    comparePatterns(location)
    let unnamed = NameClass(name: nil, matching: [])
    let old = location.old.member(unnamed)
    let new = location.new.member(unnamed)
    let path = location.path.appending(.anyMember)
    let change: (kind: SchemaChange.Kind, text: String)
    switch (old, new) {
    case (nil, nil): return
    case (nil, _): change = (.additionalOpened, "are allowed now")
    case (_, nil): change = (.additionalClosed, "are no longer allowed")
    case (let old?, let new?):
      let areOpen = [old, new].map { $0.schemas.allSatisfy { $0.tree == .boolean(true) } }
      if areOpen[0] == areOpen[1] { return walk(old, new, path) }
      change = (.additionalChanged, "have other rules")
    }
    add(
      change.kind, location, ["additionalProperties", "unevaluatedProperties"],
      "members that are not named \(change.text)", path: path)
  }

  private mutating func comparePatterns(_ location: Comparison) {
    let old = Set(location.old.memberPatterns)
    let new = Set(location.new.memberPatterns)
    let path = location.path.appending(.anyMember)
    for pattern in old.union(new).sorted() {
      if old.contains(pattern), new.contains(pattern) {
        let schemas = [location.old, location.new].map { facts in
          Conjunction(facts.objects.compactMap { $0.schema("patternProperties", pattern.text) })
        }
        walk(schemas[0], schemas[1], path)
      } else {
        let word = new.contains(pattern) ? "now" : "no longer"
        add(
          .additionalChanged, location, ["patternProperties"],
          "members whose names match \(pattern.text) have rules of their own \(word)", path: path)
      }
    }
  }

  // MARK: Elements

  private mutating func compareElements(_ location: Comparison) {
    let prefix = max(location.old.prefixCount, location.new.prefixCount)
    for index in 0...min(prefix, 1024) {
      let step = index < prefix ? GraphPath.Step.index(index) : GraphPath.Step.anyElement
      let path = location.path.appending(step)
      let old = location.old.element(index)
      let new = location.new.element(index)
      if old == new { continue }
      if old.schemas.isEmpty || new.schemas.isEmpty {
        let word = old.schemas.isEmpty ? "now" : "no longer"
        add(
          .itemsChanged, location, ["items", "prefixItems"], "elements have a schema \(word)",
          path: path)
      } else {
        walk(old, new, path)
      }
    }
  }

  // MARK: Branches and rules

  private mutating func compareAlternatives(_ location: Comparison) {
    for keyword in ["anyOf", "oneOf"] {
      let old = location.old.objects.flatMap { $0.list(keyword) }
      let new = location.new.objects.flatMap { $0.list(keyword) }
      let removed = old.filter { one in !new.contains { documents.areAlike(one, $0) } }
      let added = new.filter { one in !old.contains { documents.areAlike(one, $0) } }
      if removed.count == added.count, old.count == new.count {
        for (one, other) in zip(removed, added) {
          walk(Conjunction([one]), Conjunction([other]), location.path)
        }
        continue
      }
      for branch in removed { addBranch(.alternativeRemoved, branch, keyword, location) }
      for branch in added { addBranch(.alternativeAdded, branch, keyword, location) }
    }
  }

  private mutating func addBranch(
    _ kind: SchemaChange.Kind, _ branch: Subschema, _ keyword: String, _ location: Comparison
  ) {
    let isAdded = kind == .alternativeAdded
    add(
      kind, isAdded: isAdded, branch.pointer, keyword, location, path: location.path,
      "a branch of '\(keyword)' was \(isAdded ? "added" : "removed")")
  }

  /// Adds the addition or the removal of a part of a keyword.
  ///
  /// - Parameter pointer: that of the part, in the version that has it.
  private mutating func add(
    _ kind: SchemaChange.Kind, isAdded: Bool, _ pointer: String?, _ keyword: String,
    _ location: Comparison, path: GraphPath, _ description: String
  ) {
    let parent = Self.pointer(isAdded ? location.old : location.new, [keyword])
    found.append(
      SchemaChange(
        kind: kind, oldPointer: isAdded ? parent : pointer,
        newPointer: isAdded ? pointer : parent, path: path, description: description))
  }

  /// Compares keywords as a whole: a change of one is reported, not analyzed.
  private mutating func compareOthers(_ location: Comparison) {
    var keywords: [String] = []
    for object in location.old.objects + location.new.objects {
      for (keyword, _) in object.tree.members ?? []
      where keyword != "allOf" && keyword != "$ref"
        && SchemaComparison.prefixes[keyword] == nil && !keywords.contains(keyword)
        && !SchemaKeyword.isAnnotation(keyword, documents.options)
      {
        keywords.append(keyword)
      }
    }
    for keyword in keywords {
      let old = location.old.objects.filter { $0[keyword] != nil }
      let new = location.new.objects.filter { $0[keyword] != nil }
      let isSame =
        old.count == new.count
        && zip(old, new).allSatisfy { documents.areAlike(keyword, $0, $1) }
      if isSame { continue }
      let word = old.isEmpty ? "added" : new.isEmpty ? "removed" : "changed"
      add(.constraintChanged, location, [keyword], "'\(keyword)' \(word)")
    }
  }
}
