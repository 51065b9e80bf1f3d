// One difference between two graphs, and all of them in order.

import Basics
import ObjectGraph

/// One difference between two graphs.
public struct Difference: Sendable {
  /// What became of the value.
  public enum Kind: String, Sendable {
    case added, removed, changed, moved
    /// Only the class of an object is another.
    case changedClass = "class"
  }

  /// What became of the value.
  public let kind: Kind
  /// The path of the value in the old graph; nil if it was added.
  public let oldPath: GraphPath?
  /// The path of the value in the new graph; nil if it was removed.
  public let newPath: GraphPath?
  /// The value in the old graph; nil if it was added.
  public let old: Node?
  /// The value in the new graph; nil if it was removed.
  public let new: Node?

  /// The whole value of an input that did not exist.
  public static func added(_ root: Node) -> Difference {
    Difference(kind: .added, oldPath: nil, newPath: GraphPath(), old: nil, new: root)
  }

  /// The whole value of an input that does not exist any more.
  public static func removed(_ root: Node) -> Difference {
    Difference(kind: .removed, oldPath: GraphPath(), newPath: nil, old: root, new: nil)
  }

  /// Reports what differs between two graphs, containers before what they contain.
  ///
  /// - Parameter report: receives the differences.
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep, or what `report` throws.
  public static func report(
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
  let old: ObjectGraph
  let new: ObjectGraph
  let report: (Difference) throws(ArchiveError) -> Void

  func replace(_ old: Node, by new: Node, at paths: PathPair) throws(ArchiveError) {
    try report(
      Difference(kind: .changed, oldPath: paths.old, newPath: paths.new, old: old, new: new))
  }

  func changeClass(_ old: Node, _ new: Node, at paths: PathPair) throws(ArchiveError) -> Bool {
    try report(
      Difference(kind: .changedClass, oldPath: paths.old, newPath: paths.new, old: old, new: new))
    return true
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
        Difference(
          kind: .moved, oldPath: paths.old.appending(.index(match.old)),
          newPath: paths.new.appending(.index(match.new)), old: old.node(oldElements, match.old),
          new: new.node(newElements, match.new)))
    }
  }

  private func remove(_ value: Node, at path: GraphPath) throws(ArchiveError) {
    try report(Difference(kind: .removed, oldPath: path, newPath: nil, old: value, new: nil))
  }

  private func add(_ value: Node, at path: GraphPath) throws(ArchiveError) {
    try report(Difference(kind: .added, oldPath: nil, newPath: path, old: nil, new: value))
  }
}
