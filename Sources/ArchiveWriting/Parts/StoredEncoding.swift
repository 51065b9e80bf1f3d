// The encodings in which stored values keep what they are: property lists with UIDs.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import KeyedArchives

/// The encodings that edited values are written in again.
package struct StoredEncoding {
  private let format: any PropertyListFormat.Type
  /// Whether the result is on one line, in JSON.
  private var isCompact = false
  /// Whether XML keeps control characters, because it had some.
  private var keepsControlCharacters = false
  /// The typedstream whose header the result has.
  private var stream: ByteStorage?

  /// - Parameter source: the bytes of JSON, or of a typedstream; nil to accept only property lists with UIDs.
  /// - Returns: nil for an encoding that does not keep stored values as they are.
  package init?(_ encoding: Encoding, in graph: ObjectGraph, of source: ByteStorage? = nil) {
    guard let format = Formats.all[encoding] else { return nil }
    self.format = format
    switch (encoding, source) {
    case (.typedStream, let source?): stream = source
    case (.json, let source?):
      isCompact = !source.bytes.dropLast().contains(UInt8(ascii: "\n"))
    default:
      guard format.keepsStoredValues else { return nil }
      keepsControlCharacters = graph.warnings.contains { $0.subject == .forbiddenCharacters }
    }
  }

  /// Writes the root of an archive as a typedstream.
  private static func encode(
    _ binary: ByteStorage, like stream: ByteStorage, _ limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let graph = try ArchiveReader(limits: limits).read(binary, nested: false)
    do throws(ArchiveError) {
      return try TypedStreamEditing.encode(graph.root, of: graph, like: stream, limits: limits)
    } catch {
      // The offset is one in the binary list.
      throw ArchiveError(error.code, error.message, path: error.path)
    }
  }

  /// Requires that a typedstream can be written as it is: one whose objects all have layouts that are known.
  package func requireReproducible(_ root: Node, of graph: ObjectGraph) throws(ArchiveError) {
    guard let stream else { return }
    let isSame: Bool
    do throws(ArchiveError) {
      let copy = try TypedStreamEditing.encode(root, of: graph, like: stream, limits: graph.limits)
      isSame = try TypedStreamEditing.areSame(stream, copy, limits: graph.limits)
    } catch {
      throw ArchiveError(
        .mismatch, "the typedstream is not edited: \(error.message)", path: error.path)
    }
    guard isSame else {
      throw ArchiveError(
        .mismatch,
        "the typedstream is not edited, because it has values whose types or layout archtool does not write; convert --to keyed-archive makes a keyed archive of it"
      )
    }
  }

  /// Writes values that are given as a binary property list.
  package func write(_ binary: ByteStorage, limits: Limits) throws(ArchiveError) -> ByteStorage {
    if format.encoding.isTable { return binary }
    if let stream { return try Self.encode(binary, like: stream, limits) }
    let document = try BinaryReader.read(binary.bytes, storage: [binary], fileOffset: nil).document
    var output = OutputBuffer(descriptor: nil)
    _ = try format.write(
      document,
      WritingOptions(
        limits: limits, isCompact: isCompact, keepsControlCharacters: keepsControlCharacters),
      to: &output)
    return ByteStorage(copying: output.bytes.array)
  }

  /// Writes values as `write` does, if the encoding represents each of them exactly: XML has no fractions of seconds, and
  /// OpenStep's form no numbers.
  ///
  /// - Throws: `ArchiveError` for a value that it does not hold.
  package func faithful(
    _ binary: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let text = try write(binary, limits: limits)
    // The objects of a typedstream have another order; they are compared one by one.
    if format.encoding.isTable || stream != nil { return text }
    let reader = ArchiveReader(limits: limits)
    let documents = (
      try reader.read(binary, nested: false).documents[0],
      try reader.read(text, nested: false).documents[0]
    )
    guard StoredComparison.areSame(documents.0, documents.1) else {
      throw ArchiveError(.unrepresentable, "a value would change")
    }
    return text
  }
}
