// The stored fields of an archived object, by name.

import ObjectGraph

/// The fields of an object, whatever plain value its class has.
struct ObjectFields {
  let graph: ObjectGraph
  private var nodes: [String: Node] = [:]

  init(of node: Node, in graph: ObjectGraph) {
    self.graph = graph
    guard case .dictionary(let pairs) = graph.storedValue(of: node) else { return }
    for position in 0..<min(pairs.count, 64) {
      guard let key = graph.text(of: graph.key(pairs, position))?.string else { continue }
      nodes[key] = graph.value(pairs, position)
    }
  }

  subscript(name: String) -> Node? { nodes[name] }

  func integer(_ name: String) -> Int64? {
    guard let node = nodes[name], case .integer(let number) = graph.value(of: node) else {
      return nil
    }
    return number
  }

  func boolean(_ name: String) -> Bool? {
    guard let node = nodes[name] else { return nil }
    switch graph.value(of: node) {
    case .boolean(let flag): return flag
    case .integer(let number): return number != 0
    default: return nil
    }
  }

  func string(_ name: String) -> String? {
    guard let node = nodes[name], case .string(let text) = graph.value(of: node) else { return nil }
    return text.string
  }

  func data(_ name: String) -> UnsafeRawBufferPointer? {
    guard let node = nodes[name], case .data(let bytes) = graph.value(of: node) else { return nil }
    return bytes
  }
}
