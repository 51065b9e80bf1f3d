// A schema inside one of the documents that are compared.

import Basics
import PropertyLists

/// The document that contains a schema.
enum SchemaSide: UInt8 {
  /// The schema whose values are to be contained.
  case inner
  /// The schema that is to contain them.
  case outer
}

/// A schema identified by its location; two are equal if their locations are equal.
struct Subschema: Hashable {
  let side: SchemaSide
  /// The JSON Pointer from the document's root.
  let pointer: String
  /// The pointer of the resource that references without an address are resolved against.
  let resource: String
  let tree: JSONTree

  static func == (left: Subschema, right: Subschema) -> Bool {
    left.side == right.side && CodePointString(left.pointer) == CodePointString(right.pointer)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(side)
    hasher.combine(CodePointString(pointer))
  }

  /// The value of a keyword.
  subscript(keyword: String) -> JSONTree? { tree[keyword] }

  /// The pointer to a keyword, or to one of its parts.
  func pointer(to tokens: String...) -> String {
    tokens.reduce(pointer) { "\($0)/\(JSONPointer.escaped($1))" }
  }

  /// The schema that a keyword holds.
  func schema(_ keyword: String) -> Subschema? {
    self[keyword].map { place(keyword, $0) }
  }

  /// The schemas that a keyword holds by name, in order.
  func schemas(_ keyword: String) -> [(name: String, place: Subschema)] {
    let members = self[keyword]?.members ?? []
    var met: Set<CodePointString> = []
    return members.compactMap { name, _ in
      guard met.insert(CodePointString(name)).inserted else { return nil }
      // Of two members with one name, the last counts.
      return schema(keyword, name).map { (name, $0) }
    }
  }

  /// The schema that a keyword holds under a name.
  func schema(_ keyword: String, _ name: String) -> Subschema? {
    self[keyword]?[name].map { place(at: pointer(to: keyword, name), $0) }
  }

  /// The schemas of a keyword's array.
  func list(_ keyword: String) -> [Subschema] {
    let parent = pointer(to: keyword)
    return (self[keyword]?.list ?? []).enumerated().map { index, tree in
      place(at: "\(parent)/\(index)", tree)
    }
  }

  private func place(_ keyword: String, _ tree: JSONTree) -> Subschema {
    place(at: pointer(to: keyword), tree)
  }

  private func place(at pointer: String, _ tree: JSONTree) -> Subschema {
    // A schema with its own address is the base of its references (Core 2020-12, section 8.2.1).
    let isResource = tree["$id"]?.string != nil
    return Subschema(
      side: side, pointer: pointer, resource: isResource ? pointer : resource, tree: tree)
  }
}

/// Two schemas that are compared with each other.
struct SchemaPlacePair: Hashable {
  let left: Subschema
  let right: Subschema
}
