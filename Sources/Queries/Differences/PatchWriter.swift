// Differences as a JSON Patch (RFC 6902): operations that make the new value of the old one.

import Basics
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
    var separator = "\n"
    for operation in difference.receiver.operations {
      output.bytes.append(separator)
      try operation.write(of: new, to: &output)
      separator = ",\n"
      output.flushIfFull()
    }
    output.bytes.append(difference.receiver.operations.isEmpty ? "]\n" : "\n]\n")
    output.flushIfFull()
    return difference.receiver.operations.count
  }
}

/// An operation of a patch whose value is still one of the new graph.
private struct PatchStep {
  let name: String
  let path: GraphPath
  var source: GraphPath?
  var value: Node?

  /// Appends the operation as JSON on a line, without the end of the line.
  func write(of graph: ObjectGraph, to output: inout OutputBuffer) throws(ArchiveError) {
    output.bytes.append("  {\"op\": \"\(name)\", ")
    if let source {
      output.bytes.append("\"from\": ")
      JSONText.append(source.pointer, to: &output.bytes)
      output.bytes.append(", ")
    }
    output.bytes.append("\"path\": ")
    JSONText.append(path.pointer, to: &output.bytes)
    if let value {
      output.bytes.append(", \"value\": ")
      try output.append(typed: value, of: graph)
    }
    output.bytes.append("}")
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
    add("replace", at: paths.new, value: new)
  }

  mutating func changeClass(
    _ old: Node, _ new: Node, at paths: PathPair
  ) throws(ArchiveError) -> Bool {
    add("replace", at: paths.new, value: new)
    return false
  }

  mutating func change(
    removed: [(name: String, value: Node)], added: [(name: String, value: Node)],
    at paths: PathPair
  ) throws(ArchiveError) {
    for (name, _) in removed { add("remove", at: paths.new.appending(.key(name))) }
    for (name, value) in added {
      add("add", at: paths.new.appending(.key(name)), value: value)
    }
  }

  mutating func change(
    _ alignment: ListAlignment, old: Elements, new elements: Elements, isSet: Bool,
    at paths: PathPair
  ) throws(ArchiveError) {
    for position in alignment.removed.reversed() {
      add("remove", at: paths.new.appending(.index(position)))
    }
    guard !isSet else {
      for position in alignment.added {
        add(
          "add", at: paths.new.appending(.key("-")), value: self.elements.node(elements, position))
      }
      return
    }
    var order = ElementOrder(alignment, oldCount: old.count)
    for change in order.changes() {
      switch change {
      case .add(let position, let index):
        add(
          "add", at: paths.new.appending(.index(index)),
          value: self.elements.node(elements, position))
      case .move(let source, let target):
        add(
          "move", at: paths.new.appending(.index(target)), from: paths.new.appending(.index(source))
        )
      }
    }
  }

  private mutating func add(
    _ name: String, at path: GraphPath, from source: GraphPath? = nil, value: Node? = nil
  ) {
    operations.append(PatchStep(name: name, path: path, source: source, value: value))
  }
}

extension OutputBuffer {
  /// Appends a value as typed JSON on a line, without the end of the line.
  mutating func append(typed node: Node, of graph: ObjectGraph) throws(ArchiveError) {
    var value = OutputBuffer(descriptor: nil)
    let options = JSONWriter.Options(isTyped: true, isCompact: true)
    try JSONWriter.write(node, of: graph, options: options, to: &value)
    bytes.append(UnsafeRawBufferPointer(rebasing: value.bytes.bytes.dropLast()))
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
