// A schema document whose references can be followed: JSON Pointers, anchors and addresses inside the document.

import Basics
import PropertyLists

/// One document; references that leave it lead nowhere.
package struct SchemaDocument {
  let side: SchemaSide
  package let root: JSONTree
  /// The pointers of the resources in the document by address, the root's own among them.
  private var resources: [ExactText: String] = [:]
  /// The pointers of anchors, by resource and name; nil where two have one name.
  private var anchors: [ExactText: [ExactText: String?]] = [:]

  package init(_ root: JSONTree, _ side: SchemaSide) {
    self.root = root
    self.side = side
    index(root, "", "", depth: 0)
  }

  /// The schema at a pointer; nil if there is none.
  package func place(at pointer: String) -> SchemaPlace? {
    guard let tokens = JSONPointer.tokens(of: pointer) else { return nil }
    var resource = ""
    var tree = root
    var way = ""
    for token in tokens {
      let next = tree.step(token)
      guard let next else { return nil }
      tree = next
      way += "/" + JSONPointer.escaped(token)
      if tree["$id"]?.string != nil { resource = way }
    }
    return SchemaPlace(side: side, pointer: way, resource: resource, tree: tree)
  }

  /// The schema that a reference leads to; nil if it leads nowhere in the document.
  package func target(of reference: String, from place: SchemaPlace) -> SchemaPlace? {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let address = parts.first.map(String.init) ?? ""
    let fragment = parts.count > 1 ? PercentEncoding.decoded(String(parts[1])) : ""
    guard let fragment else { return nil }
    let base = address.isEmpty ? place.resource : resources[ExactText(address)]
    guard let base else { return nil }
    if fragment.isEmpty || fragment.hasPrefix("/") { return self.place(at: base + fragment) }
    guard let pointer = anchors[ExactText(base)]?[ExactText(fragment)] ?? nil else { return nil }
    return self.place(at: pointer)
  }

  private mutating func index(
    _ tree: JSONTree, _ pointer: String, _ resource: String, depth: Int
  ) {
    guard depth <= JSONTree.depthLimit else { return }
    if let items = tree.list {
      for (position, item) in items.enumerated() {
        index(item, "\(pointer)/\(position)", resource, depth: depth + 1)
      }
    }
    guard let members = tree.members else { return }
    var resource = resource
    if let address = tree["$id"]?.string {
      resource = pointer
      resources[ExactText(address)] = pointer
    }
    for keyword in ["$anchor", "$dynamicAnchor"] {
      guard let name = tree[keyword]?.string else { continue }
      let known = anchors[ExactText(resource), default: [:]][ExactText(name)]
      anchors[ExactText(resource), default: [:]][ExactText(name)] =
        .some(known == nil || known == pointer ? pointer : nil)
    }
    for (name, value) in members {
      index(value, "\(pointer)/\(JSONPointer.escaped(name))", resource, depth: depth + 1)
    }
  }
}
