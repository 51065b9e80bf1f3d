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
  /// `$systemVersion` and `$byteOrder` besides. An object of a class that has no keys is the dictionary of
  /// `$types`, the types of its groups of values, and of its values `$0`, `$1`, ….
  ///
  /// - Parameters:
  ///   - bytes: the whole stream.
  ///   - fileOffset: where the bytes begin in the input file; nil if they do not stand there.
  ///   - layout: what Foundation's value classes become.
  ///   - limits: the depth that is allowed.
  /// - Returns: the document, and what a person should know of the input.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, layout: Layout,
    limits: Limits = Limits()
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    do {
      let contents = try TypedStreamParser.parse(bytes, limits: limits)
      var assembly = StreamAssembly(contents, layout, of: bytes, fileOffset: fileOffset)
      let count = contents.surplus
      let warning = ArchiveError(
        .malformed, "\(count) \(count == 1 ? "byte" : "bytes") after the stream skipped",
        offset: fileOffset.map { $0 + bytes.count - count })
      return (assembly.document(), count == 0 ? [] : [warning])
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  /// Reads what a damaged typedstream still holds.
  ///
  /// - Returns: all values before the fault, laid out as `read` does, and what was wrong; nil if nothing was.
  /// - Throws: `ArchiveError` if not one value is left.
  public static func salvage(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, layout: Layout,
    limits: Limits = Limits()
  ) throws(ArchiveError) -> (document: Document, loss: ArchiveError?) {
    do {
      let (contents, loss) = try TypedStreamParser.salvage(bytes, limits: limits)
      var assembly = StreamAssembly(contents, layout, of: bytes, fileOffset: fileOffset)
      return (assembly.document(), loss?.shifted(by: fileOffset))
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }
}
