// The notation of stored values in a text format: the questions of `TreeWriter` during its walk through a table.

import Basics
import ObjectGraph

/// A format that writes stored values as a tree of text.
///
/// Its errors need no location: `TreeWriter` adds it.
protocol TreeSyntax {
  /// The format, as errors name it.
  var name: String { get }
  /// Why the format does not have such a container; nil if it does.
  func refusal(of kind: ContainerKind) -> ArchiveError?
  /// Begins a container that has content.
  mutating func open(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer)
  /// Ends a container that had content.
  mutating func close(_ kind: ContainerKind, depth: Int, to output: inout ByteBuffer)
  /// Writes a container without content.
  mutating func empty(_ kind: ContainerKind, to output: inout ByteBuffer)
  /// Begins an element or a pair.
  mutating func beginItem(isFirst: Bool, depth: Int, to output: inout ByteBuffer)
  /// Ends an element or a pair.
  mutating func endItem(to output: inout ByteBuffer)
  /// Writes a key, and what parts it from its value.
  mutating func key(_ text: Text, depth: Int, to output: inout ByteBuffer) throws(ArchiveError)
  /// Looks at a dictionary that has content before it is begun.
  ///
  /// - Throws: `ArchiveError` if the format would read it as another value.
  mutating func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError)
  /// Writes a scalar.
  mutating func scalar(
    _ value: Value, depth: Int, to output: inout ByteBuffer
  ) throws(ArchiveError)
}

/// The containers that text formats distinguish.
enum ContainerKind {
  case array
  case dictionary
  case set
  case orderedSet

  /// The kind of a marker; nil for scalars.
  init?(marker: UInt8) {
    switch marker >> 4 {
    case Marker.array: self = .array
    case Marker.set: self = .set
    case Marker.orderedSet: self = .orderedSet
    case Marker.dictionary: self = .dictionary
    default: return nil
    }
  }
}

extension TreeSyntax {
  func examine(_ dictionary: UInt32, in table: ValueTable) throws(ArchiveError) {}

  /// Refuses a dictionary with the single key `CF$UID` whose value its readers would read as a UID's number.
  @inline(__always)
  func refuseLikeUID(
    _ dictionary: UInt32, in table: ValueTable, _ isNumber: (Value) -> Bool
  ) throws(ArchiveError) {
    let (start, count) = table.counted(dictionary)
    guard count == 1, table.text(at: table.reference(start, 0))?.equals("CF$UID") == true else {
      return
    }
    let value = table.reference(start, 1)
    if ContainerKind(marker: table.marker(of: value)) == nil, isNumber(table.scalar(at: value)) {
      throw noSpelling(
        for: "a dictionary of the one key 'CF$UID', which is read back as a UID")
    }
  }

  /// The error for a type that the format cannot represent.
  func noSpelling(for type: String, _ advice: String = "") -> ArchiveError {
    ArchiveError(
      .unrepresentable, "\(name) cannot represent \(type)" + (advice.isEmpty ? "" : "; \(advice)"))
  }
}
