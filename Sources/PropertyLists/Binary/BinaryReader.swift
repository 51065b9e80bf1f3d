// Binary property lists: the trailer, and the check that lets every later floor trust the table.
//
// Format facts: CoreFoundation, CFBinaryPList.c; the trailer is CFBinaryPlistTrailer in
// ForFoundationOnly.h.

import ObjectGraph

/// Reads binary property lists where they lie.
public enum BinaryReader {
  private static let headerSize = 8
  private static let trailerSize = 32

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
      let table = trailer.table
      let survey = table.survey()
      if let fault = survey.fault {
        try refuseIfReachable(fault, table: table, top: trailer.top, &warnings)
      }
      if survey.fault != nil || survey.hasBackwardContainer {
        try CircularContainers.refuse(in: table, top: trailer.top)
      }
      let document = Document(
        encoding: .binaryPropertyList, table: table, storage: storage, fileOffset: fileOffset,
        top: trailer.top, highestUID: survey.highestUID)
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
    try CircularContainers.refuseFaults(in: table, top: top)
    warnings.append(fault.error)
  }

  /// The 32 bytes at the end, read and checked.
  private struct Trailer {
    let table: ValueTable
    let top: UInt32

    init(_ bytes: UnsafeRawBufferPointer, _ warnings: inout [ArchiveError]) throws(ArchiveError) {
      let end = Self.lengthWithoutNewlines(bytes)
      guard let base = bytes.baseAddress, end >= headerSize + 1 + trailerSize else {
        throw ArchiveError(
          .truncated,
          "a binary property list has at least \(headerSize + 1 + trailerSize) bytes, found \(bytes.count)",
          offset: bytes.count)
      }
      let place = end - trailerSize
      let trailer = base + place
      let offsetWidth = Int(trailer.load(fromByteOffset: 6, as: UInt8.self))
      let referenceWidth = Int(trailer.load(fromByteOffset: 7, as: UInt8.self))
      let count = bigEndian(trailer + 8, 8)
      let top = bigEndian(trailer + 16, 8)
      let tableOffset = bigEndian(trailer + 24, 8)
      guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
        throw ArchiveError(
          .malformed,
          "the trailer's offset and reference sizes must be 1 to 8 bytes, found \(offsetWidth) and \(referenceWidth); the file may be truncated",
          offset: place + 6)
      }
      guard tableOffset >= UInt64(headerSize), tableOffset < UInt64(place) else {
        throw ArchiveError(
          .malformed,
          "the offset table must begin between bytes \(headerSize) and \(place), found \(tableOffset)",
          offset: place + 24)
      }
      let room = (place - Int(tableOffset)) / offsetWidth
      guard count > 0, count <= UInt64(room), count <= UInt64(UInt32.max) else {
        throw ArchiveError(
          .malformed,
          "the offset table has room for \(room) objects, but the trailer counts \(count)",
          offset: place + 8)
      }
      guard top < count else {
        throw ArchiveError(
          .dangling, "the top object is number \(top), but there are only \(count)",
          offset: place + 16)
      }
      if room * offsetWidth != Int(count) * offsetWidth || end != bytes.count {
        let surplus = place - Int(tableOffset) - Int(count) * offsetWidth + bytes.count - end
        warnings.append(
          ArchiveError(
            .malformed,
            "\(surplus) \(surplus == 1 ? "byte belongs" : "bytes belong") to nothing, between offset table and end of file",
            offset: Int(tableOffset) + Int(count) * offsetWidth))
      }
      self.top = UInt32(top)
      table = ValueTable(
        base: base, byteCount: Int(tableOffset), offsets: base + Int(tableOffset),
        offsetWidth: offsetWidth, referenceWidth: referenceWidth, count: Int(count))
    }

    /// Where the file ends when newlines that a text tool added are left out.
    ///
    /// The trailer ends with the low byte of an offset, which may itself be a newline: only a
    /// reading that fits is taken.
    private static func lengthWithoutNewlines(_ bytes: UnsafeRawBufferPointer) -> Int {
      var end = bytes.count
      while end >= headerSize + 1 + trailerSize, bytes.count - end <= 2 {
        let place = end - trailerSize
        let tableOffset = bigEndianValue(bytes, place + 24)
        let count = bigEndianValue(bytes, place + 8)
        let width = UInt64(bytes[place + 6])
        let (size, overflow) = count.multipliedReportingOverflow(by: width)
        let (sum, overflow2) = tableOffset.addingReportingOverflow(size)
        if !overflow, !overflow2, sum == UInt64(place) { return end }
        guard bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D else { break }
        end -= 1
      }
      return bytes.count
    }

    private static func bigEndianValue(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}
