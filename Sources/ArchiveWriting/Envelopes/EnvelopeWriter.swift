// A model value put into an envelope.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import KeyedArchives

/// Wraps model values.
package enum EnvelopeWriter {
  /// Puts a model value into an envelope.
  ///
  /// - Parameters:
  ///   - root: the model value.
  ///   - shape: the types of its numbers in the application.
  ///   - unknown: what happens to members that the shape does not have.
  ///   - className: the class of the root object; only `nscoding` needs one.
  ///   - topKey: the top-level key of keyed archives.
  /// - Returns: the bytes of the file.
  /// - Throws: `ArchiveError` if the envelope cannot express the value.
  package static func wrap(
    _ root: Node, of graph: ObjectGraph, in envelope: Envelope, shape: any TypeHints,
    unknown: CodableCopy.UnknownMembers = .keep, className: String? = nil,
    topKey: String = UnwrappedModel.rootKey
  ) throws(ArchiveError) -> ByteBuffer {
    switch envelope {
    case .codable:
      let inner = try CodableCopy.copy(root, of: graph, shape: shape, unknown: unknown)
      let archive = KeyedWriter.dataArchive(topKey: topKey)
      return BinaryWriter.write(archive.document, with: archive.data, as: inner)
    case .plist:
      return BinaryWriter.write(
        try CodableCopy.copy(root, of: graph, shape: shape, unknown: unknown))
    case .json:
      let value = ObjectGraph(limits: graph.limits)
      _ = value.add(
        try CodableCopy.copy(
          root, of: graph, shape: shape, unknown: unknown, nulls: .kept, json: shape.jsonCoding))
      var output = OutputBuffer(descriptor: nil)
      try JSONWriter.write(value.root, of: value, to: &output)
      return output.intoBytes()
    case .sequential: return try TypedStreamEncoder.encode(root, of: graph)
    case .dictionariable:
      return BinaryWriter.write(try KeyedWriter.document(root, of: graph, topKey: topKey))
    case .nscoding:
      guard let className else {
        throw ArchiveError(
          .unrepresentable, "an NSCoding archive needs the name of its root object's class")
      }
      return BinaryWriter.write(
        try KeyedWriter.document(
          root, of: graph, root: .object(className: className), topKey: topKey))
    }
  }
}
