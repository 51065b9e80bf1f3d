// A schema ready for use: its objects by place, and what it says of a model's shape.

import KeyedArchives
import ObjectGraph

/// A JSON Schema, compiled.
public final class CompiledSchema: ModelShape {
  /// The schema objects; place 0 is the schema that allows everything.
  let nodes: [SchemaNode]
  /// The place of the whole schema.
  public let root: Int
  /// Whether the root may be a list of models as well.
  let allowsList: Bool

  init(nodes: [SchemaNode], root: Int, allowsList: Bool) {
    self.nodes = nodes
    self.root = root
    self.allowsList = allowsList
  }

  /// The place of a member; nil if the schema forbids it.
  public func member(_ place: Int, _ key: Text) -> Int? {
    let node = nodes[place]
    if let position = node.position(of: key) { return node.properties[position].place }
    switch node.additional {
    case .allowed: return 0
    case .forbidden: return nil
    case .schema(let place): return place
    }
  }

  /// The place of a list's elements.
  public func element(_ place: Int) -> Int {
    if let items = nodes[place].items { return items }
    return place == root && allowsList ? root : 0
  }

  /// The type of a number: integers as Int, numbers as Double.
  public func number(_ place: Int) -> NumberShape { nodes[place].numberShape }

  /// The members that a model must have.
  var requiredMembers: [String] { nodes[root].properties.filter(\.isRequired).map(\.name) }

  /// All members that the schema names.
  var members: [String] { nodes[root].properties.map(\.name) }
}
