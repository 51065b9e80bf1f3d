// Values that were put aside as typed JSON, brought back into a graph.

import Basics
import ObjectGraph
import PropertyLists

extension ObjectGraph {
  /// Adds what typed JSON tells, beside all that is there.
  ///
  /// - Returns: its root, the classes and references of its objects resolved.
  /// - Throws: `ArchiveError` if the bytes are no JSON, or its tags tell nothing.
  public func add(typedJSON storage: ByteStorage) throws(ArchiveError) -> Node {
    let (json, _) = try JSONReader.readWithWarnings(
      storage.bytes, fileOffset: nil, limits: limits, allowsJSON5: false, keepsPlaces: false)
    let number = add(try Conversion.untagged(json, limits: limits))
    try KeyedArchive.resolve(document: number, in: self)
    return root(of: number)
  }

  /// What typed JSON tells; the graph itself if its values are plain.
  ///
  /// - Throws: `ArchiveError` if its tags tell nothing.
  public func untagged() throws(ArchiveError) -> ObjectGraph {
    if TaggedJSON.kind(of: documents[0]) == .plain { return self }
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(try Conversion.untagged(documents[0], limits: limits))
    try KeyedArchive.resolve(document: number, in: graph)
    return graph
  }
}
