// Differences as a JSON Patch (RFC 6902): operations that make the new value of the old one.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives

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
    _ kind: PatchOperation.Kind, at path: GraphPath, value: Node? = nil
  ) {
    operations.append(PatchStep(kind: kind, path: path, value: value))
  }
}

extension GraphPath {
  /// The path as a JSON Pointer (RFC 6901); an archive in a data value is entered without a token.
  package var pointer: String {
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

// MARK: - The operations of JSON Patch (RFC 6902), read and written

/// An operation of JSON Patch (RFC 6902), whose value may be typed JSON.
///
/// `value` is there for `add`, `replace` and `test`, `from` for `move` and `copy`. A value is held as the text of typed JSON
/// (`TypedValue`), so that it belongs to no graph; `TypedValue(node, of: graph)` makes one of a value of a graph.
package struct PatchOperation: Sendable {
  /// What an operation does.
  package enum Kind: String, Sendable, CaseIterable {
    /// Adds a member, or inserts an element.
    case add
    /// Removes a value that is there.
    case remove
    /// Replaces a value that is there.
    case replace
    /// Removes a value and adds it elsewhere.
    case move
    /// Adds a copy of a value elsewhere.
    case copy
    /// Requires that a value is there.
    case test
  }

  /// What it does.
  package let kind: Kind
  /// A JSON Pointer (RFC 6901) to the value.
  package let path: String
  /// For `move` and `copy`, a JSON Pointer to the source.
  package let from: String?
  /// For `add`, `replace` and `test`, the value.
  package let value: TypedValue?

  /// Makes an operation.
  package init(_ kind: Kind, path: String, from: String? = nil, value: TypedValue? = nil) {
    self.kind = kind
    self.path = path
    self.from = from
    self.value = value
  }

  // MARK: Reading

  /// Reads a JSON Patch document: an array of operations.
  ///
  /// - Throws: `ArchiveError` if it is not JSON, or with the number of an operation that is malformed.
  package static func read(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> [PatchOperation] {
    let document = try JSONReader.read(
      storage.bytes, limits: limits, keepsPositions: true, marksWide: true)
    let table = document.table
    guard table.marker(of: document.top) >> 4 == Marker.array else {
      throw ArchiveError(
        .malformed, "a JSON Patch must be an array of operations", path: GraphPath())
    }
    let (start, count) = table.counted(document.top)
    var operations: [PatchOperation] = []
    for position in 0..<count {
      do throws(ArchiveError) {
        operations.append(
          try PatchOperation(table.reference(start, position), in: document, limits))
      } catch {
        throw ArchiveError(
          error.code, "operation \(position): \(error.message)", offset: error.offset)
      }
    }
    return operations
  }

  /// Reads one operation: an object of a JSON document.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if a member is missing, repeated or of another type.
  init(_ index: UInt32, in document: Document, _ limits: Limits) throws(ArchiveError) {
    let table = document.table
    let offset = document.fileOffset(of: index)
    guard table.marker(of: index) >> 4 == Marker.dictionary else {
      throw ArchiveError(.malformed, "must be an object", offset: offset)
    }
    let name = try Self.text("op", of: index, document)
    guard let kind = name.flatMap({ Kind(rawValue: $0) }) else {
      let found = name.map { "'\($0)' is not an operation" } ?? "the member 'op' is missing"
      let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ArchiveError(.malformed, "\(found); use one of \(names)", offset: offset)
    }
    func missing(_ member: String) -> ArchiveError {
      ArchiveError(
        .malformed, "\(kind.rawValue) needs the member '\(member)'", offset: offset)
    }
    guard let path = try Self.text("path", of: index, document) else { throw missing("path") }
    let from = try Self.text("from", of: index, document)
    if [.move, .copy].contains(kind), from == nil { throw missing("from") }
    for pointer in [path, from ?? ""] where JSONPointer.tokens(of: pointer) == nil {
      throw ArchiveError(.malformed, "'\(pointer)' is not a JSON Pointer", offset: offset)
    }
    var value: TypedValue?
    if [.add, .replace, .test].contains(kind) {
      guard let member = table.value("value", of: index) else { throw missing("value") }
      value = try TypedValue(document, at: member, limits: limits)
    }
    self.init(kind, path: path, from: [.move, .copy].contains(kind) ? from : nil, value: value)
  }

  private static func text(
    _ name: StaticString, of index: UInt32, _ document: Document
  ) throws(ArchiveError) -> String? {
    guard let member = document.table.value(name, of: index) else { return nil }
    guard let text = document.table.text(at: member) else {
      throw ArchiveError(
        .malformed, "the member '\(name)' must be a string",
        offset: document.fileOffset(of: member))
    }
    return text.string
  }

  // MARK: Writing

  /// Writes the operation as JSON on one line, without its end.
  package func write(to output: inout ByteBuffer) {
    output.append("{\"op\": ")
    JSONText.append(kind.rawValue, to: &output)
    if let from {
      output.append(", \"from\": ")
      JSONText.append(from, to: &output)
    }
    output.append(", \"path\": ")
    JSONText.append(path, to: &output)
    if let value {
      output.append(", \"value\": ")
      output.append(value.json.bytes)
    }
    output.append("}")
  }

  /// Writes a JSON Patch document, an operation per line.
  package static func write(_ operations: [PatchOperation], to output: inout ByteBuffer) {
    output.append("[")
    for (position, operation) in operations.enumerated() {
      output.append(position == 0 ? "\n  " : ",\n  ")
      operation.write(to: &output)
    }
    output.append(operations.isEmpty ? "]\n" : "\n]\n")
  }
}
