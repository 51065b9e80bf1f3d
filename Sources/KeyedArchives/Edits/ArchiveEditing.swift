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
    let graph = try ArchiveReader(limits: limits, marksWide: true, warnsOfEqualKeys: true)
      .read(storage)
    if graph.documents[0].encoding == .json { try WideIntegers.refuse(in: graph.root, of: graph) }
    return graph
  }

  /// What the text of a file has beside its values, and an edited file has not.
  public static func warnings(about storage: ByteStorage) -> [ArchiveError] {
    let hasComments: Bool
    switch Formats.all.detect(storage.bytes).encoding {
    case Encoding.xmlPropertyList?:
      let mark: StaticString = "<!--"
      let bytes = UnsafeRawBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
      hasComments = storage.bytes.firstOccurrence(of: bytes) != nil
    case Encoding.openStepPropertyList?: hasComments = hasOpenStepComments(storage.bytes)
    default: hasComments = false
    }
    withExtendedLifetime(storage) {}
    guard hasComments else { return [] }
    return [ArchiveError(.unrepresentable, "the comments in the text are not kept")]
  }

  /// Whether a text has `/*` or `//` outside of strings; a string without quotation marks may have slashes, too.
  private static func hasOpenStepComments(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var quote: UInt8?
    var before = UInt8(ascii: " ")
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if let end = quote {
        if byte == UInt8(ascii: "\\") { position += 1 }
        if byte == end { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count {
        let next = bytes[position + 1]
        let isInWord = before > UInt8(ascii: " ") && !"{}()=,;<>".utf8.contains(before)
        if next == UInt8(ascii: "*") || next == UInt8(ascii: "/") && !isInWord { return true }
      }
      before = byte
      position += 1
    }
    return false
  }
}
