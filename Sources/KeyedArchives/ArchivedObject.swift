// An object of a keyed archive as its class family sees it: fields by name.

import ObjectGraph

/// An object in `$objects` that has a class.
public struct ArchivedObject {
  /// The graph that it is in.
  public let graph: ObjectGraph
  let archive: KeyedArchive
  /// The object itself.
  public let node: Node

  /// The value of a field, nil if the object has no such key.
  func field(_ key: KnownKey) -> Node? {
    let pairs = graph.storedPairs(of: node)
    let table = archive.table
    for position in 0..<pairs.keys.count
    where archive.keyCache.key(table.reference(pairs.keys.start, position), table) == key {
      return graph.node(pairs.values, position)
    }
    return nil
  }

  /// Whether the object has a class and nothing else, as an empty collection in the older spelling has.
  var isBare: Bool { graph.storedPairs(of: node).keys.count == 1 }

  /// The elements of a field that holds an array of references.
  func list(_ key: KnownKey) -> Elements? {
    guard let node = field(key), case .array(let elements) = graph.storedValue(of: node) else {
      return nil
    }
    return elements
  }

  /// The values of the keys `prefix0`, `prefix1`, …, the spelling of collections before
  /// `NS.objects`; the keys may stand in any order.
  ///
  /// Nil if they are not consecutive from 0, or one is there twice.
  func indexed(_ prefix: String) -> [Node]? {
    let pairs = graph.storedPairs(of: node)
    var numbered: [Int: Node] = [:]
    for position in 0..<pairs.keys.count {
      guard let key = graph.text(of: graph.node(pairs.keys, position))?.string,
        key.hasPrefix(prefix), let number = Int(key.dropFirst(prefix.count)), number >= 0
      else { continue }
      // `01` and `+1` are 1 as well: showing one of two would lose the other.
      let node = graph.node(pairs.values, position)
      guard numbered.updateValue(node, forKey: number) == nil else { return nil }
    }
    let nodes = (0..<numbered.count).compactMap { numbered[$0] }
    return nodes.count == numbered.count ? nodes : nil
  }

  /// The string that a field leads to.
  func text(_ key: KnownKey) -> Text? {
    guard let node = field(key), case .string(let text)? = leaf(node) else { return nil }
    return text
  }

  /// The bytes that a field holds or leads to.
  func data(_ key: KnownKey) -> UnsafeRawBufferPointer? {
    guard let node = field(key), case .data(let bytes)? = leaf(node) else { return nil }
    return bytes
  }
}
