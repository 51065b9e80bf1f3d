// One difference between two graphs, and all of them in order.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting

/// One difference between two graphs.
package struct Difference {
  /// What became of the value.
  package enum Kind: String, Sendable {
    case added, removed, changed, moved
    /// Only the class of an object is another.
    case changedClass = "class"
    /// Only how it is stored is different: inline or as an object of its own, or in another type of number.
    case storage
    /// References that lead to one object in one of the graphs lead to two in the other.
    case sharing
    /// Only the class of a dictionary's key is another.
    case key
  }

  /// A value of one of the graphs.
  package struct Side {
    /// The path of the value.
    package let path: GraphPath
    /// The value.
    package let node: Node
    /// The path of the object if only that is shown here; nil if the value is shown as a whole.
    package var reference: GraphPath?
    /// The path of an object in the value that is shown elsewhere, or nil for others; nil if all are shown in the value.
    package var references: ((Node) -> GraphPath?)?
  }

  /// What became of the value.
  package let kind: Kind
  /// The value in the old graph; nil if it was added.
  package var oldSide: Side?
  /// The value in the new graph; nil if it was removed.
  package var newSide: Side?
  /// What is different about values that mean the same, in the old and in the new graph.
  package var stored: (old: String, new: String)?
  /// How many more references lead to the object that was changed, added or removed.
  package var otherPaths = 0

  /// The path of the value in the old graph; nil if it was added.
  package var oldPath: GraphPath? { oldSide?.path }
  /// The path of the value in the new graph; nil if it was removed.
  package var newPath: GraphPath? { newSide?.path }
  /// The value in the old graph; nil if it was added.
  package var old: Node? { oldSide?.node }
  /// The value in the new graph; nil if it was removed.
  package var new: Node? { newSide?.node }

  /// The whole value of an input that did not exist.
  package static func added(_ root: Node) -> Difference {
    Difference(kind: .added, newSide: Side(path: GraphPath(), node: root))
  }

  /// The whole value of an input that does not exist any more.
  package static func removed(_ root: Node) -> Difference {
    Difference(kind: .removed, oldSide: Side(path: GraphPath(), node: root))
  }

  /// Reports what differs between two graphs, containers before what they contain.
  ///
  /// - Parameter report: receives the differences.
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep, or what `report` throws.
  package static func report(
    between old: ObjectGraph, and new: ObjectGraph,
    options: DifferenceOptions = DifferenceOptions(),
    _ report: @escaping (Difference) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var difference = try GraphDifference(
      old, new, options, receiver: DifferenceList(old: old, new: new, report: report))
    try difference.run()
  }
}

/// Reports each change of a container as a difference of its own.
private struct DifferenceList: DifferenceReceiver {
  static let comparesObjectsOnce = true

  let old: ObjectGraph
  let new: ObjectGraph
  let report: (Difference) throws(ArchiveError) -> Void
  fileprivate var pairing: GraphPairing?

  mutating func begin(_ pairing: GraphPairing) { self.pairing = pairing }

  /// Reports the objects that were added or removed within others.
  func end() throws(ArchiveError) {
    guard let pairing else { return }
    pairing.holders = nil
    for object in pairing.old.hiddenObjects() where try !pairing.remains(object, of: pairing.old) {
      try remove(object, at: pairing.old.tree.path(of: object))
    }
    for object in pairing.new.hiddenObjects() where try !pairing.remains(object, of: pairing.new) {
      try add(object, at: pairing.new.tree.path(of: object))
    }
  }

  func replace(_ old: Node, by new: Node, at paths: PathPair) throws(ArchiveError) {
    try report(
      .changed, side(old, of: pairing?.old, at: paths.old),
      side(new, of: pairing?.new, at: paths.new))
  }

  func changeClass(_ old: Node, _ new: Node, at paths: PathPair) throws(ArchiveError) -> Bool {
    try store(
      StoredChange(.changedClass, from: (old, self.old), to: (new, self.new)), old, new, at: paths)
    return true
  }

  func store(
    _ change: StoredChange, _ old: Node, _ new: Node, at paths: PathPair
  ) throws(ArchiveError) {
    try report(
      change.kind, Difference.Side(path: paths.old, node: old),
      Difference.Side(path: paths.new, node: new), stored: (change.old, change.new))
  }

  func change(
    removed: [(name: String, value: Node)], added: [(name: String, value: Node)],
    at paths: PathPair
  ) throws(ArchiveError) {
    for (name, value) in removed { try remove(value, at: paths.old.appending(.key(name))) }
    for (name, value) in added { try add(value, at: paths.new.appending(.key(name))) }
  }

  func change(
    _ alignment: ListAlignment, old oldElements: Elements, new newElements: Elements, isSet: Bool,
    at paths: PathPair
  ) throws(ArchiveError) {
    for position in alignment.removed {
      try remove(old.node(oldElements, position), at: paths.old.appending(.index(position)))
    }
    for position in alignment.added {
      try add(new.node(newElements, position), at: paths.new.appending(.index(position)))
    }
    guard !isSet else { return }
    for match in alignment.moved {
      try report(
        .moved,
        Difference.Side(
          path: paths.old.appending(.index(match.old)), node: old.node(oldElements, match.old)),
        Difference.Side(
          path: paths.new.appending(.index(match.new)), node: new.node(newElements, match.new)))
    }
  }

  private func remove(_ value: Node, at path: GraphPath) throws(ArchiveError) {
    try report(.removed, side(value, of: pairing?.old, at: path), nil)
  }

  private func add(_ value: Node, at path: GraphPath) throws(ArchiveError) {
    try report(.added, nil, side(value, of: pairing?.new, at: path))
  }

  /// A value as it is shown here: an object that both graphs have is named by its path.
  private func side(
    _ node: Node, of graph: ComparedGraph?, at path: GraphPath
  ) throws(ArchiveError) -> Difference.Side {
    guard let pairing, let graph else { return Difference.Side(path: path, node: node) }
    let value = graph.opened(node)
    let holder = graph === pairing.old ? pairing.holders?.left : pairing.holders?.right
    var isWhole = true
    if graph.digests.hasIdentity(value) {
      let remains = try pairing.remains(value.node, of: graph)
      isWhole = !remains && graph.isShownWhole(value, in: holder)
    }
    return Difference.Side(
      path: path, node: node, reference: isWhole ? nil : pairing.path(of: node, of: graph),
      references: { pairing.path(of: $0, of: graph) })
  }

  private func report(
    _ kind: Difference.Kind, _ old: Difference.Side?, _ new: Difference.Side?,
    stored: (old: String, new: String)? = nil
  ) throws(ArchiveError) {
    var difference = Difference(kind: kind, oldSide: old, newSide: new, stored: stored)
    if let pairing, kind != .moved {
      // An object that is shown counts itself, any other value the object that holds it.
      difference.otherPaths =
        switch (old, new) {
        case (let side?, nil)
        where side.reference == nil && pairing.path(of: side.node, of: pairing.old) != nil:
          pairing.old.otherReferences(to: side.node)
        case (nil, let side?)
        where side.reference == nil && pairing.path(of: side.node, of: pairing.new) != nil:
          pairing.new.otherReferences(to: side.node)
        default: pairing.holders.map { pairing.new.otherReferences(to: $0.right) } ?? 0
        }
    }
    try report(difference)
  }
}
