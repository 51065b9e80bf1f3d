// Typedstreams as the table of a keyed archive, so that everything above reads both alike.

import Basics
import ObjectGraph

extension Encoding {
  /// What NSArchiver wrote.
  public static let typedStream = Encoding(
    "typedstream", [.archives, .translated, .verbatimData])
}

/// Reads what NSArchiver wrote.
public enum TypedStreamReader {
  /// What objects of value classes become.
  public struct Layout: Sendable {
    /// The layouts by the names of the classes; nil where objects of all classes stay groups of values.
    let layouts: [String: StreamLayout]?

    /// Groups of values, like all other objects.
    public static let raw = Layout(layouts: nil)

    /// The keys that classes have in keyed archives.
    public static func keyed(_ layouts: [String: StreamLayout]) -> Layout {
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
  /// - Returns: the document, and warnings about the input.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, layout: Layout,
    limits: Limits = Limits()
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    do {
      let (document, count) = try document(bytes, fileOffset: fileOffset, layout, limits)
      let warning = ArchiveError(
        .malformed, "\(count) \(count == 1 ? "byte" : "bytes") after the stream skipped",
        offset: fileOffset.map { $0 + bytes.count - count })
      return (document, count == 0 ? [] : [warning])
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  /// The document, and how many bytes after it were skipped.
  private static func document(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, _ layout: Layout, _ limits: Limits
  ) throws(ArchiveError) -> (document: Document, surplus: Int) {
    if bytes.count >= StreamRelay.leastBytes || limits.dividesAll, limits.threadCount > 1,
      var relay = StreamRelay(
        StreamAssembly(layout, of: bytes, fileOffset: fileOffset), copiesFew: limits.dividesAll)
    {
      do {
        var tables = try TypedStreamParser.read(bytes, limits: limits, into: &relay)
        let document = relay.finish(&tables) { $0.document(&$1, depth: limits.depth) }
        return (document, tables.surplus)
      } catch {
        relay.cancel()
        throw error
      }
    }
    var assembly = StreamAssembly(layout, of: bytes, fileOffset: fileOffset)
    var tables = try TypedStreamParser.read(bytes, limits: limits, into: &assembly)
    return (assembly.document(&tables, depth: limits.depth), tables.surplus)
  }

  /// Reads what can be read of a damaged typedstream.
  ///
  /// - Returns: all values before the fault, laid out as `read` does, and the fault, or nil.
  /// - Throws: `ArchiveError` if not one value is left.
  public static func salvage(
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
