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
  /// What objects of value classes become.
  package struct Layout: Sendable {
    /// The layouts by the names of the classes; nil where objects of all classes stay groups of values.
    let layouts: [String: StreamLayout]?

    /// Groups of values, like all other objects.
    package static let raw = Layout(layouts: nil)

    /// The keys that classes have in keyed archives.
    package static func keyed(_ layouts: [String: StreamLayout]) -> Layout {
      Layout(layouts: layouts)
    }
  }

  /// Reads a typedstream.
  ///
  /// The values are laid out as a keyed archive's: `$top` and `$objects`, with `$streamVersion`,
  /// `$systemVersion` and `$byteOrder`. An object of a class without keys is the dictionary of
  /// `$types`, the types of its groups of values, and of its values `$0`, `$1`, ….
  ///
  /// - Parameters:
  ///   - bytes: the whole stream.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - layout: what Foundation's value classes become.
  ///   - limits: the depth that is allowed.
  ///   - storage: what owns the bytes if it begins with them and may give them back: whoever needs them later restores
  ///     it first. If this throws, they are complete.
  /// - Returns: the document, and warnings about the input.
  /// - Throws: `ArchiveError` at the first fault.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, layout: Layout,
    limits: Limits = Limits(), givingBack storage: ByteStorage? = nil
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    do {
      let stream = Stream(
        bytes: bytes, fileOffset: fileOffset, layout: layout, limits: limits, storage: storage)
      let (document, count) = try stream.read()
      let warning = ArchiveError(
        .malformed, "\(count) \(count == 1 ? "byte" : "bytes") after the stream skipped",
        offset: fileOffset.map { $0 + bytes.count - count })
      return (document, count == 0 ? [] : [warning])
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  /// Reads what can be read of a damaged typedstream.
  ///
  /// - Returns: all values before the fault, laid out as `read` does, and the fault, or nil.
  /// - Throws: `ArchiveError` if not one value is left.
  package static func salvage(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, layout: Layout,
    limits: Limits = Limits()
  ) throws(ArchiveError) -> (document: Document, loss: ArchiveError?) {
    do {
      var loss: ArchiveError?
      var assembly = StreamAssembly(layout, of: bytes, fileOffset: fileOffset)
      var tables = try TypedStreamParser.salvage(
        bytes, limits: limits, into: &assembly, &loss)
      return (assembly.document(&tables), loss?.shifted(by: fileOffset))
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }
}

/// A stream, and how it is read.
private struct Stream: @unchecked Sendable {
  /// Its bytes; what owns them must outlive this.
  let bytes: UnsafeRawBufferPointer
  let fileOffset: Int?
  let layout: TypedStreamReader.Layout
  let limits: Limits
  /// What may give the bytes back.
  let storage: ByteStorage?

  /// The document, and how many bytes after it were skipped.
  func read() throws(ArchiveError) -> (document: Document, surplus: Int) {
    if let read = try readByTwo() { return read }
    return try readByOne()
  }

  private func readByOne() throws(ArchiveError) -> (document: Document, surplus: Int) {
    var assembly = StreamAssembly(layout, of: bytes, fileOffset: fileOffset)
    var tables = try TypedStreamParser.read(bytes, limits: limits, into: &assembly)
    return (assembly.document(&tables, depth: limits.depth), tables.surplus)
  }

  /// By two threads; nil for streams that are not worth a thread, or if there is none.
  private func readByTwo() throws(ArchiveError) -> (document: Document, surplus: Int)? {
    guard bytes.count >= StreamRelay.leastBytes || limits.dividesAll, limits.threadCount > 1,
      var relay = StreamRelay(
        StreamAssembly(layout, of: bytes, fileOffset: storage == nil ? fileOffset : nil),
        copiesFew: limits.dividesAll, givingBack: storage)
    else { return nil }
    do {
      var tables = try TypedStreamParser.read(bytes, limits: limits, into: &relay)
      var document = relay.finish(&tables) { $0.document(&$1, depth: limits.depth) }
      if let storage, fileOffset != nil {
        document.sourceOffsets = SourceOffsets(count: document.table.count) { [self] in
          positions(in: storage)
        }
      }
      return (document, tables.surplus)
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
