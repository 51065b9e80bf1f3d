// From bytes to a graph: the encoding is told from the content, archives are resolved, nested ones on demand.

import ObjectGraph
import PropertyLists

/// Reads inputs of every encoding into graphs.
public final class ArchiveReader: NestedReader {
  /// The bounds that hold for what is read.
  public let limits: Limits

  /// Makes a reader.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Reads an input.
  ///
  /// - Parameters:
  ///   - storage: its bytes.
  ///   - resolving: whether keyed archives are resolved; without it the graph is what is stored.
  ///   - nested: whether archives in data values are opened when they are asked for.
  /// - Returns: a graph whose `root` is the input's root.
  /// - Throws: `ArchiveError` at the first fault.
  public func read(
    _ storage: ByteStorage, resolving: Bool = true, nested: Bool = true
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = ObjectGraph(limits: limits)
    let document = try decode(storage.bytes, storage: [storage], fileOffset: 0, in: graph)
    let number = graph.add(document)
    if resolving { try KeyedArchive.resolve(document: number, in: graph) }
    if nested { graph.nestedReader = self }
    return graph
  }

  /// Opens what a data value holds, if it begins as a property list does.
  public func open(
    _ bytes: UnsafeRawBufferPointer, heldBy holder: Node, in graph: ObjectGraph
  ) throws(ArchiveError) -> Node? {
    guard Sniffing.looksNested(bytes) else { return nil }
    let outer = graph.document(of: holder)
    let place = bytes.baseAddress.flatMap { base -> Int? in
      guard let offset = outer.fileOffset else { return nil }
      return offset + (base - outer.table.base)
    }
    let document = try decode(bytes, storage: [], fileOffset: place, in: graph)
    let number = graph.add(document, parent: holder)
    try KeyedArchive.resolve(document: number, in: graph)
    return graph.root(of: number)
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, storage: [ByteStorage], fileOffset: Int?,
    in graph: ObjectGraph
  ) throws(ArchiveError) -> Document {
    if bytes.isEmpty { throw ArchiveError(.truncated, "the input is empty", offset: fileOffset) }
    switch Sniffing.sniff(bytes) {
    case .binaryPropertyList:
      let (document, warnings) = try BinaryReader.read(
        bytes, storage: storage, fileOffset: fileOffset)
      graph.warnings += warnings
      return document
    case .xml:
      let (document, warnings) = try XMLReader.read(bytes, fileOffset: fileOffset, limits: limits)
      graph.warnings += warnings
      return document
    case .json: return try JSONReader.read(bytes, fileOffset: fileOffset, limits: limits)
    case .bookmark: return try BookmarkReader.read(bytes, fileOffset: fileOffset)
    case .openStep: throw unread("OpenStep property list", fileOffset)
    case .typedStream: throw unread("typedstream (NSArchiver)", fileOffset)
    case .gzip: throw unread("gzip-compressed data", fileOffset)
    case .unsupported(let kind): throw unread(kind, fileOffset)
    case .unknown:
      throw ArchiveError(
        .unrecognized,
        "neither a property list (binary or XML), a keyed archive nor JSON", offset: fileOffset)
    }
  }

  private func unread(_ kind: String, _ offset: Int?) -> ArchiveError {
    ArchiveError(.unsupported, "\(kind) is not read by this version", offset: offset)
  }
}
