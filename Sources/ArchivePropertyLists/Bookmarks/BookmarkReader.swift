// Bookmark data of macOS and iOS: a header, items, and tables of contents that give keys to items.
//
// Format facts: mac_alias, "Mac Bookmark Format"; Mac::Alias, "Notes on the macOS alias file format".

import ArchiveBasics
import ArchiveGraph

/// Reads bookmarks and Finder's alias files into documents: a dictionary of the entries of their tables.
package struct BookmarkReader: ~Copyable {
  /// How deep arrays and dictionaries may be nested; real ones are one or two deep.
  private static let deepest = 64
  /// The second word of a table of contents.
  private static let tableMark: UInt32 = 0xFFFF_FFFE

  let bytes: ByteView
  /// Where offsets are counted from: the end of the header.
  let start: Int
  let fileOffset: Int?
  var builder: GraphBuilder
  /// The items that were read, by offset: shared ones are read only once.
  var known: [Int: UInt32] = [:]
  var open: Set<Int> = []
  var depth = 0
  /// How many bytes of tables and items were read; those of a sound bookmark do not overlap.
  private var bytesRead = 0

  /// Reads a bookmark.
  ///
  /// - Parameters:
  ///   - bytes: all of it, from its magic number.
  ///   - fileOffset: its position in the input file, if it is stored there in this form.
  /// - Returns: a document whose top is a dictionary.
  /// - Throws: `ArchiveError` at the first fault.
  package static func read(_ bytes: ByteView, fileOffset: Int?) throws(ArchiveError) -> Document {
    let start = try headerEnd(bytes, fileOffset)
    var reader = BookmarkReader(
      bytes: bytes, start: start, fileOffset: fileOffset, builder: GraphBuilder(capacity: 1024))
    let top = try reader.tables()
    return reader.builder.finish(top: top, encoding: .bookmark)
  }

  private init(bytes: ByteView, start: Int, fileOffset: Int?, builder: consuming GraphBuilder) {
    self.bytes = bytes
    self.start = start
    self.fileOffset = fileOffset
    self.builder = builder
  }

  /// The size of the header: at 12 in bookmark data, at 16 in alias files, whose third word is `mark`.
  private static func headerEnd(_ bytes: ByteView, _ fileOffset: Int?) throws(ArchiveError) -> Int {
    let location = bytes.dropFirst(8).starts(with: "mark".utf8) ? 16 : 12
    guard bytes.count >= location + 4 else {
      throw ArchiveError(
        .truncated, "a bookmark has a header of 48 bytes, found \(bytes.count)",
        offset: fileOffset)
    }
    let size = Int(
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: location, as: UInt32.self)))
    guard size >= location + 4, size <= bytes.count else {
      throw ArchiveError(
        .malformed,
        "the bookmark's header should end within its \(bytes.count) bytes, not at \(size)",
        offset: fileOffset.map { $0 + location })
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
        throw problem("the bookmark's tables of contents form a loop", at: next)
      }
      next = try table(at: next, isFirst: seen.count == 1)
    }
    return builder.closeDictionary()
  }

  /// Reads a table.
  ///
  /// - Returns: the offset of the next one, or 0.
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

  /// The string for the name of a key.
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
        "an item of \(length) bytes extends beyond the bookmark's \(bytes.count)", at: offset,
        .truncated)
    }
    return (type, from..<from + length)
  }

  mutating func value(at offset: Int) throws(ArchiveError) -> UInt32 {
    if let index = known[offset] { return index }
    guard open.insert(offset).inserted else {
      throw problem("an item of the bookmark contains itself", at: offset, .cycle)
    }
    guard depth < Self.deepest else {
      throw problem("items are nested more than \(Self.deepest) levels deep", at: offset, .limit)
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
        "the offset \(offset) is beyond the bookmark's \(bytes.count) bytes", at: offset,
        .truncated)
    }
    return UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self))
  }

  /// A problem at an offset from the end of the header.
  func problem(
    _ message: String, at offset: Int, _ code: ArchiveError.Code = .malformed
  ) -> ArchiveError {
    let location = min(start + offset, bytes.count)
    return ArchiveError(code, message, offset: fileOffset.map { $0 + location })
  }
}

// MARK: - The items of a bookmark by their types: the high byte is the kind, the low one its

extension BookmarkReader {
  mutating func add(
    _ type: UInt32, _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    let content = bytes.part(range)
    switch type {
    case 0x0101, 0x0901:
      guard let text = String(validating: content, as: UTF8.self) else {
        throw problem("a string of a bookmark must be UTF-8", at: offset)
      }
      return builder.add(text)
    case 0x0201: return builder.add(data: content)
    case 0x0301...0x0306: return try addNumber(type, content, at: offset)
    case 0x0400:
      let bits = try little(content, 8, at: offset)
      return builder.add(date: Double(bitPattern: bits.byteSwapped))
    case 0x0500: return builder.add(false)
    case 0x0501: return builder.add(true)
    case 0x0601:
      var indexes: [UInt32] = []
      for item in try offsets(range, at: offset) { indexes.append(try value(at: item)) }
      mark(offset)
      return builder.add(list: indexes)
    case 0x0701: return try addDictionary(range, at: offset)
    case 0x0801:
      guard content.count == 16 else {
        throw problem("a UUID has 16 bytes, found \(content.count)", at: offset)
      }
      return builder.add(uuidText(content))
    case 0x0902: return try addRelative(range, at: offset)
    case 0x0A01: return builder.addNull()
    default:
      // The number and the bytes of a type that is not known are kept.
      return builder.add(members: [
        ("type", builder.add(BookmarkKey.hexadecimal(type))), ("data", builder.add(data: content)),
      ])
    }
  }

  private mutating func addNumber(
    _ type: UInt32, _ content: ByteView, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    switch type {
    case 0x0301:
      return builder.add(Int64(Int8(truncatingIfNeeded: try little(content, 1, at: offset))))
    case 0x0302:
      return builder.add(Int64(Int16(truncatingIfNeeded: try little(content, 2, at: offset))))
    case 0x0303:
      return builder.add(Int64(Int32(truncatingIfNeeded: try little(content, 4, at: offset))))
    case 0x0304: return builder.add(Int64(bitPattern: try little(content, 8, at: offset)))
    case 0x0305:
      let bits = UInt32(truncatingIfNeeded: try little(content, 4, at: offset))
      return builder.add(Float(bitPattern: bits))
    default: return builder.add(Double(bitPattern: try little(content, 8, at: offset)))
    }
  }

  /// A number of some bytes, least significant first; the item must have exactly those.
  private func little(
    _ content: ByteView, _ width: Int, at offset: Int
  ) throws(ArchiveError) -> UInt64 {
    guard content.count == width else {
      throw problem("a number of \(width) bytes has \(content.count)", at: offset)
    }
    return content.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Containers

  /// The offsets that a container's content lists.
  private func offsets(_ range: Range<Int>, at offset: Int) throws(ArchiveError) -> [Int] {
    guard range.count % 4 == 0 else {
      throw problem("a list of offsets has \(range.count) bytes, no multiple of 4", at: offset)
    }
    var offsets: [Int] = []
    for location in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      offsets.append(Int(try word(location - start)))
    }
    return offsets
  }

  private mutating func addDictionary(
    _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    let items = try offsets(range, at: offset)
    guard items.count % 2 == 0 else {
      throw problem(
        "a dictionary has \(items.count) items, no keys and values in pairs", at: offset)
    }
    var indexes: [UInt32] = []
    for item in items { indexes.append(try value(at: item)) }
    mark(offset)
    return builder.add(
      pairs: stride(from: 0, to: indexes.count, by: 2).map { (indexes[$0], indexes[$0 + 1]) })
  }

  /// A URL relative to another: two offsets.
  private mutating func addRelative(
    _ range: Range<Int>, at offset: Int
  ) throws(ArchiveError) -> UInt32 {
    let items = try offsets(range, at: offset)
    guard items.count == 2 else {
      throw problem("a relative URL has a base and a reference, found \(items.count)", at: offset)
    }
    let base = try value(at: items[0])
    let relative = try value(at: items[1])
    mark(offset)
    return builder.add(members: [("base", base), ("relative", relative)])
  }
}

// MARK: - The numbers that tables of contents have for keys, and their names (mac_alias

private enum BookmarkKey {
  private static let names: [UInt32: String] = [
    0x1003: "url", 0x1004: "path", 0x1005: "fileIDs", 0x1010: "fileProperties",
    0x1020: "fileName", 0x1030: "fileID", 0x1040: "fileCreationDate", 0x2000: "tocPath",
    0x2002: "volumePath", 0x2005: "volumeURL", 0x2010: "volumeName", 0x2011: "volumeUUID",
    0x2012: "volumeSize", 0x2013: "volumeCreationDate", 0x2020: "volumeProperties",
    0x2030: "volumeIsRoot", 0x2040: "volumeBookmark", 0x2050: "volumeMountPoint",
    0xC001: "containingFolder", 0xC011: "userName", 0xC012: "userID",
    0xD001: "wasFileReference", 0xD010: "creationOptions", 0xE003: "urlLengths",
    0xF017: "displayName", 0xF020: "iconData", 0xF021: "iconReference",
    0xF022: "typeBindingData", 0xF030: "creationTime", 0xF080: "securityExtension",
    0xF081: "securityExtensionReadOnly", 0xFE00: "aliasData",
  ]

  /// The name of a key; its number in hexadecimal if it is not known.
  static func name(_ key: UInt32) -> String {
    names[key] ?? hexadecimal(key)
  }

  /// A number as `0xf017`.
  static func hexadecimal(_ number: UInt32) -> String {
    "0x" + String(number, radix: 16, width: 4)
  }
}

// MARK: - Bookmarks as a format

extension Encoding {
  /// A bookmark of a file, or an alias file.
  package static let bookmark = Encoding("bookmark", .translated)
}

/// Bookmark data, and the alias files of Finder; opened within other archives, too.
enum BookmarkFormat: PropertyListFormat {
  static let encoding = Encoding.bookmark
  static let word = "bookmark"

  /// `book` or `alis` with a version as the third word, or with `mark`.
  static func opensContent(_ bytes: ByteView) -> Bool {
    guard bytes.count > 16, bytes.starts(with: "book") || bytes.starts(with: "alis") else {
      return false
    }
    let third = bytes.part(8..<12)
    return third.starts(with: "mark") || third[0] == 0 && third[1] == 0 && third[3] == 0x10
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    FormatReading(try BookmarkReader.read(input.bytes, fileOffset: input.fileOffset))
  }
}
