// The containers of a graph and of a table, as walks enter them.

import Basics

/// A value of a graph that leads to others.
@frozen
public enum GraphContainer: WalkedContainer {
  /// The elements of a list.
  case elements(Elements)
  /// The values of a dictionary or of an object's fields.
  case members(Pairs)
  /// The keys of a dictionary, then its values.
  case pairs(Pairs)
  /// The root of an archive in a data value.
  case content(Node)

  /// The children of a value; nil for a scalar.
  ///
  /// - Parameter keys: whether the keys of dictionaries are children, too.
  public init?(_ value: Value, keys: Bool = false) {
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      self = .elements(elements)
    case .dictionary(let pairs), .object(_, let pairs):
      self = keys ? .pairs(pairs) : .members(pairs)
    default: return nil
    }
  }

  /// The number of children.
  @inlinable
  public var childCount: Int {
    switch self {
    case .elements(let elements): elements.count
    case .members(let pairs): pairs.count
    case .pairs(let pairs): pairs.count * 2
    case .content: 1
    }
  }

  /// The child at a position.
  @inlinable
  public func child(_ position: Int, in graph: ObjectGraph) -> Node {
    switch self {
    case .elements(let elements): graph.node(elements, position)
    case .members(let pairs): graph.value(pairs, position)
    case .pairs(let pairs) where position < pairs.count: graph.key(pairs, position)
    case .pairs(let pairs): graph.value(pairs, position - pairs.count)
    case .content(let node): node
    }
  }

  /// The step to a child; a key that is not text is shown by its number.
  public func step(_ position: Int, in graph: ObjectGraph) -> GraphPath.Step {
    switch self {
    case .elements: return .index(position)
    case .content(let node): return .content(graph.contentKind(of: node))
    case .members(let pairs), .pairs(let pairs):
      let position = position < pairs.count ? position : position - pairs.count
      let name = graph.memberName(pairs, position)?.string
      return .key(name ?? graph.label(of: graph.key(pairs, position)))
    }
  }
}

/// A stored container of a table: an array, a set or a dictionary, whose keys come before its values.
public struct TableContainer: WalkedContainer {
  /// Its index in the table.
  public let index: UInt32
  private let start: UnsafeRawPointer
  private let isDictionary: Bool
  /// The number of references.
  public let childCount: Int

  /// The container at an index that was checked; nil for a scalar.
  public init?(_ index: UInt32, in table: ValueTable) {
    let kind = table.marker(of: index) >> 4
    guard kind >= Marker.array else { return nil }
    self.index = index
    (start, childCount) = table.references(of: index)
    isDictionary = kind == Marker.dictionary
  }

  /// The child at a position.
  public func child(_ position: Int, in table: ValueTable) -> UInt32 {
    table.reference(start, position)
  }

  /// The step to the target of a reference.
  public func step(_ position: Int, in table: ValueTable) -> GraphPath.Step {
    guard isDictionary else { return .index(position) }
    let pairs = childCount / 2
    let key = table.reference(start, position < pairs ? position : position - pairs)
    return .key(table.text(at: key)?.string ?? "?")
  }
}
