// Values that were put aside as typed JSON, brought back into a graph.

import Basics
import ObjectGraph
import PropertyLists

extension ObjectGraph {
  /// Adds the values of typed JSON, beside everything else.
  ///
  /// - Returns: its root, the classes and references of its objects resolved.
  /// - Throws: `ArchiveError` if the bytes are not JSON, or its tags are malformed.
  public func add(typedJSON storage: ByteStorage) throws(ArchiveError) -> Node {
    let (json, _, _) = try JSONReader.readWithWarnings(
      storage.bytes, fileOffset: nil, limits: limits, allowsJSON5: false, keepsPlaces: false)
    let number = add(try Conversion.untagged(json, limits: limits))
    try KeyedArchive.resolve(document: number, in: self)
    return root(of: number)
  }

  /// The values of typed JSON; the graph itself if its values are plain.
  ///
  /// - Throws: `ArchiveError` if its tags are malformed.
  public func untagged() throws(ArchiveError) -> ObjectGraph {
    if TaggedJSON.kind(of: documents[0]) == .plain { return self }
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(try Conversion.untagged(documents[0], limits: limits))
    try KeyedArchive.resolve(document: number, in: graph)
    return graph
  }
}
