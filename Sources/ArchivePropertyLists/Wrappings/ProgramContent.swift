// The property lists in Mach-O programs: tools without a bundle have their Info.plist in a section, and those that
// SMJobBless installs their job for launchd as well.
//
// Format facts: xnu, EXTERNAL_HEADERS/mach-o/loader.h and fat.h; ld(1), -sectcreate __TEXT __info_plist.

import ArchiveBasics
import ArchiveGraph

/// Finds the sections of a Mach-O file, of one architecture or of several.
enum ProgramContent {
  /// The sections that hold property lists.
  private static let names = ["__info_plist", "__launchd_plist"]
  /// More architectures than any file has; Java's class files begin alike, with a version from 45 on.
  private static let mostArchitectures = 42

  /// The first four bytes.
  private enum Magic {
    static let thin: UInt32 = 0xFEED_FACE
    static let wideThin: UInt32 = 0xFEED_FACF
    static let fat: UInt32 = 0xCAFE_BABE
    static let wideFat: UInt32 = 0xCAFE_BABF
  }

  /// Whether bytes begin as a Mach-O file.
  static func recognizes(_ bytes: ByteView) -> Bool {
    guard bytes.count >= 8 else { return false }
    let magic = bytes.loadUnaligned(as: UInt32.self)
    if [Magic.thin, Magic.wideThin].contains(where: { $0 == magic || $0 == magic.byteSwapped }) {
      return true
    }
    let count = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    return [Magic.fat, Magic.wideFat].contains(UInt32(bigEndian: magic))
      && (1...UInt32(mostArchitectures)).contains(count)
  }

  /// The property list of a program; of one with several a dictionary of data values by the names of their sections.
  ///
  /// - Throws: `ArchiveError` if there is none, or if the file is damaged.
  static func read(_ bytes: ByteView) throws(ArchiveError) -> WrappedContent {
    var sections: [String: Range<Int>] = [:]
    for offset in try architectures(of: bytes) {
      // Those of all architectures are the same in a file that a linker made.
      sections.merge(try lists(of: bytes, at: offset)) { first, _ in first }
    }
    guard let only = sections.first?.value else {
      throw ArchiveError(
        .unsupported,
        "a Mach-O program without a section \(names.joined(separator: " or ")); its property lists are files beside it"
      )
    }
    if sections.count == 1 { return WrappedContent(part: bytes.part(only), at: only.lowerBound) }
    var builder = GraphBuilder()
    let members = names.compactMap { name in
      sections[name].map { (name, builder.add(data: bytes.part($0))) }
    }
    let top = builder.add(members: members)
    var output = OutputBuffer(descriptor: nil)
    BinaryWriter.write(builder.finish(top: top), to: &output)
    return WrappedContent(decoded: ByteStorage(copying: output.bytes.array))
  }

  /// Where the header of each architecture begins.
  private static func architectures(of bytes: ByteView) throws(ArchiveError) -> [Int] {
    var cursor = ByteCursor(bytes, at: 0, of: "program", isBigEndian: true)
    let magic = UInt32(truncatingIfNeeded: try cursor.number(4, "the header"))
    guard magic == Magic.fat || magic == Magic.wideFat else { return [0] }
    let count = try cursor.count(4, "the number of architectures")
    let width = magic == Magic.fat ? 4 : 8
    var offsets: [Int] = []
    for _ in 0..<count {
      _ = try cursor.read(8, "an architecture")
      offsets.append(try cursor.count(width, "the offset of an architecture"))
      _ = try cursor.read(magic == Magic.fat ? 8 : 16, "an architecture")
    }
    return offsets
  }

  /// The sections with property lists of the architecture at an offset.
  private static func lists(
    of bytes: ByteView, at base: Int
  ) throws(ArchiveError) -> [String: Range<Int>] {
    var cursor = ByteCursor(bytes, at: base, of: "program", isBigEndian: true)
    var magic = UInt32(truncatingIfNeeded: try cursor.number(4, "the header"))
    cursor.isBigEndian = magic == Magic.thin || magic == Magic.wideThin
    if !cursor.isBigEndian { magic = magic.byteSwapped }
    // Others, such as static libraries, have no sections of their own.
    guard magic == Magic.thin || magic == Magic.wideThin else { return [:] }
    let isWide = magic == Magic.wideThin
    _ = try cursor.read(12, "the header")
    let count = try cursor.count(4, "the number of load commands")
    _ = try cursor.read(isWide ? 12 : 8, "the header")
    var found: [String: Range<Int>] = [:]
    for _ in 0..<count {
      let start = cursor.position
      let command = try cursor.number(4, "a load command")
      let size = try cursor.count(4, "the size of a load command")
      guard size >= 8, size <= bytes.count - start else {
        throw ArchiveError(
          .malformed, "a load command of \(Counted.text(size, "byte"))", offset: start)
      }
      // LC_SEGMENT and LC_SEGMENT_64.
      if command == (isWide ? 0x19 : 1) {
        cursor.limit = start + size
        try sections(&cursor, isWide, base, &found)
        cursor.limit = bytes.count
      }
      cursor.position = start + size
    }
    return found
  }

  private static func sections(
    _ cursor: inout ByteCursor, _ isWide: Bool, _ base: Int, _ found: inout [String: Range<Int>]
  ) throws(ArchiveError) {
    let width = isWide ? 8 : 4
    _ = try cursor.read(16 + 4 * width + 8, "a segment")
    let count = try cursor.count(4, "the number of sections")
    _ = try cursor.read(4, "a segment")
    for _ in 0..<count {
      let start = cursor.position
      let name = try cursor.read(16, "the name of a section").prefix { $0 != 0 }
      let segment = try cursor.read(16, "the name of a segment").prefix { $0 != 0 }
      _ = try cursor.read(width, "a section")
      let size = try cursor.count(width, "the size of a section")
      let offset = try cursor.count(4, "the offset of a section")
      _ = try cursor.read(isWide ? 28 : 24, "a section")
      guard segment.elementsEqual("__TEXT".utf8),
        let list = names.first(where: { name.elementsEqual($0.utf8) }), size > 0
      else { continue }
      guard offset <= cursor.bytes.count - base, size <= cursor.bytes.count - base - offset else {
        throw ArchiveError(
          .truncated, "the section \(list) extends beyond the end of the program", offset: start)
      }
      found[list] = base + offset..<base + offset + size
    }
  }
}
