// The members of a JSON object by name, for the small files that schemas and families are.

import ObjectGraph

/// The members of a JSON object; none if the value is no object.
struct JSONMembers {
  let all: [(name: String, value: Node)]
  private let graph: ObjectGraph

  init(of node: Node, in graph: ObjectGraph) {
    self.graph = graph
    guard case .dictionary(let pairs) = graph.value(of: node) else {
      all = []
      return
    }
    all = (0..<pairs.count).map { position in
      (
        graph.keyText(of: graph.key(pairs, position))?.string ?? "",
        graph.value(pairs, position)
      )
    }
  }

  var names: [String] { all.map(\.name) }

  subscript(name: String) -> Node? { all.last { $0.name == name }?.value }

  func string(_ name: String) -> String? {
    guard let node = self[name], case .string(let text) = graph.value(of: node) else { return nil }
    return text.string
  }

  func boolean(_ name: String) -> Bool? {
    guard let node = self[name], case .boolean(let flag) = graph.value(of: node) else { return nil }
    return flag
  }

  func strings(_ name: String) -> [String] {
    self[name].map { Self.strings($0, in: graph) } ?? []
  }

  /// A string, or the strings of an array.
  static func strings(_ node: Node, in graph: ObjectGraph) -> [String] {
    switch graph.value(of: node) {
    case .string(let text): return [text.string]
    case .array(let elements):
      return (0..<elements.count).compactMap { graph.keyText(of: graph.node(elements, $0))?.string }
    default: return []
    }
  }

  /// A token of a JSON Pointer without its escapes.
  static func unescaped(_ token: String) -> String {
    var text = ""
    var characters = token.makeIterator()
    while let character = characters.next() {
      guard character == "~" else {
        text.append(character)
        continue
      }
      switch characters.next() {
      case "0": text.append("~")
      case "1": text.append("/")
      case let other: text += "~" + (other.map(String.init) ?? "")
      }
    }
    return text
  }
}
