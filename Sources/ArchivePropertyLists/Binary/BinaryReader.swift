// Binary property lists: the trailer, and the checks on which all higher floors rely.
//
// Format facts: CoreFoundation, CFBinaryPList.c; the trailer is CFBinaryPlistTrailer in
// ForFoundationOnly.h.

import ArchiveBasics
import ArchiveGraph

/// Reads binary property lists in place.
package enum BinaryReader {
  package static let headerSize = 8
  static let trailerSize = 32

  /// Checks a binary property list and gives a view of it.
  ///
  /// - Parameters:
  ///   - bytes: the whole property list.
  ///   - storage: what keeps the bytes alive.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  /// - Returns: the document, and warnings.
  /// - Throws: `ArchiveError` at the first reachable fault.
  package static func read(
    _ bytes: ByteView, storage: [ByteStorage], fileOffset: Int?
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
    do throws(ArchiveError) {
      var warnings: [ArchiveError] = []
      let trailer = try Trailer(bytes, &warnings)
      var table = trailer.table
      var storage = storage
      let survey = table.survey()
      // Containers that overlap too much must not be walked at all.
      if let fault = survey.fault, fault.error.code == .limit { throw fault.error }
      if survey.fault != nil || survey.hasBackwardContainer {
        try CircularContainers.refuse(in: table, top: trailer.top, faults: survey.fault != nil)
      }
      if let fault = survey.fault {
        // Nothing reaches it, and CoreFoundation reads such files.
        warnings.append(fault.error)
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
        top: trailer.top, highestUID: survey.highestUID,
        mayHaveWideIntegers: survey.hasWideInteger)
      return (document, warnings.map { $0.shifted(by: fileOffset) })
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }

  /// A view of a binary property list with a valid trailer, and warnings.
  ///
  /// No object is checked: of each `ValueTable.tableFault(at:)` must be asked before it is looked at.
  ///
  /// - Throws: `ArchiveError` if the trailer does not fit the bytes before it.
  package static func unchecked(
    _ bytes: ByteView, storage: [ByteStorage], fileOffset: Int?
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
}

// MARK: - The last 32 bytes of a binary property list, which locate everything else

extension BinaryReader {
  /// The 32 bytes at the end, read and checked.
  struct Trailer {
    let table: ValueTable
    let top: UInt32

    /// Reads the trailer.
    ///
    /// - Throws: `ArchiveError` if it does not match the bytes before it; bytes after a valid trailer are reported.
    init(_ bytes: ByteView, _ warnings: inout [ArchiveError]) throws(ArchiveError) {
      do {
        try self.init(atEndOf: bytes, &warnings)
      } catch {
        guard let extraBytes = Self.extraBytes(bytes) else { throw error }
        throw ArchiveError(
          .malformed,
          "\(extraBytes) \(extraBytes == 1 ? "byte follows" : "bytes follow") the end of the property list; dump --recover reads it anyway",
          offset: bytes.count - extraBytes)
      }
    }

    private init(atEndOf bytes: ByteView, _ warnings: inout [ArchiveError]) throws(ArchiveError) {
      let end = Self.lengthWithoutNewlines(bytes)
      guard let base = bytes.baseAddress,
        end >= BinaryReader.headerSize + 1 + BinaryReader.trailerSize
      else {
        throw ArchiveError(
          .truncated,
          "a binary property list has at least \(BinaryReader.headerSize + 1 + BinaryReader.trailerSize) bytes, found \(bytes.count)",
          offset: bytes.count)
      }
      let location = end - BinaryReader.trailerSize
      let trailer = base + location
      let offsetWidth = Int(trailer.load(fromByteOffset: 6, as: UInt8.self))
      let referenceWidth = Int(trailer.load(fromByteOffset: 7, as: UInt8.self))
      let count = bigEndian(trailer + 8, 8)
      let top = bigEndian(trailer + 16, 8)
      let tableOffset = bigEndian(trailer + 24, 8)
      guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
        throw ArchiveError(
          .malformed,
          "the trailer's offset and reference sizes must be 1 to 8 bytes, found \(offsetWidth) and \(referenceWidth); the file may be truncated",
          offset: location + 6)
      }
      guard tableOffset >= UInt64(BinaryReader.headerSize), tableOffset < UInt64(location) else {
        throw ArchiveError(
          .malformed,
          "the offset table must begin between bytes \(BinaryReader.headerSize) and \(location), found \(tableOffset)",
          offset: location + 24)
      }
      let room = (location - Int(tableOffset)) / offsetWidth
      guard count > 0, count <= UInt64(room), count <= UInt64(UInt32.max) else {
        throw ArchiveError(
          .malformed,
          "the offset table has room for \(room) objects, but the trailer counts \(count)",
          offset: location + 8)
      }
      guard top < count else {
        throw ArchiveError(
          .dangling, "the top object is number \(top), but there are only \(count)",
          offset: location + 16)
      }
      if room * offsetWidth != Int(count) * offsetWidth || end != bytes.count {
        let extraBytes = location - Int(tableOffset) - Int(count) * offsetWidth + bytes.count - end
        warnings.append(
          ArchiveError(
            .malformed,
            "\(extraBytes) \(extraBytes == 1 ? "byte is" : "bytes are") unused between the offset table and the end of the file",
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
    private static func lengthWithoutNewlines(_ bytes: ByteView) -> Int {
      var end = bytes.count
      while end >= BinaryReader.headerSize + 1 + BinaryReader.trailerSize, bytes.count - end <= 2 {
        if BinaryTrailer(bytes, at: end - BinaryReader.trailerSize)?.isExact == true { return end }
        guard bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D else { break }
        end -= 1
      }
      return bytes.count
    }

    /// The number of bytes after a valid trailer; nil if there is none near the end.
    private static func extraBytes(_ bytes: ByteView) -> Int? {
      let last = bytes.count - BinaryReader.headerSize - 1 - BinaryReader.trailerSize
      guard last > 0 else { return nil }
      return (1...min(last, 4096)).first { extraBytes in
        BinaryTrailer(bytes, at: bytes.count - extraBytes - BinaryReader.trailerSize)?.isExact
          == true
      }
    }
  }
}

// MARK: - A table of which every value can be read, though some of the original cannot

/// Puts null where a value has a fault.
///
/// CoreFoundation reads property lists whose unreachable values are broken, and so do the readers here. Code that
/// looks through all values of a table must not have to know which of them those are.
private enum SoundTable {
  /// A copy of a table in which each value with a fault is null; the others keep their offsets and their bytes.
  ///
  /// - Returns: the table, and the storage of its values and offsets.
  static func replacingFaults(in table: ValueTable) -> (table: ValueTable, storage: ByteStorage) {
    let offsetWidth = 8
    let nullOffset = table.byteCount
    let size = nullOffset + 1 + table.count * offsetWidth
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    bytes.copyMemory(from: UnsafeRawBufferPointer(start: table.base, count: table.byteCount))
    bytes[nullOffset] = 0
    for index in 0..<UInt32(truncatingIfNeeded: table.count) {
      let offset = table.fault(at: index) == nil ? table.offset(of: index) : nullOffset
      bytes.storeBytes(
        of: UInt64(offset).bigEndian, toByteOffset: nullOffset + 1 + Int(index) * offsetWidth,
        as: UInt64.self)
    }
    let storage = ByteStorage(owning: UnsafeRawBufferPointer(bytes)) { $0.deallocate() }
    // `allocate` never gives an empty buffer for a size above zero.
    guard let base = storage.bytes.baseAddress else { return (table, storage) }
    let sound = ValueTable(
      base: base, byteCount: nullOffset + 1, offsets: base + nullOffset + 1,
      offsetWidth: offsetWidth, referenceWidth: table.referenceWidth, count: table.count)
    return (sound, storage)
  }
}

// MARK: - Binary property lists as a format

extension Encoding {
  /// `bplist00`.
  package static let binaryPropertyList = Encoding("binary property list", [.table, .archives])
}

/// Binary property lists.
package enum BinaryFormat: PropertyListFormat {
  package static let encoding = Encoding.binaryPropertyList
  package static let word = "binary"
  package static let targetName: String? = "binary1"
  package static let keepsStoredValues = true

  package static func opensContent(_ bytes: ByteView) -> Bool {
    bytes.starts(with: "bplist0")
  }

  package static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    do {
      var (document, warnings) = try BinaryReader.read(
        input.bytes, storage: input.storage, fileOffset: input.fileOffset)
      if input.options.warnsOfEqualKeys, !warnings.contains(where: { $0.subject == .repeatedKey }),
        let (dictionary, key) = document.table.equalKeys()
      {
        warnings.append(
          .repeatedKey(
            document.table.text(at: key)?.string ?? "", offset: document.fileOffset(of: dictionary))
        )
      }
      return FormatReading(document, warnings: warnings)
    } catch {
      guard input.options.isRecovering,
        let (document, losses) = BinaryRecovery.read(
          input.bytes, fileOffset: input.fileOffset, limits: input.options.limits)
      else { throw error }
      return FormatReading(document, losses: [error] + losses)
    }
  }

  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let canonical = try TableCopy.canonical(document, limits: options.limits)
    BinaryWriter.write(canonical, to: &output)
    return []
  }
}

// MARK: - Containers that contain themselves: possible in a binary property list, but meaningless

/// Walks the stored containers from the top, one visit each.
enum CircularContainers {
  /// Throws if a container reachable from `top` contains itself.
  ///
  /// - Parameter faults: whether the fault of the first such value that has one is thrown, too.
  static func refuse(
    in table: ValueTable, top: UInt32, faults: Bool
  ) throws(ArchiveError) {
    var state = [UInt8](repeating: 0, count: table.count)  // 1: on the way down, 2: done
    var walk = GraphWalk<TableContainer>(in: table)
    try enter(top, &state, &walk, faults)
    while let event = walk.next() {
      switch event {
      case .leave(let container): state[Int(container.index)] = 2
      case .child(let child, _, _): try enter(child, &state, &walk, faults)
      }
    }
  }

  private static func enter(
    _ index: UInt32, _ state: inout [UInt8], _ walk: inout GraphWalk<TableContainer>,
    _ faults: Bool
  ) throws(ArchiveError) {
    switch state[Int(index)] {
    case 2: return
    case 1: throw .circularContainer(offset: walk.context.offset(of: index))
    default: break
    }
    if faults, let fault = walk.context.fault(at: index) { throw fault }
    guard let container = TableContainer(index, in: walk.context) else {
      state[Int(index)] = 2
      return
    }
    state[Int(index)] = 1
    walk.enter(container)
  }
}

extension ArchiveError {
  /// The error of a stored container that contains itself.
  package static func circularContainer(offset: Int?) -> ArchiveError {
    ArchiveError(
      .cycle, "the container contains itself, which no property list can express", offset: offset)
  }
}
