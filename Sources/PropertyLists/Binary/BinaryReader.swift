// Binary property lists: the trailer, and the check that lets every later floor trust the table.
//
// Format facts: CoreFoundation, CFBinaryPList.c; the trailer is CFBinaryPlistTrailer in
// ForFoundationOnly.h.

import Basics
import ObjectGraph

/// Reads binary property lists where they lie.
public enum BinaryReader {
  package static let headerSize = 8
  static let trailerSize = 32

  /// Checks a binary property list and gives a view of it.
  ///
  /// - Parameters:
  ///   - bytes: the whole property list.
  ///   - storage: what keeps the bytes alive.
  ///   - fileOffset: where the bytes begin in the input file; nil if they do not stand there.
  /// - Returns: the document, and what a person should know of it.
  /// - Throws: `ArchiveError` at the first reachable fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, storage: [ByteStorage], fileOffset: Int?
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    do {
      var warnings: [ArchiveError] = []
      let trailer = try Trailer(bytes, &warnings)
      var table = trailer.table
      var storage = storage
      let survey = table.survey()
      if let fault = survey.fault {
        try refuseIfReachable(fault, table: table, top: trailer.top, &warnings)
      }
      if survey.fault != nil || survey.hasBackwardContainer {
        try CircularContainers.refuse(in: table, top: trailer.top)
      }
      if survey.fault != nil {
        let sound = SoundTable.replacingFaults(in: table)
        table = sound.table
        storage.append(sound.storage)
      }
      if let (dictionary, key) = survey.repeatedKey {
        let name = table.text(at: key)?.string ?? ""
        warnings.append(.repeatedKey(name, offset: table.offset(of: dictionary)))
      }
      let document = Document(
        encoding: .binaryPropertyList, table: table, storage: storage, fileOffset: fileOffset,
        top: trailer.top, highestUID: survey.highestUID)
      return (document, warnings.map { $0.shifted(by: fileOffset) })
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  /// A view of a binary property list whose trailer fits, and what a person should know of it.
  ///
  /// No object is checked: of each `ValueTable.tableFault(at:)` must be asked before it is looked at.
  ///
  /// - Throws: `ArchiveError` if the trailer does not fit the bytes before it.
  public static func unchecked(
    _ bytes: UnsafeRawBufferPointer, storage: [ByteStorage], fileOffset: Int?
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    do {
      var warnings: [ArchiveError] = []
      let trailer = try Trailer(bytes, &warnings)
      let document = Document(
        encoding: .binaryPropertyList, table: trailer.table, storage: storage,
        fileOffset: fileOffset, top: trailer.top)
      return (document, warnings.map { $0.shifted(by: fileOffset) })
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  /// A fault in an object that nothing reaches is worth a warning, as CoreFoundation reads such files.
  private static func refuseIfReachable(
    _ fault: (index: UInt32, error: ArchiveError), table: ValueTable, top: UInt32,
    _ warnings: inout [ArchiveError]
  ) throws(ArchiveError) {
    // Containers that overlap too much must not be walked at all.
    if fault.error.code == .limit { throw fault.error }
    try CircularContainers.refuseFaults(in: table, top: top)
    warnings.append(fault.error)
  }
}
