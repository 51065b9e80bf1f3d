// A property list or keyed archive that parts are taken from or put into.

import ArchiveBasics
import ArchiveGraph
import ArchiveWriting
import KeyedArchives

extension Document {
  /// The same values, with another at the top.
  func withTop(_ index: UInt32) -> Document {
    Document(
      encoding: encoding, table: table, storage: storage, fileOffset: fileOffset,
      sourceOffsets: sourceOffsets, top: index, highestUID: highestUID)
  }
}

/// One document of a graph, its parts, and how it is written again.
struct OpenedArchive {
  let graph: ObjectGraph
  let number: UInt32
  let parts: KeyedArchiveParts?
  let encoding: StoredEncoding
  let side: StoredComparison.Side

  var document: Document { graph.documents[Int(number)] }
  var table: ValueTable { document.table }

  /// Opens a document of a graph.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if its encoding has no stored values that can be edited.
  init(_ graph: ObjectGraph, document number: UInt32 = 0) throws(ArchiveError) {
    let encoding = graph.documents[Int(number)].encoding
    let remedy =
      encoding.isLaidOutAsArchive ? "; convert --to keyed-archive makes a keyed archive of it" : ""
    try self.init(
      graph, number, StoredEncoding(encoding, in: graph),
      "parts are taken from property lists and keyed archives, not from \(encoding.name)\(remedy)")
  }

  /// Opens a document that is to be edited, which may be JSON, too.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` for other encodings.
  init(editing graph: ObjectGraph, document number: UInt32, source: ByteStorage)
    throws(ArchiveError)
  {
    let encoding = graph.documents[Int(number)].encoding
    try self.init(
      graph, number, StoredEncoding(encoding, in: graph, of: source),
      "a \(encoding.name) cannot be edited")
  }

  private init(
    _ graph: ObjectGraph, _ number: UInt32, _ encoding: StoredEncoding?, _ refusal: String
  ) throws(ArchiveError) {
    guard let encoding else { throw ArchiveError(.unsupported, refusal) }
    self.graph = graph
    self.number = number
    self.encoding = encoding
    parts = try KeyedArchiveParts(document: number, in: graph)
    side = StoredComparison.Side(graph.documents[Int(number)], parts)
  }

  /// Reads bytes.
  ///
  /// - Throws: `ArchiveError` if they cannot be decoded, or as above.
  init(_ storage: ByteStorage, limits: Limits) throws(ArchiveError) {
    try self.init(try ArchiveReader(limits: limits).read(storage))
  }

  /// What an archive has at its root: a UID, or a scalar that was encoded without an object.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if it has several top-level objects without a root.
  func rootValue(_ parts: KeyedArchiveParts) throws(ArchiveError) -> UInt32 {
    let (start, count) = table.counted(parts.top)
    for position in 0..<count
    where count == 1 || table.text(at: table.reference(start, position))?.equals("root") == true {
      return table.reference(start, count + position)
    }
    throw ArchiveError(
      .mismatch, "a part has one top-level object, or one under the key root; this has \(count)",
      path: GraphPath())
  }

  /// Whether a value is stored in the document, not derived from others.
  func stores(_ node: Node) -> Bool { node.document == number }
}
