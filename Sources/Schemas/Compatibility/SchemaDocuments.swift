// The two documents of a comparison, with lookups in both: where references lead, whether two schemas are alike.

import PropertyLists

/// The documents that are compared.
struct SchemaDocuments {
  let inner: SchemaDocument
  let outer: SchemaDocument
  let options: SchemaComparison.Options
  /// The patterns of members' names and of texts.
  let patterns = PatternCache()

  init(inner: JSONTree, outer: JSONTree, options: SchemaComparison.Options) {
    self.inner = SchemaDocument(inner, .inner)
    self.outer = SchemaDocument(outer, .outer)
    self.options = options
  }

  /// The schema that a reference leads to; nil if it is not found.
  func target(of reference: JSONTree, from place: Subschema) -> Subschema? {
    guard let text = reference.string else { return nil }
    return (place.side == .inner ? inner : outer).target(of: text, from: place)
  }

  /// Whether two schemas are equivalent: written alike except for annotations and the names behind references.
  ///
  /// The result is also false if a full comparison would cost too much.
  func areAlike(_ left: Subschema, _ right: Subschema) -> Bool {
    var comparison = SchemaLikeness(self)
    return comparison.areAlike(left, right, depth: 0)
  }

  /// Whether two schemas hold a keyword with the same meaning.
  func areAlike(_ keyword: String, _ left: Subschema, _ right: Subschema) -> Bool {
    guard let leftTree = left[keyword], let rightTree = right[keyword] else { return false }
    var comparison = SchemaLikeness(self)
    return comparison.areAlike(keyword, left, leftTree, right, rightTree, depth: 0)
  }
}
