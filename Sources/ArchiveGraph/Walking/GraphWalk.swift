// The one walk: depth first, with a stack of its own, so that no input makes the program recurse.

import ArchiveBasics

/// A container of values that a walk enters, or a value that refers to another.
public protocol WalkedContainer {
  /// The source of the children: a graph or a table.
  associatedtype Context
  /// The target of a container.
  associatedtype Child

  /// The number of children.
  var childCount: Int { get }

  /// The child at a position.
  func child(_ position: Int, in context: Context) -> Child

  /// The step of a path from the container to a child.
  func step(_ position: Int, in context: Context) -> GraphPath.Step
}

/// A walk controlled by the caller: it requests the next child, and enters those that it wants to see inside.
///
/// Specialized for each kind of container; its only state is its stack, and it does not record visited nodes.
public struct GraphWalk<Container: WalkedContainer>: ~Copyable {
  /// The events of the walk.
  public enum Event {
    /// A child of the innermost open container, at its position there.
    case child(Container.Child, at: Int, of: Container)
    /// The innermost open container is at its end, and is open no more.
    case leave(Container)
  }

  @usableFromInline
  struct Level {
    @usableFromInline
    let container: Container
    @usableFromInline
    var next = 0

    @usableFromInline
    init(_ container: Container) { self.container = container }
  }

  /// The source of the children.
  public let context: Container.Context
  /// The maximum number of open containers.
  public let limit: Int
  @usableFromInline
  var levels: [Level] = []

  /// Makes a walk that has entered nothing.
  ///
  /// - Parameter limit: the maximum number of open containers.
  package init(in context: Container.Context, limit: Int = .max) {
    self.context = context
    self.limit = limit
  }

  /// How many containers are open.
  @inlinable
  public var depth: Int { levels.count }

  /// Whether one more container may be entered.
  @inlinable
  public var isAtLimit: Bool { levels.count >= limit }

  /// Enters a container, whose children come next.
  ///
  /// The caller looks at `isAtLimit` before.
  @inlinable
  public mutating func enter(_ container: Container) { levels.append(Level(container)) }

  /// Enters a container if the limit allows.
  ///
  /// - Throws: `ArchiveError` with code `limit` if it is too deep.
  @inlinable
  public mutating func enter(
    _ container: Container, offset: @autoclosure () -> Int?
  ) throws(ArchiveError) {
    guard !isAtLimit else { throw .tooDeep(limit, offset: offset()) }
    enter(container)
  }

  /// What comes next; nil at the end.
  @inlinable
  public mutating func next() -> Event? {
    let last = levels.count &- 1
    guard last >= 0 else { return nil }
    let position = levels[last].next
    let container = levels[last].container
    guard position < container.childCount else {
      levels.removeLast()
      return .leave(container)
    }
    levels[last].next = position &+ 1
    return .child(container.child(position, in: context), at: position, of: container)
  }

  /// The path of the child that came last.
  package var path: GraphPath {
    GraphPath(
      levels.compactMap { level in
        level.next > 0 ? level.container.step(level.next - 1, in: context) : nil
      })
  }
}

extension ArchiveError {
  /// The error of values that are too deep in one another.
  public static func tooDeep(_ limit: Int, offset: Int? = nil) -> ArchiveError {
    ArchiveError(.limit, "values are nested more than \(limit) levels deep", offset: offset)
  }
}

// MARK: - The containers of a graph and of a table, as walks enter them

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
  package init?(_ value: Value, keys: Bool = false) {
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

extension GraphContainer {
  /// The position of the next child that may hold others, from a position on; the number of children if none does.
  ///
  /// It may be one that holds none, where children have no references of their own.
  fileprivate func holder(from position: Int, in graph: ObjectGraph) -> Int {
    switch self {
    case .elements(let elements): elements.holder(position..<elements.count, in: graph)
    case .members(let pairs) where pairs.areAllShown:
      pairs.values.holder(position..<pairs.count, in: graph)
    case .pairs(let pairs) where pairs.areAllShown:
      pairs.holder(from: position, in: graph)
    default: position
    }
  }
}

extension Pairs {
  /// Whether no stored pair among them is hidden.
  fileprivate var areAllShown: Bool { count == values.count }

  /// The same for the keys and then the values.
  fileprivate func holder(from position: Int, in graph: ObjectGraph) -> Int {
    var position = position
    if position < count { position = keys.holder(position..<count, in: graph) }
    guard position >= count else { return position }
    return count + values.holder(position - count..<count, in: graph)
  }
}

extension Elements {
  /// The first position of a range whose value may hold others; its end if there is none.
  @inline(__always)
  fileprivate func holder(_ range: Range<Int>, in graph: ObjectGraph) -> Int {
    guard width > 0 else { return range.lowerBound }
    let reader = DocumentReader(graph, document)
    return range.first { reader.isContainerOrData(reader.index(start, $0)) } ?? range.upperBound
  }
}

extension GraphWalk where Container == GraphContainer {
  /// What comes next, without scalars before the next child that may hold others; nil at the end.
  package mutating func nextHolder() -> Event? {
    let last = levels.count &- 1
    if last >= 0 {
      levels[last].next = levels[last].container.holder(from: levels[last].next, in: context)
    }
    return next()
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
  package init?(_ index: UInt32, in table: ValueTable) {
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
