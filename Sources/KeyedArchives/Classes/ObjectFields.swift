// The stored fields of an archived object, by name.

import ArchiveGraph

/// The fields of an object, even if its class has a plain value.
package struct ObjectFields {
  let graph: ObjectGraph
  private var nodes: [String: Node] = [:]
  /// Whether there is a field that `nodes` does not include.
  private var hasOthers = false

  init(of node: Node, in graph: ObjectGraph) {
    self.graph = graph
    guard case .dictionary(let pairs) = graph.storedValue(of: node) else { return }
    for position in 0..<min(pairs.count, 64) {
      guard let key = graph.text(of: graph.key(pairs, position))?.string, nodes[key] == nil else {
        hasOthers = true
        continue
      }
      nodes[key] = graph.value(pairs, position)
    }
    if pairs.count > 64 { hasOthers = true }
  }

  /// Whether the object has only these fields, except fields that are nil.
  func areAll(among names: Set<String>) -> Bool {
    !hasOthers && nodes.keys.allSatisfy { $0 == "$class" || names.contains($0) || isNil($0) }
  }

  /// Whether a field is missing or nil.
  func isNil(_ name: String) -> Bool {
    guard let node = nodes[name] else { return true }
    if case .null = graph.value(of: node) { return true }
    return false
  }

  subscript(name: String) -> Node? { nodes[name] }

  /// An integer, stored as one or as an integral real, which `decodeInteger(forKey:)` reads as well.
  func integer(_ name: String) -> Int64? {
    guard let node = nodes[name] else { return nil }
    switch graph.value(of: node) {
    case .integer(let number): return number
    case .real(let number): return Int64(exactly: number)
    case .single(let number): return Int64(exactly: number)
    default: return nil
    }
  }

  func real(_ name: String) -> Double? {
    guard let node = nodes[name] else { return nil }
    switch graph.value(of: node) {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case .single(let number): return Double(number)
    default: return nil
    }
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
