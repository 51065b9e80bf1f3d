// The children of a value in a query; for a data value with an archive, those of the archive's root.

import Basics
import ObjectGraph

/// The children of a value.
struct QueryContainer {
  /// The value that contains them: for an archive in a data value, the root of the archive.
  let node: Node
  private let container: GraphContainer

  /// The children of a value; nil if it cannot have any.
  init?(_ node: Node, in graph: ObjectGraph) {
    var node = node
    var value = graph.value(of: node)
    while case .data = value, let content = graph.content(of: node) {
      node = content
      value = graph.value(of: node)
    }
    guard let container = GraphContainer(value) else { return nil }
    self.node = node
    self.container = container
  }

  /// How many children there are.
  var count: Int { container.childCount }

  /// Whether the children are elements, not members.
  var isList: Bool {
    if case .elements = container { true } else { false }
  }

  /// The child at a position.
  func child(_ position: Int, in graph: ObjectGraph) -> Node {
    container.child(position, in: graph)
  }

  /// The step to the child at a position.
  func step(_ position: Int, in graph: ObjectGraph) -> GraphPath.Step {
    container.step(position, in: graph)
  }

  /// The position of the first member with a name.
  func position(of name: String, in graph: ObjectGraph) -> Int? {
    guard case .members(let pairs) = container else { return nil }
    for position in 0..<pairs.count {
      if let text = graph.memberName(pairs, position) {
        if text.sameCharacters(as: name) { return position }
      } else if name.utf8.first == UInt8(ascii: "#"),
        graph.label(of: graph.key(pairs, position)) == name
      {
        // A key that is not text is identified by its position, as in paths.
        return position
      }
    }
    return nil
  }

  /// The position of an element, counted from the end if it is negative.
  func position(of index: Int) -> Int? {
    let position = index < 0 ? count + index : index
    return isList && (0..<count).contains(position) ? position : nil
  }

  /// The positions of all members by their names.
  func positions(in graph: ObjectGraph) -> [CodePointString: Int] {
    var positions: [CodePointString: Int] = [:]
    for position in 0..<count {
      if case .key(let name) = step(position, in: graph), positions[CodePointString(name)] == nil {
        positions[CodePointString(name)] = position
      }
    }
    return positions
  }
}
