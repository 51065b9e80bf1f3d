// Bookmark data of macOS and iOS: a header, items, and tables of contents that give keys to items.
//
// Format facts: mac_alias, "Mac Bookmark Format"; Mac::Alias, "Notes on the macOS alias file format".

import Basics
import ObjectGraph

/// Reads bookmarks and the alias files of Finder into documents: a dictionary of what the tables name.
public struct BookmarkReader: ~Copyable {
  /// How deep arrays and dictionaries may lie in one another; real ones are one or two deep.
  private static let deepest = 64
  /// The second word of a table of contents.
  private static let tableMark: UInt32 = 0xFFFF_FFFE

  let bytes: UnsafeRawBufferPointer
  /// Where offsets are counted from: the end of the header.
  let start: Int
  let fileOffset: Int?
  var builder: GraphBuilder
  /// The items that were read, by offset: shared ones are read once.
  var known: [Int: UInt32] = [:]
  /// The items that are being read.
  var open: Set<Int> = []
  var depth = 0
  /// How many bytes of tables and items were read; those of a sound bookmark do not overlap.
  private var bytesRead = 0

  /// Reads a bookmark.
  ///
  /// - Parameters:
  ///   - bytes: all of it, from its magic number.
  ///   - fileOffset: where it lies in the input file, if it lies there as it is.
  /// - Returns: a document whose top is a dictionary.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?
  ) throws(ArchiveError) -> Document {
    let start = try headerEnd(bytes, fileOffset)
    var reader = BookmarkReader(
      bytes: bytes, start: start, fileOffset: fileOffset, builder: GraphBuilder(capacity: 1024))
    let top = try reader.tables()
    return reader.finish(top)
  }

  private init(
    bytes: UnsafeRawBufferPointer, start: Int, fileOffset: Int?, builder: consuming GraphBuilder
  ) {
    self.bytes = bytes
    self.start = start
    self.fileOffset = fileOffset
    self.builder = builder
  }

  private consuming func finish(_ top: UInt32) -> Document {
    builder.finish(top: top, encoding: .bookmark)
  }

  /// The size of the header: at 12 in bookmark data, at 16 in alias files, whose third word is `mark`.
  private static func headerEnd(
    _ bytes: UnsafeRawBufferPointer, _ fileOffset: Int?
  ) throws(ArchiveError) -> Int {
    let place = bytes.dropFirst(8).starts(with: "mark".utf8) ? 16 : 12
    guard bytes.count >= place + 4 else {
      throw ArchiveError(
        .truncated, "a bookmark has a header of 48 bytes, found \(bytes.count)",
        offset: fileOffset)
    }
    let size = Int(
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    guard size >= place + 4, size <= bytes.count else {
      throw ArchiveError(
        .malformed,
        "the bookmark's header should end within its \(bytes.count) bytes, not at \(size)",
        offset: fileOffset.map { $0 + place })
    }
    return size
  }

  // MARK: Tables of contents

  /// Reads all tables: the entries of the first, and each further table as a dictionary under its number.
  private mutating func tables() throws(ArchiveError) -> UInt32 {
    var next = Int(try word(0))
    var seen: Set<Int> = []
    mark(next)
    builder.open()
    while next != 0 || seen.isEmpty {
      guard seen.insert(next).inserted else {
        throw problem("the bookmark's tables of contents lead back to one that was met", at: next)
      }
      next = try table(at: next, isFirst: seen.count == 1)
    }
    return builder.closeDictionary()
  }

  /// Reads a table.
  ///
  /// - Returns: the offset of the next, 0 if there is none.
  private mutating func table(at offset: Int, isFirst: Bool) throws(ArchiveError) -> Int {
    guard try word(offset + 4) == Self.tableMark else {
      throw problem("a table of contents begins with its size and 0xfffffffe", at: offset)
    }
    let number = try word(offset + 8)
    let next = Int(try word(offset + 12))
    let count = Int(try word(offset + 16))
    guard count <= (bytes.count - start) / 12 else {
      throw problem("a table of \(count) entries does not fit into the bookmark", at: offset + 16)
    }
    try spend(20 + count * 12, at: offset)
    if !isFirst {
      mark(offset)
      builder.append(builder.add("table \(number)"))
      builder.open()
    }
    for position in 0..<count { try entry(at: offset + 20 + position * 12) }
    if !isFirst {
      let dictionary = builder.closeDictionary()
      builder.append(dictionary)
    }
    return next
  }

  private mutating func entry(at offset: Int) throws(ArchiveError) {
    let key = try word(offset)
    let item = Int(try word(offset + 4))
    let name: UInt32
    mark(offset)
    if key & 0x8000_0000 != 0 {
      name = try text(at: Int(key & 0x7FFF_FFFF))
    } else {
      name = builder.add(BookmarkKey.name(key))
    }
    let value = try value(at: item)
    builder.append(name)
    builder.append(value)
  }

  /// The string that is the name of a key.
  private mutating func text(at offset: Int) throws(ArchiveError) -> UInt32 {
    guard try item(at: offset).type == 0x0101 else {
      throw problem("the name of a bookmark's key must be a string", at: offset)
    }
    return try value(at: offset)
  }

  // MARK: Items

  /// The type of an item and where its content is.
  func item(at offset: Int) throws(ArchiveError) -> (type: UInt32, content: Range<Int>) {
    let length = Int(try word(offset))
    let type = try word(offset + 4)
    let from = start + offset + 8
    guard length <= bytes.count - from else {
      throw problem(
        "an item of \(length) bytes goes beyond the bookmark's \(bytes.count)", at: offset,
        .truncated)
    }
    return (type, from..<from + length)
  }

  /// Adds the value of an item.
  mutating func value(at offset: Int) throws(ArchiveError) -> UInt32 {
    if let index = known[offset] { return index }
    guard open.insert(offset).inserted else {
      throw problem("an item of the bookmark holds itself", at: offset, .cycle)
    }
    guard depth < Self.deepest else {
      throw problem("items lie over \(Self.deepest) deep in one another", at: offset, .limit)
    }
    depth += 1
    defer { depth -= 1 }
    let (type, content) = try item(at: offset)
    try spend(8 + content.count, at: offset)
    mark(offset)
    let index = try add(type, content, at: offset)
    open.remove(offset)
    known[offset] = index
    return index
  }

  /// Records that the values which follow are from an offset.
  mutating func mark(_ offset: Int) {
    if let fileOffset { builder.sourceOffset = fileOffset + start + offset }
  }

  /// Counts bytes that are read: items that overlap would multiply beyond the size of the bookmark.
  private mutating func spend(_ count: Int, at offset: Int) throws(ArchiveError) {
    bytesRead += count
    guard bytesRead <= bytes.count else {
      throw problem("the tables and items of the bookmark overlap", at: offset)
    }
  }

  /// The word of four bytes at an offset from the end of the header.
  func word(_ offset: Int) throws(ArchiveError) -> UInt32 {
    guard offset >= 0, offset <= bytes.count - start - 4 else {
      throw problem(
        "the offset \(offset) leads beyond the bookmark's \(bytes.count) bytes", at: offset,
        .truncated)
    }
    return UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self))
  }

  /// A problem at an offset from the end of the header.
  func problem(
    _ message: String, at offset: Int, _ code: ArchiveError.Code = .malformed
  ) -> ArchiveError {
    let place = min(start + offset, bytes.count)
    return ArchiveError(code, message, offset: fileOffset.map { $0 + place })
  }
}
