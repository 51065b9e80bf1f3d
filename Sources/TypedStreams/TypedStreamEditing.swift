// An edited typedstream: encoded again with the header that it had.

import Basics
import ObjectGraph

/// Encodes the values of a typedstream again.
public enum TypedStreamEditing {
  /// Encodes a root object with the byte order and the versions of a stream.
  ///
  /// - Parameters:
  ///   - root: the root object.
  ///   - graph: its graph.
  ///   - original: the stream.
  /// - Throws: `ArchiveError` if an object cannot be encoded, or the stream cannot be read.
  public static func encode(
    _ root: Node, of graph: ObjectGraph, like original: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    let old = try StreamContents(original.bytes, limits: limits)
    let encoded = try TypedStreamEncoder.encode(
      root, of: graph, isBigEndian: old.tables.isBigEndian
    ).intoStorage()
    var contents = try StreamContents(encoded.bytes, limits: limits)
    contents.tables.version = old.tables.version
    contents.tables.systemVersion = old.tables.systemVersion
    defer { withExtendedLifetime(encoded) {} }
    return TypedStreamWriter.write(&contents).intoStorage()
  }

  /// Whether two streams have the same content.
  ///
  /// - Throws: `ArchiveError` if one cannot be read.
  public static func areSame(
    _ left: ByteStorage, _ right: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> Bool {
    var comparison = TypedStreamComparison(
      try StreamContents(left.bytes, limits: limits),
      try StreamContents(right.bytes, limits: limits))
    return comparison.run()
  }
}
