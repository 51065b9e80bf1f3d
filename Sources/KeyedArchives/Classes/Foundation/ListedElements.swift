// The elements of collections: `NS.objects`, or `NS.object.0`, `NS.object.1`, … in older archives and in every ordered set.

import ObjectGraph

extension ArchivedObject {
  /// The elements of a collection under either kind of keys.
  func listedElements() -> Elements? {
    if let elements = list(.objects) { return elements }
    if field(.objects) != nil { return nil }
    let remembered = graph.derivedValue(of: node) { derived in
      guard let nodes = indexed("NS.object."), !nodes.isEmpty || isBare else { return .null }
      return .array(derived.elements(nodes))
    }
    if case .array(let elements) = remembered { return elements }
    return nil
  }
}
