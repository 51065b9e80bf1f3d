// The walk over stored objects: breadth first and each object once, so that the path to each is a shortest one.

import ArchiveBasics

/// A walk that enters each container below a value once, archives in data values included.
///
/// It looks at each reference once, however many paths lead to an object. Of the shortest paths to an object it has the
/// one with the lowest positions. Scalars are not entered: whoever walks looks at the children of each container.
package struct StoredWalk: ~Copyable {
  /// A value that may be a container, where it was reached first.
  ///
  /// Not private, since modules that hold a walk need the type to free it.
  package struct Entry {
    let node: Node
    /// The number of the container that refers to it.
    let holder: UInt32
    /// The position there.
    let position: UInt32
    /// The number of its first child that may be a container, once it was entered.
    var firstChild: UInt32 = 0

    /// The position of the stored fields of an object that is shown by members made of them.
    static let fields = UInt32.max
  }

  private let graph: ObjectGraph
  /// The objects whose stored fields are still to be entered; nil if none are.
  private var derived: [UInt32]?
  private var entries = RawStack<Entry>()
  private var reached: NodeSet
  private var entered = 0
  private var visited = 0
  private var limit = 0
  /// The container that was entered last; data with an archive contains the root of that.
  package private(set) var container: GraphContainer?
  /// Whether a second reference led to a value that may be a container.
  package private(set) var hasSharing = false

  /// Makes a walk that has entered nothing.
  ///
  /// - Parameters:
  ///   - start: the value to begin with, which has the number 0.
  ///   - fields: whether objects that are shown by members made of their fields are entered once more, as these are stored,
  ///     after all else.
  ///   - reached: values that are not entered; those that are reached become members. A new set if it is nil.
  package init(
    from start: Node, in graph: ObjectGraph, fields: Bool = false, except reached: NodeSet? = nil
  ) {
    self.graph = graph
    derived = fields ? [] : nil
    self.reached = reached ?? NodeSet(in: graph)
    self.reached.insert(start)
    entries.push(Entry(node: start, holder: 0, position: 0))
  }

  /// Enters the next container, and reaches all its children.
  ///
  /// - Returns: its number; nil at the end.
  /// - Throws: what `enter` throws.
  package mutating func next() throws(ArchiveError) -> Int? {
    guard let number = try enter(), let container else { return nil }
    for position in 0..<container.childCount {
      let child = container.child(position, in: graph)
      if graph.isContainerOrData(child) { reach(child, at: position, of: number) }
    }
    return number
  }

  /// Enters the next container; its children that may be containers are for the caller to reach.
  ///
  /// - Returns: its number; nil at the end.
  /// - Throws: `ArchiveError` with code `limit` if lists that objects share have so many references together that
  ///   a small file would take long.
  package mutating func enter() throws(ArchiveError) -> Int? {
    repeat {
      while entered < entries.count {
        let number = entered
        entered += 1
        entries[number].pointee.firstChild = UInt32(truncatingIfNeeded: entries.count)
        guard let found = container(number) else { continue }
        if found.isDerived { derived?.append(UInt32(truncatingIfNeeded: number)) }
        container = found
        try visit(found.childCount)
        return number
      }
    } while reachFields()
    return nil
  }

  /// Reaches the stored fields of an object that was entered; false if there are no more.
  private mutating func reachFields() -> Bool {
    guard let holder = derived?.popLast() else { return false }
    entries.push(Entry(node: node(Int(holder)), holder: holder, position: Entry.fields))
    return true
  }

  /// Reaches a child that may be a container, at its position in the container that was entered last.
  @inline(__always)
  package mutating func reach(_ child: Node, at position: Int, of number: Int) {
    guard reached.insert(child) else {
      hasSharing = true
      return
    }
    entries.push(
      Entry(
        node: child, holder: UInt32(truncatingIfNeeded: number),
        position: UInt32(truncatingIfNeeded: position)))
  }

  private mutating func visit(_ count: Int) throws(ArchiveError) {
    visited &+= count
    guard visited > limit else { return }
    // Archives in data values that were opened since raise the limit.
    limit = graph.expansionLimit
    guard visited <= limit else {
      throw ArchiveError(.limit, "the values refer to over \(limit) others")
    }
  }

  // MARK: What was reached

  /// How many values were reached that may be containers; their numbers are below it.
  package var count: Int { entries.count }

  /// The value with a number.
  package func node(_ number: Int) -> Node { entries[number].pointee.node }

  /// The container with a number; nil for a scalar's object, and for data without an archive.
  package func container(_ number: Int) -> GraphContainer? {
    let node = entries[number].pointee.node
    if isFields(number) { return graph.hiddenFields(of: node).map { .members($0) } }
    let value = graph.value(of: node)
    if case .data = value { return graph.content(of: node).map { .content($0) } }
    return GraphContainer(value)
  }

  /// Whether a number is that of the stored fields of an object, which has a number of its own.
  package func isFields(_ number: Int) -> Bool {
    entries[number].pointee.position == Entry.fields
  }

  /// Where in its container a value was reached first.
  package func position(_ number: Int) -> Int { Int(entries[number].pointee.position) }

  /// The numbers of the values that were reached first from a container that was entered, in their order there.
  ///
  /// Not for a walk that enters stored fields.
  package func children(of number: Int) -> Range<Int> {
    let first = Int(entries[number].pointee.firstChild)
    let next = number + 1
    return first..<(next < entered ? Int(entries[next].pointee.firstChild) : entries.count)
  }

  /// The shortest path from the start to the value with a number.
  ///
  /// - Parameter contents: whether to enter an archive in a data value is a step.
  package func path(to number: Int, contents: Bool = true) -> GraphPath {
    var steps: [GraphPath.Step] = []
    var number = number
    while number > 0 {
      let holder = Int(entries[number].pointee.holder)
      if !isFields(number), let container = container(holder) {
        let step = container.step(position(number), in: graph)
        if case .content = step, !contents {} else { steps.append(step) }
      }
      number = holder
    }
    return GraphPath(steps.reversed())
  }

  /// The number of each value in document order: that of a container is below those of all that it leads to, and these
  /// are below that of the next container beside it.
  package func documentOrder() -> [UInt32] {
    var sizes = [UInt32](repeating: 1, count: entries.count)
    for number in sizes.indices.dropFirst().reversed() {
      sizes[Int(entries[number].pointee.holder)] += sizes[number]
    }
    var order = [UInt32](repeating: 0, count: entries.count)
    // Where the next child of each container begins.
    var next = [UInt32](repeating: 1, count: entries.count)
    for number in order.indices.dropFirst() {
      let holder = Int(entries[number].pointee.holder)
      order[number] = next[holder]
      next[holder] += sizes[number]
      next[number] = order[number] + 1
    }
    return order
  }

  /// Removes what was reached from the set that the walk was given.
  package mutating func forget() {
    for number in 0..<entries.count { reached.remove(entries[number].pointee.node) }
  }
}

extension GraphContainer {
  /// Whether the members may be made of stored fields.
  package var isDerived: Bool {
    if case .members(let pairs) = self { pairs.keys.width == 0 } else { false }
  }

  /// Whether a child is an object that others may refer to as well, not a value that is stored in the container.
  ///
  /// nil is none: every archive has one that all share.
  package func isObject(_ position: Int, in graph: ObjectGraph) -> Bool {
    guard let number = graph.objectNumber(of: child(position, in: graph)), number > 0 else {
      return false
    }
    switch self {
    case .elements(let elements): return !graph.isInline(elements, position)
    case .members(let pairs): return !graph.isInline(pairs.values, pairs.position(position))
    case .pairs, .content: return true
    }
  }
}
