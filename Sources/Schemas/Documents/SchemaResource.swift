// A schema resource: a schema with a URI of its own, within a document (JSON Schema Core 2020-12, section 4.3.5).

import PropertyLists

/// A schema that other schemas refer to by URI.
final class SchemaResource {
  /// Its absolute URI without a fragment; empty for a document that has none.
  let uri: String
  /// The number of the document.
  let document: Int
  /// The schema.
  let tree: JSONTree
  /// The vocabularies in force.
  let dialect: SchemaDialect
  /// The schemas that `$anchor` and `$dynamicAnchor` name, by their pointers.
  var anchors: [String: String] = [:]
  /// The names among them that `$dynamicAnchor` gave.
  var dynamicAnchors: Set<String> = []

  init(uri: String, document: Int, tree: JSONTree, dialect: SchemaDialect) {
    self.uri = uri
    self.document = document
    self.tree = tree
    self.dialect = dialect
  }
}

/// A schema's place: its resource, and the pointer from there.
struct SchemaLocation {
  /// The number of the resource.
  let resource: Int
  /// A JSON Pointer from the resource's root.
  let pointer: String
  /// The schema.
  let tree: JSONTree

  /// The place of a part.
  func part(_ tokens: String..., tree: JSONTree) -> SchemaLocation {
    let suffix = tokens.map { "/" + JSONPointer.escaped($0) }.joined()
    return SchemaLocation(resource: resource, pointer: pointer + suffix, tree: tree)
  }
}
