// Files that are edited, as they are read.

import Basics
import ObjectGraph
import PropertyLists

/// Edits files, and archives in their data values.
public enum ArchiveEditing {
  /// Reads a file that is to be edited.
  ///
  /// - Throws: `ArchiveError` if it cannot be read, or has integers of more than 64 bits in JSON, which would change.
  public static func read(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try ArchiveReader(limits: limits, marksWide: true).read(storage)
    if graph.documents[0].encoding == .json { try WideIntegers.refuse(in: graph.root, of: graph) }
    return graph
  }

  /// What the text of a file has beside its values, and an edited file has not.
  public static func warnings(about storage: ByteStorage) -> [ArchiveError] {
    let mark: StaticString
    switch Formats.all.detect(storage.bytes).encoding {
    case Encoding.xmlPropertyList?: mark = "<!--"
    case Encoding.openStepPropertyList?: mark = "/*"
    default: return []
    }
    let bytes = UnsafeRawBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
    guard storage.bytes.firstOccurrence(of: bytes) != nil else { return [] }
    return [ArchiveError(.unrepresentable, "the comments in the text are not kept")]
  }
}
