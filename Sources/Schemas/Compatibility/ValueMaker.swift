// Generates values that fit one schema and violate another, which confirm that an obstacle is real. Candidates are
// chosen near the bounds of both, and only those that the check is sure of are returned.

import Basics
import ObjectGraph
import PropertyLists

/// Generates counterexamples.
struct ValueMaker {
  /// The position of a part in its container.
  enum Part {
    /// A member; without a name, one that no schema names.
    case member(String?)
    /// An element.
    case element(Int)
  }

  private static let depthLimit = 8
  private static let lengthLimit = 200
  /// A name that schemas are unlikely to mention.
  private static let strangeName = "another"

  private let documents: SchemaDocuments
  private let check: ValueCheck
  /// How many more conjunctions may be examined.
  private var budget = 400

  init(_ documents: SchemaDocuments) {
    self.documents = documents
    check = ValueCheck(documents, isExact: true)
  }

  /// Whether a value is known to violate a keyword of a schema, or without a keyword the schema.
  func breaks(_ value: JSONTree, _ keyword: String, of outer: Subschema) -> Bool {
    if keyword.isEmpty { return check.fits(value, outer) == .no }
    // Keywords that are proved together are violated together.
    let group = Self.groups.first { $0.contains(keyword) } ?? [keyword]
    return group.contains { check.fits(value, $0, of: outer) == .no }
  }

  private static let groups = [
    ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
    ["prefixItems", "items", "unevaluatedItems"],
  ]

  /// Values that are known to fit a conjunction, among them some near the bounds of another schema.
  mutating func values(fitting inner: Conjunction, against outer: Subschema?) -> [JSONTree] {
    values(fitting: inner, against: outer, depth: 0)
  }

  /// The whole value around a part that fits the facts and violates the outer schema; nil if none was found.
  mutating func whole(
    _ part: Part, _ value: JSONTree, fitting facts: SchemaFacts, against outer: Subschema
  ) -> JSONTree? {
    var candidates: [JSONTree] = []
    switch part {
    case .member(let name):
      let name = name ?? Self.strangeName
      if case .members(let members)? = object(facts, depth: 1) {
        candidates = [.members(members.filter { $0.0 != name } + [(name, value)])]
      }
    case .element(let index):
      let least = max(facts.count("minItems", isLower: true) ?? 0, index + 1)
      if case .list(var items)? = array(facts, count: least, depth: 1) {
        items[index] = value
        candidates = [.list(items)]
      }
    }
    return candidates.first {
      check.fits($0, facts.conjunction) == .yes && check.fits($0, outer) == .no
    }
  }

  // MARK: Candidates

  private mutating func values(
    fitting inner: Conjunction, against outer: Subschema?, depth: Int
  ) -> [JSONTree] {
    budget -= 1
    guard budget > 0, depth < Self.depthLimit else { return [] }
    let facts = SchemaFacts(inner, documents)
    let hints = outer.map { SchemaFacts(Conjunction([$0]), documents) }
    var result: [JSONTree] = []
    for value in candidates(facts, hints, depth) where check.fits(value, inner) == .yes {
      result.append(value)
      // A part needs one value; all are tried at the location of an obstacle.
      if depth > 0, result.count >= 1 { break }
    }
    if let choice = facts.alternatives.first, depth == 0 || result.isEmpty {
      for branch in choice.branches.prefix(8) {
        let narrowed = inner.adding(branch, choosing: choice.choice)
        let more = values(fitting: narrowed, against: outer, depth: max(depth, 1))
        result += more.filter { check.fits($0, inner) == .yes }
      }
    }
    return result
  }

  private mutating func candidates(
    _ facts: SchemaFacts, _ hints: SchemaFacts?, _ depth: Int
  ) -> [JSONTree] {
    if let listed = facts.listed { return Array(listed.prefix(64)) }
    var result = facts.objects.flatMap { $0["examples"]?.list?.prefix(8) ?? [] }
    result += facts.objects.compactMap { $0["default"] }
    if !facts.kinds.isDisjoint(with: .string) { result += strings(facts, hints) }
    if !facts.kinds.isDisjoint(with: .number) { result += numbers(facts, hints) }
    if facts.kinds.contains(.boolean) { result += [.boolean(true), .boolean(false)] }
    if facts.kinds.contains(.null) { result.append(.null) }
    if facts.kinds.contains(.array) { result += arrays(facts, hints, depth) }
    if facts.kinds.contains(.dictionary) { result += objects(facts, hints, depth) }
    return result
  }

  private func strings(_ facts: SchemaFacts, _ hints: SchemaFacts?) -> [JSONTree] {
    var lengths = [1, 0, 5]
    for source in [facts, hints].compactMap({ $0 }) {
      for keyword in ["minLength", "maxLength"] {
        guard let count = source.count(keyword, isLower: keyword == "minLength") else { continue }
        lengths += [count, count &- 1, count &+ 1]
      }
    }
    var texts = lengths.filter { (0...Self.lengthLimit).contains($0) }.map {
      String(repeating: "x", count: $0)
    }
    texts += facts.patterns.compactMap { PlainPattern($0.text)?.literal }
    return texts.map(JSONTree.string)
  }

  private func numbers(_ facts: SchemaFacts, _ hints: SchemaFacts?) -> [JSONTree] {
    var numbers: [ExactNumber] = [.integer(1), .integer(0), ExactNumber(0.5), .integer(-1)]
      .compactMap { $0 }
    for source in [facts, hints].compactMap({ $0 }) {
      var near = source.divisors + [source.minimum, source.maximum].compactMap { $0?.number }
      near += (source.listed ?? []).prefix(8).compactMap { ExactNumber($0) }
      for number in near {
        numbers.append(number)
        if let value = number.integer, value.magnitude < 1 << 100 {
          numbers += [.integer(value - 1), .integer(value + 1)]
          if value.magnitude < 1 << 50 {
            numbers += [ExactNumber(Double(value) + 0.5)].compactMap { $0 }
          }
        } else {
          let value = number.real
          numbers += [value - 1, value + 1].compactMap { ExactNumber($0) }
          if abs(value) < 0x1p50 { numbers.append(.integer(Int128(value.rounded(.up)))) }
        }
      }
    }
    // 1.0 in addition to 1: the stored type may be the difference.
    return numbers.map(\.tree) + [.real(1)]
  }

  private mutating func arrays(
    _ facts: SchemaFacts, _ hints: SchemaFacts?, _ depth: Int
  ) -> [JSONTree] {
    var counts = [facts.count("minItems", isLower: true) ?? 0]
    if depth == 0 {
      counts += [0, 1, 2]
      for source in [facts, hints].compactMap({ $0 }) {
        if let count = source.count("minItems", isLower: true) { counts.append(count &- 1) }
        if let count = source.count("maxItems", isLower: false) { counts.append(count &+ 1) }
      }
    }
    return counts.filter { (0...Self.lengthLimit).contains($0) }.compactMap {
      array(facts, count: $0, depth: depth + 1)
    }
  }

  private mutating func array(_ facts: SchemaFacts, count: Int, depth: Int) -> JSONTree? {
    guard count <= Self.lengthLimit else { return nil }
    var items: [JSONTree] = []
    for index in 0..<count {
      if index > facts.prefixCount, let last = items.last {
        items.append(last)
        continue
      }
      let element = values(fitting: facts.element(index), against: nil, depth: depth)
      guard let value = element.first else { return nil }
      items.append(value)
    }
    return .list(items)
  }

  private mutating func objects(
    _ facts: SchemaFacts, _ hints: SchemaFacts?, _ depth: Int
  ) -> [JSONTree] {
    guard case .members(let least)? = object(facts, depth: depth + 1) else { return [] }
    var result: [JSONTree] = [.members(least)]
    guard depth == 0 else { return result }
    let present = Set(least.map { CodePointString($0.0) })
    var all = least
    let names = facts.memberNames.union(hints?.memberNames ?? []).subtracting(present)
    for name in names.sorted().map(\.text).prefix(16) + [Self.strangeName] {
      guard let value = member(name, facts, depth: depth + 1) else { continue }
      result.append(.members(least + [(name, value)]))
      all.append((name, value))
      result.append(.members(all))
    }
    return result
  }

  /// An object with the required members, and as many more as the count requires.
  private mutating func object(_ facts: SchemaFacts, depth: Int) -> JSONTree? {
    var members: [(String, JSONTree)] = []
    for name in facts.required.sorted() {
      guard let value = member(name.text, facts, depth: depth) else { return nil }
      members.append((name.text, value))
    }
    let count = min(facts.count("minProperties", isLower: true) ?? 0, Self.lengthLimit)
    let optional = facts.memberNames.subtracting(facts.required).sorted().map(\.text)
    let strange = (0..<count).map { "\(Self.strangeName)\($0)" }
    for name in optional + strange where members.count < count {
      guard let value = member(name, facts, depth: depth) else { continue }
      members.append((name, value))
    }
    return .members(members)
  }

  private mutating func member(_ name: String, _ facts: SchemaFacts, depth: Int) -> JSONTree? {
    let classes = NameClass.classes(of: CodePointString(name), patterns: facts.memberPatterns)
    guard let names = classes?.first,
      let part = facts.member(names, onlyNames: facts.onlyNames)
    else { return nil }
    return values(fitting: part, against: nil, depth: depth).first
  }
}
