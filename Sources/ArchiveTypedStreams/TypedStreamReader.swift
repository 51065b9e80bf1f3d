// Typedstreams as the table of a keyed archive, so that everything above reads both alike.

import ArchiveBasics
import ArchiveGraph

extension Encoding {
  /// What NSArchiver wrote.
  package static let typedStream = Encoding(
    "typedstream", [.archives, .translated, .verbatimData])
}

/// Reads what NSArchiver wrote.
package enum TypedStreamReader {
  /// Reads a typedstream.
  ///
  /// The values are laid out as a keyed archive's: `$top` and `$objects`, with `$streamVersion`,
  /// `$systemVersion` and `$byteOrder`. An object of a class without keys is the dictionary of
  /// `$types`, the types of its groups of values, and of its values `$0`, `$1`, ….
  ///
  /// - Parameters:
  ///   - bytes: the whole stream.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - layouts: by the names of classes the keys that they have in keyed archives; nil where objects of all classes
  ///     stay groups of values.
  ///   - limits: the depth that is allowed.
  ///   - recovering: whether all values before the first fault are enough.
  ///   - forEditing: whether objects stay groups of values that `TypedStreamEncoder` would not write as they are.
  ///   - storage: what owns the bytes if it begins with them and may give them back: whoever needs them later restores
  ///     it first. If this throws, they are complete.
  /// - Returns: the document, warnings about the input, and in recovery the fault, if there was one.
  /// - Throws: `ArchiveError` at the first fault; in recovery if not one value is left.
  package static func read(
    _ bytes: ByteView, fileOffset: Int?, layouts: [String: StreamLayout]?,
    limits: Limits = Limits(), recovering: Bool = false, forEditing: Bool = false,
    givingBack storage: ByteStorage? = nil
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError], losses: [ArchiveError]) {
    do {
      let stream = Stream(
        bytes: bytes, fileOffset: fileOffset, layouts: layouts, limits: limits,
        isForEditing: forEditing, storage: storage)
      if recovering {
        let (document, _, loss) = try stream.readByOne(recovering: true)
        return (document, [], loss.map { [$0.shifted(by: fileOffset)] } ?? [])
      }
      let (document, count, _) = try stream.read()
      let warning = ArchiveError(
        .malformed, "\(Counted.text(count, "byte")) after the stream skipped",
        offset: fileOffset.map { $0 + bytes.count - count })
      return (document, count == 0 ? [] : [warning], [])
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }
}

private struct Stream: @unchecked Sendable {
  /// Its bytes; what owns them must outlive this.
  let bytes: ByteView
  let fileOffset: Int?
  let layouts: [String: StreamLayout]?
  let limits: Limits
  let isForEditing: Bool
  /// What may give the bytes back.
  let storage: ByteStorage?

  /// The document, how many bytes after it were skipped, and the fault of a damaged stream.
  typealias Reading = (document: Document, surplus: Int, loss: ArchiveError?)

  func read() throws(ArchiveError) -> Reading {
    if let read = try readByTwo() { return read }
    return try readByOne()
  }

  func readByOne(recovering: Bool = false) throws(ArchiveError) -> Reading {
    var assembly = StreamAssembly(
      layouts, of: bytes, fileOffset: fileOffset, forEditing: isForEditing)
    var tables = try TypedStreamParser.read(
      bytes, limits: limits, recovering: recovering, into: &assembly)
    let document = assembly.document(&tables, depth: recovering ? nil : limits.depth)
    return (document, tables.surplus, tables.loss)
  }

  /// By two threads; nil for streams that are not worth a thread, or if there is none.
  private func readByTwo() throws(ArchiveError) -> Reading? {
    guard bytes.count >= limits.largeInputs.streamBytes, limits.threadCount > 1,
      var relay = StreamRelay(
        StreamAssembly(
          layouts, of: bytes, fileOffset: storage == nil ? fileOffset : nil,
          forEditing: isForEditing),
        batch: limits.largeInputs.streamBatch, givingBack: storage)
    else { return nil }
    do {
      var tables = try TypedStreamParser.read(bytes, limits: limits, into: &relay)
      var document = relay.finish(&tables) { $0.document(&$1, depth: limits.depth) }
      if let storage, fileOffset != nil {
        document.sourceOffsets = SourceOffsets(count: document.table.count) { [self] in
          positions(in: storage)
        }
      }
      return (document, tables.surplus, nil)
    } catch {
      relay.cancel()
      try storage?.restore()
      throw error
    }
  }

  /// The positions of all values: the stream is read once more, which was read without an error.
  private func positions(in storage: ByteStorage) -> SourceOffsets {
    do throws(ArchiveError) {
      try storage.restore()
      return try readByOne().document.sourceOffsets
    } catch {
      return .none
    }
  }
}
