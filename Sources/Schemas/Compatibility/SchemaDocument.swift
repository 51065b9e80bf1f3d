// A schema document whose references can be followed: JSON Pointers, anchors and addresses inside the document.

import PropertyLists

/// One document; references to other documents are not found.
struct SchemaDocument {
  private let side: SchemaSide
  private let store: SchemaStore
  let root: JSONTree

  init(_ root: JSONTree, _ side: SchemaSide) {
    self.root = root
    self.side = side
    store = SchemaStore(of: root)
  }

  /// The schema at a pointer; nil if it is missing.
  func place(at pointer: String) -> Subschema? {
    store.walk(pointer, from: 0).map(place)
  }

  /// The schema that a reference leads to; nil if it is not in the document.
  func target(of reference: String, from place: Subschema) -> Subschema? {
    let base = store.resource(at: place.resource)
    // A store of one document reads no files, so it throws no errors.
    return (try? store.find(reference, from: base))?.map { self.place($0.location) }
  }

  private func place(_ location: SchemaLocation) -> Subschema {
    Subschema(
      side: side, pointer: store.documentPointer(of: location),
      resource: store.resources[location.resource].pointer, tree: location.tree)
  }
}
