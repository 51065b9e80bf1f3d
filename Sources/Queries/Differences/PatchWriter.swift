// Differences as a JSON Patch (RFC 6902): operations that make the new value of the old one.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// Writes JSON Patches.
///
/// Values are typed JSON, so that no type is lost. A path is a JSON Pointer, which enters archives in data values
/// without a token of its own.
public enum PatchWriter {
  /// Writes the patch that makes the values of a graph those of another.
  ///
  /// - Returns: the number of operations.
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  @discardableResult
  public static func write(
    from old: ObjectGraph, to new: ObjectGraph, options: DifferenceOptions = DifferenceOptions(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> Int {
    var difference = try GraphDifference(
      old, new, options, receiver: PatchOperations(elements: new))
    try difference.run()
    output.bytes.append("[")
    var separator = "\n  "
    for step in difference.receiver.operations {
      output.bytes.append(separator)
      try step.operation(of: new).write(to: &output.bytes)
      separator = ",\n  "
      output.flushIfFull()
    }
    output.bytes.append(difference.receiver.operations.isEmpty ? "]\n" : "\n]\n")
    output.flushIfFull()
    return difference.receiver.operations.count
  }
}

/// An operation of a patch whose value is still one of the new graph.
struct PatchStep {
  let kind: PatchOperation.Kind
  let path: GraphPath
  var source: GraphPath?
  var value: Node?

  /// The operation with its value as typed JSON.
  func operation(of graph: ObjectGraph) throws(ArchiveError) -> PatchOperation {
    var typed: TypedValue?
    if let value { typed = try TypedValue(value, of: graph) }
    return PatchOperation(kind, path: path.pointer, from: source?.pointer, value: typed)
  }
}

/// Makes the operations as differences come.
///
/// A container's elements are put in their places before what is in them is changed, so that all paths but those of
/// removed and moved elements are the new ones.
private struct PatchOperations: DifferenceReceiver {
  /// The graph of the new elements.
  let elements: ObjectGraph
  private(set) var operations: [PatchStep] = []

  mutating func replace(_ old: Node, by new: Node, at paths: PathPair) throws(ArchiveError) {
    add(.replace, at: paths.new, value: new)
  }

  mutating func changeClass(
    _ old: Node, _ new: Node, at paths: PathPair
  ) throws(ArchiveError) -> Bool {
    add(.replace, at: paths.new, value: new)
    return false
  }

  mutating func change(
    removed: [(name: String, value: Node)], added: [(name: String, value: Node)],
    at paths: PathPair
  ) throws(ArchiveError) {
    for (name, _) in removed { add(.remove, at: paths.new.appending(.key(name))) }
    for (name, value) in added {
      add(.add, at: paths.new.appending(.key(name)), value: value)
    }
  }

  mutating func change(
    _ alignment: ListAlignment, old: Elements, new elements: Elements, isSet: Bool,
    at paths: PathPair
  ) throws(ArchiveError) {
    guard alignment.oldCount == old.count else {
      throw ArchiveError(
        .unrepresentable, "a JSON Patch counts all elements, and some are ignored", path: paths.old)
    }
    for position in alignment.removed.reversed() {
      add(.remove, at: paths.new.appending(.index(position)))
    }
    guard !isSet else {
      for position in alignment.added {
        add(
          .add, at: paths.new.appending(.key("-")), value: self.elements.node(elements, position))
      }
      return
    }
    var order = ElementOrder(alignment, oldCount: old.count)
    for change in order.changes() {
      switch change {
      case .add(let position, let index):
        add(
          .add, at: paths.new.appending(.index(index)),
          value: self.elements.node(elements, position))
      case .move(let source, let target):
        add(
          .move, at: paths.new.appending(.index(target)), from: paths.new.appending(.index(source))
        )
      }
    }
  }

  private mutating func add(
    _ kind: PatchOperation.Kind, at path: GraphPath, from source: GraphPath? = nil,
    value: Node? = nil
  ) {
    operations.append(PatchStep(kind: kind, path: path, source: source, value: value))
  }
}

extension GraphPath {
  /// The path as a JSON Pointer (RFC 6901); an archive in a data value is entered without a token.
  public var pointer: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += "/" + JSONPointer.escaped(key)
      case .index(let index): text += "/\(index)"
      case .anyMember, .anyElement: text += "/*"
      case .content: break
      }
    }
  }
}
