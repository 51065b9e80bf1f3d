// Whether two schemas are written alike, wherever their parts are: then no value needs to be tried.

import PropertyLists

/// Compares two schemas keyword by keyword, following references on both sides.
struct SchemaLikeness {
  private let documents: SchemaDocuments
  private var met: Set<SchemaPlacePair> = []
  private var steps = 0

  init(_ documents: SchemaDocuments) { self.documents = documents }

  mutating func areAlike(_ left: Subschema, _ right: Subschema, depth: Int) -> Bool {
    if left == right { return true }
    steps += 1
    guard steps <= 20_000, depth <= 300 else { return false }
    guard let left = behind(left), let right = behind(right) else { return false }
    // Two unrolled schemas are alike if no difference ever appears, so a pair that appears again is not a difference.
    if left == right || !met.insert(SchemaPlacePair(left: left, right: right)).inserted {
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
      guard let left = documents.target(of: leftTree, from: left),
        let right = documents.target(of: rightTree, from: right)
      else { return false }
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
      return left.allSatisfy { name, place in
        right.schema(keyword, name).map { areAlike(place, $0, depth: depth + 1) } ?? false
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
  private func behind(_ place: Subschema) -> Subschema? {
    var place = place
    for _ in 0..<64 {
      guard let members = place.tree.members else { return place }
      let keywords = assertions(members)
      guard keywords.count == 1, let first = keywords.first, first.0 == "$ref" else { return place }
      guard let next = documents.target(of: first.1, from: place) else { return nil }
      place = next
    }
    return nil
  }

  private func assertions(_ members: [(String, JSONTree)]) -> [(String, JSONTree)] {
    members.filter {
      !SchemaKeyword.isAnnotation($0.0, documents.options) && $0.0 != "x-archive"
    }
  }
}
