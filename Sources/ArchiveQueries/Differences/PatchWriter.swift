// Differences as a JSON Patch (RFC 6902): operations that make the new value of the old one.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

/// Writes JSON Patches.
///
/// Values are typed JSON, so that no type is lost. A path is a JSON Pointer, which enters archives in data values
/// without a token of its own.
package enum PatchWriter {
  /// Writes the patch that makes the values of a graph those of another.
  ///
  /// - Returns: the number of operations.
  /// - Throws: `ArchiveError` with code `limit` if values are too many or too deep.
  @discardableResult
  package static func write(
    from old: ObjectGraph, to new: ObjectGraph, options: DifferenceOptions = DifferenceOptions(),
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> Int {
    if old === new {
      output.bytes.append("[]\n")
      return 0
    }
    var difference = try GraphDifference(
      old, new, options, receiver: PatchOperations(elements: new))
    try difference.run()
    var operations = difference.receiver.operations
    if !StoredMatching.shareAlike(difference.receiver.kept, of: old, new) {
      operations = wholeValues(old, new)
    }
    output.bytes.append("[")
    var separator = "\n  "
    for step in operations {
      output.bytes.append(separator)
      try step.write(of: new, to: &output.bytes)
      separator = ",\n  "
      output.flushIfFull()
    }
    output.bytes.append(operations.isEmpty ? "]\n" : "\n]\n")
    output.flushIfFull()
    return operations.count
  }

  /// The operations that replace the root, or each value at the top of an archive that has several: what is equal leads to
  /// other objects than before.
  private static func wholeValues(_ old: ObjectGraph, _ new: ObjectGraph) -> [PatchStep] {
    guard new.hasSeveralTops, case .dictionary(let pairs) = new.value(of: new.root),
      case .dictionary(let others) = old.value(of: old.root)
    else { return [PatchStep(kind: .replace, path: GraphPath(), value: new.root)] }
    func names(_ pairs: Pairs, _ graph: ObjectGraph) -> [String] {
      (0..<pairs.count).compactMap { graph.memberName(pairs, $0)?.string }
    }
    let known = names(pairs, new)
    return names(others, old).filter { !known.contains($0) }.map {
      PatchStep(kind: .remove, path: GraphPath([.key($0)]))
    }
      + known.enumerated().map {
        PatchStep(kind: .add, path: GraphPath([.key($1)]), value: new.value(pairs, $0))
      }
  }
}

/// An operation of a patch whose value is still one of the new graph.
struct PatchStep {
  let kind: PatchKind
  let path: GraphPath
  var source: GraphPath?
  var value: Node?

  /// The operations that put the elements of a list into their new order.
  ///
  /// - Parameter value: the new element at a position; nil for one that is left out.
  static func steps(
    _ alignment: ListAlignment, oldCount: Int, at list: GraphPath, value: (Int) -> Node?
  ) -> [PatchStep] {
    var steps = alignment.removed.reversed().map {
      PatchStep(kind: .remove, path: list.appending(.index($0)))
    }
    var order = ElementOrder(alignment, oldCount: oldCount)
    for change in order.changes() {
      switch change {
      case .add(let position, let index):
        guard let value = value(position) else { continue }
        steps.append(PatchStep(kind: .add, path: list.appending(.index(index)), value: value))
      case .move(let source, let target):
        steps.append(
          PatchStep(
            kind: .move, path: list.appending(.index(target)),
            source: list.appending(.index(source))))
      }
    }
    return steps
  }

  /// Writes the operation as JSON on one line, without its end.
  func write(of graph: ObjectGraph, to output: inout ByteBuffer) throws(ArchiveError) {
    output.append("{\"op\": ")
    JSONText.append(kind.rawValue, to: &output)
    if let source {
      output.append(", \"from\": ")
      JSONText.append(source.pointer(), to: &output)
    }
    output.append(", \"path\": ")
    JSONText.append(path.pointer(), to: &output)
    if let value {
      output.append(", \"value\": ")
      try output.append(typed: value, of: graph)
    }
    output.append("}")
  }
}

extension ByteBuffer {
  /// Appends a value as typed JSON on one line.
  mutating func append(typed node: Node, of graph: ObjectGraph) throws(ArchiveError) {
    let value = try TypedValue(node, of: graph)
    append(value.json.bytes)
    withExtendedLifetime(value) {}
  }
}

/// Makes the operations as differences come.
///
/// A container's elements are put in their places before what is in them is changed, so that all paths but those of
/// removed and moved elements are the new ones.
struct PatchOperations: DifferenceReceiver {
  /// The graph of the new elements.
  let elements: ObjectGraph
  private(set) var operations: [PatchStep] = []
  /// The containers that are equal.
  private(set) var kept: [NodePair] = []

  static let keepsObjects = true

  mutating func keep(_ old: Node, _ new: Node) { kept.append(NodePair(old, new)) }

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
    let aligned = alignment.kept.count + alignment.moved.count + alignment.removed.count
    guard aligned == old.count else {
      throw ArchiveError(
        .unrepresentable, "a JSON Patch counts all elements, and some are ignored", path: paths.old)
    }
    guard isSet else {
      operations += PatchStep.steps(alignment, oldCount: old.count, at: paths.new) {
        self.elements.node(elements, $0)
      }
      return
    }
    for position in alignment.removed.reversed() {
      add(.remove, at: paths.new.appending(.index(position)))
    }
    for position in alignment.added {
      add(.add, at: paths.new.appending(.key("-")), value: self.elements.node(elements, position))
    }
  }

  private mutating func add(
    _ kind: PatchKind, at path: GraphPath, value: Node? = nil
  ) {
    operations.append(PatchStep(kind: kind, path: path, value: value))
  }
}
