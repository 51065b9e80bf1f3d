// The two documents of a comparison: their schemas by location, where references lead, and whether two schemas are alike.

import ArchiveBasics
import ArchivePatterns
import ArchivePropertyLists

struct SchemaDocuments {
  /// The schema whose values are to be contained.
  let inner: Subschema
  /// The schema that is to contain them.
  let outer: Subschema
  let options: SchemaComparison.Options
  /// The patterns of members' names and of texts.
  let patterns = PatternCache()

  init(inner: JSONTree, outer: JSONTree, options: SchemaComparison.Options) {
    self.inner = Subschema(root: inner, side: 0)
    self.outer = Subschema(root: outer, side: 1)
    self.options = options
  }

  /// Whether two schemas are equivalent: written alike except for annotations and the names behind references.
  ///
  /// The result is also false if a full comparison would cost too much.
  func areAlike(_ left: Subschema, _ right: Subschema) -> Bool {
    var comparison = SchemaLikeness(options)
    return comparison.areAlike(left, right, depth: 0)
  }

  /// Whether two schemas hold a keyword with the same meaning.
  func areAlike(_ keyword: String, _ left: Subschema, _ right: Subschema) -> Bool {
    guard let leftTree = left[keyword], let rightTree = right[keyword] else { return false }
    var comparison = SchemaLikeness(options)
    return comparison.areAlike(keyword, left, leftTree, right, rightTree, depth: 0)
  }
}

// MARK: - A schema inside one of the documents

/// A schema identified by its location; two are equal if their locations are equal.
struct Subschema: Hashable {
  private let store: SchemaStore
  private let location: SchemaLocation
  /// The number of the document.
  private let side: Int
  /// The JSON Pointer from the document's root.
  let pointer: String

  /// The schema of a whole document; references to other documents are not found.
  init(root: JSONTree, side: Int) {
    self.init(
      SchemaStore(of: root), SchemaLocation(resource: 0, pointer: "", tree: root), side: side)
  }

  private init(_ store: SchemaStore, _ location: SchemaLocation, side: Int) {
    (self.store, self.location, self.side) = (store, store.canonical(location), side)
    pointer = store.documentPointer(of: location)
  }

  var tree: JSONTree { location.tree }

  /// What determines the order of schemas.
  var order: (Int, CodePointString) { (side, CodePointString(pointer)) }

  static func == (left: Subschema, right: Subschema) -> Bool { left.order == right.order }

  func hash(into hasher: inout Hasher) {
    hasher.combine(side)
    hasher.combine(CodePointString(pointer))
  }

  subscript(keyword: String) -> JSONTree? { tree[keyword] }

  /// The schema that a reference in it leads to; nil if it is not found.
  func target(of reference: JSONTree) -> Subschema? {
    // A store of one document reads no files, so it throws no errors.
    let found = reference.string.flatMap { try? store.find($0, from: location.resource) }
    return found.map { Subschema(store, $0.location, side: side) }
  }

  func pointer(to keyword: String) -> String { "\(pointer)/\(JSONPointer.escaped(keyword))" }

  func schema(_ keyword: String) -> Subschema? {
    self[keyword].map { Subschema(store, location.part(keyword, tree: $0), side: side) }
  }

  /// The schemas that a keyword holds by name, in order.
  func schemas(_ keyword: String) -> [(name: String, schema: Subschema)] {
    let members = self[keyword]?.members ?? []
    var met: Set<CodePointString> = []
    return members.compactMap { name, _ in
      guard met.insert(CodePointString(name)).inserted else { return nil }
      // Of two members with one name, the last counts.
      return schema(keyword, name).map { (name, $0) }
    }
  }

  func schema(_ keyword: String, _ name: String) -> Subschema? {
    self[keyword]?[name].map {
      Subschema(store, location.part(keyword, name, tree: $0), side: side)
    }
  }

  func list(_ keyword: String) -> [Subschema] {
    (self[keyword]?.list ?? []).enumerated().map { index, tree in
      Subschema(store, location.part(keyword, "\(index)", tree: tree), side: side)
    }
  }
}

extension [Subschema] {
  /// With all schemas that apply to the same value in some case: behind references, and all branches.
  var withBranches: [Subschema] {
    var result: [Subschema] = []
    var met: Set<Subschema> = []
    var waiting = self
    while let schema = waiting.popLast(), result.count < 256 {
      guard schema.tree.members != nil, met.insert(schema).inserted else { continue }
      result.append(schema)
      if let target = schema["$ref"].flatMap(schema.target) { waiting.append(target) }
      for keyword in ["allOf", "anyOf", "oneOf"] { waiting += schema.list(keyword) }
      waiting += ["if", "then", "else", "not"].compactMap { schema.schema($0) }
      waiting += schema.schemas("dependentSchemas").map(\.schema)
    }
    return result
  }
}

// MARK: - What is known about a value: the schemas that it fits, all at the same time

/// Schemas that one value fits together.
struct Conjunction: Hashable {
  /// A choice among branches that was already made.
  struct Choice: Hashable {
    let schema: Subschema
    let keyword: String
  }

  /// Sorted and unique, so that equal conjunctions are equal.
  private(set) var schemas: [Subschema] = []
  /// The kinds that the value may have, apart from what the schemas require.
  var kinds: ValueKinds
  /// The `anyOf`, `oneOf` and `if` keywords whose branch is among the schemas.
  private(set) var choices: Set<Choice> = []

  init(_ schemas: [Subschema], kinds: ValueKinds = .all) {
    self.kinds = kinds
    add(schemas)
  }

  func adding(_ more: [Subschema], choosing choice: Choice? = nil) -> Conjunction {
    var result = self
    result.add(more)
    if let choice { result.choices.insert(choice) }
    return result
  }

  private mutating func add(_ more: [Subschema]) {
    for schema in more where !schemas.contains(schema) { schemas.append(schema) }
    schemas.sort { $0.order < $1.order }
  }
}

// MARK: - Members' names, and the patterns of `patternProperties` that they match

/// Names that the schemas at a location do not distinguish.
struct NameClass {
  /// The one name of the class; nil for all names that no schema lists.
  let name: CodePointString?
  let matching: Set<CodePointString>
}

/// The patterns of a comparison or a generator, each compiled once.
final class PatternCache {
  private var known: [CodePointString: PatternSample?] = [:]

  func pattern(_ source: String) -> PatternSample? {
    let key = CodePointString(source)
    if let pattern = known[key] { return pattern }
    let pattern = PatternSample(source)
    known[key] = .some(pattern)
    return pattern
  }

  /// The class of a name, with those of some patterns that it matches.
  func names(_ name: CodePointString, of patterns: [CodePointString]) -> NameClass {
    NameClass(
      name: name,
      matching: Set(patterns.filter { pattern($0.text)?.matches(name.text) == true }))
  }
}

// MARK: - Whether two schemas are written alike: then no value needs to be tried

/// Compares two schemas keyword by keyword, following references on both sides.
struct SchemaLikeness {
  private let options: SchemaComparison.Options
  private var met: Set<[Subschema]> = []
  private var steps = 0

  init(_ options: SchemaComparison.Options) { self.options = options }

  mutating func areAlike(_ left: Subschema, _ right: Subschema, depth: Int) -> Bool {
    if left == right { return true }
    steps += 1
    guard steps <= 20_000, depth <= 300 else { return false }
    guard let left = behind(left), let right = behind(right) else { return false }
    // Two unrolled schemas are alike if no difference ever appears, so a pair that appears again is not a difference.
    if left == right || !met.insert([left, right]).inserted {
      return true
    }
    guard let leftMembers = left.tree.members, let rightMembers = right.tree.members else {
      return left.tree == right.tree && left.tree.boolean != nil
    }
    let leftKeywords = assertions(leftMembers)
    let rightKeywords = assertions(rightMembers)
    guard Set(leftKeywords.map(\.0)) == Set(rightKeywords.map(\.0)) else { return false }
    return leftKeywords.allSatisfy { keyword, tree in
      guard let other = right[keyword] else { return false }
      return areAlike(keyword, left, tree, right, other, depth: depth + 1)
    }
  }

  mutating func areAlike(
    _ keyword: String, _ left: Subschema, _ leftTree: JSONTree, _ right: Subschema,
    _ rightTree: JSONTree, depth: Int
  ) -> Bool {
    if keyword == "$dynamicRef" || keyword == "$recursiveRef" { return false }
    if keyword == "$ref" {
      guard let left = left.target(of: leftTree), let right = right.target(of: rightTree) else {
        return false
      }
      return areAlike(left, right, depth: depth + 1)
    }
    if keyword == "x-archived" {
      // Versions of other families are equal if their names are equal.
      if let name = SchemaLibrary.label(ofReference: leftTree) {
        return name == SchemaLibrary.label(ofReference: rightTree)
      }
      guard let left = left.schema(keyword), let right = right.schema(keyword),
        let archive = left["x-archive"], right["x-archive"]?.isSame(as: archive) == true
      else { return false }
      return areAlike(left, right, depth: depth + 1)
    }
    // The members of `dependencies` may be lists of names.
    let shape = keyword == "dependencies" ? .none : SchemaKeyword.all[keyword]?.shape ?? .none
    if shape == .schema, let left = left.schema(keyword),
      let right = right.schema(keyword)
    {
      return areAlike(left, right, depth: depth + 1)
    }
    if shape == .list, leftTree.list != nil, rightTree.list != nil {
      let left = left.list(keyword)
      let right = right.list(keyword)
      return left.count == right.count
        && zip(left, right).allSatisfy { areAlike($0, $1, depth: depth + 1) }
    }
    if shape == .map, leftTree.members != nil, rightTree.members != nil {
      let left = left.schemas(keyword)
      guard left.count == right.schemas(keyword).count else { return false }
      return left.allSatisfy { name, schema in
        right.schema(keyword, name).map { areAlike(schema, $0, depth: depth + 1) } ?? false
      }
    }
    if keyword == "required" || keyword == "type" || keyword == "enum" {
      let left = leftTree.list ?? [leftTree]
      let right = rightTree.list ?? [rightTree]
      return left.count == right.count
        && Set(left.map(SchemaValue.init)) == Set(right.map(SchemaValue.init))
    }
    return leftTree.isSame(as: rightTree)
  }

  /// The schema behind references without other keywords; nil if they lead nowhere or form a cycle.
  private func behind(_ schema: Subschema) -> Subschema? {
    var schema = schema
    for _ in 0..<64 {
      guard let members = schema.tree.members else { return schema }
      let keywords = assertions(members)
      guard keywords.count == 1, let first = keywords.first, first.0 == "$ref" else {
        return schema
      }
      guard let next = schema.target(of: first.1) else { return nil }
      schema = next
    }
    return nil
  }

  private func assertions(_ members: [(String, JSONTree)]) -> [(String, JSONTree)] {
    members.filter {
      !SchemaKeyword.isAnnotation($0.0, options) && $0.0 != "x-archive"
    }
  }
}
