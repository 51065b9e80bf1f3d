// A value that an edit puts into a file, as typed JSON: the type of everything is in its tags.

import Basics
import ObjectGraph
import PropertyLists

/// A value in typed JSON, outside any file.
///
/// It is held as the values of the JSON text, whose tags are interpreted where the value is used: a keyed archive and a
/// property list store the same value differently.
public struct TypedValue: Sendable {
  /// The JSON text in UTF-8, on one line and without its end.
  public let json: ByteStorage

  /// Reads typed JSON.
  ///
  /// - Throws: `ArchiveError` if the text is not JSON, or an integer has more than 64 bits.
  public init(json storage: ByteStorage, limits: Limits = Limits()) throws(ArchiveError) {
    let (document, _) = try JSONReader.readWithWarnings(
      storage.bytes, fileOffset: 0, limits: limits, allowsJSON5: false, marksWide: true)
    try self.init(document, limits: limits)
  }

  /// Reads typed JSON.
  ///
  /// - Throws: as for bytes.
  public init(json text: String, limits: Limits = Limits()) throws(ArchiveError) {
    try self.init(json: ByteStorage(copying: Array(text.utf8)), limits: limits)
  }

  /// Takes the value of a node with everything that it refers to.
  ///
  /// - Throws: `ArchiveError` with code `limit` if shared values multiply too much.
  public init(_ node: Node, of graph: ObjectGraph) throws(ArchiveError) {
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      node, of: graph, options: JSONWriter.Options(isTyped: true, isCompact: true), to: &output)
    json = ByteStorage(copying: UnsafeRawBufferPointer(rebasing: output.bytes.bytes.dropLast()))
  }

  /// Takes a part of a JSON document, whose tags were not interpreted.
  ///
  /// - Parameter index: the part; nil for the whole.
  /// - Throws: `ArchiveError` if an integer has more than 64 bits.
  public init(
    _ document: Document, at index: UInt32? = nil, limits: Limits = Limits()
  ) throws(ArchiveError) {
    let part = Document(
      encoding: document.encoding, table: document.table, storage: document.storage,
      fileOffset: document.fileOffset, sourceOffsets: document.sourceOffsets,
      top: index ?? document.top, highestUID: document.highestUID)
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(part)
    try WideIntegers.refuse(in: graph.root(of: number), of: graph)
    var output = OutputBuffer(descriptor: nil)
    _ = try StrictJSONWriter.write(part, isCompact: true, limits: limits, to: &output)
    json = ByteStorage(copying: UnsafeRawBufferPointer(rebasing: output.bytes.bytes.dropLast()))
  }

  /// The text.
  public var text: String { String(decoding: json.bytes, as: UTF8.self) }

  /// The values of the text, whose tags are not interpreted.
  func document(_ limits: Limits) throws(ArchiveError) -> Document {
    try JSONReader.readWithWarnings(
      json.bytes, fileOffset: nil, limits: limits, allowsJSON5: false
    ).document
  }
}
