// A database in memory with the pages of its write-ahead log (Database File Format, section 4), as a checkpoint would
// leave it.

import ArchiveBasics

final class DatabaseImage {
  /// The bytes, as long as this lives.
  let bytes: UnsafeMutableRawBufferPointer

  /// The numbers of the file format's versions for writing and reading, which are 2 with a write-ahead log.
  private static let versions = 18...19

  /// Copies a database, and what its log has committed.
  ///
  /// - Parameters:
  ///   - log: the bytes of the log; nil without one.
  ///   - limit: the most bytes that both may make.
  /// - Throws: `ArchiveError` with code `limit`.
  init(copying database: ByteView, log: ByteView?, limit: Int) throws(ArchiveError) {
    let log = log.flatMap { WriteAheadLog($0) }
    let count = log?.byteCount ?? database.count
    guard count <= max(limit, database.count) else {
      throw ArchiveError(.limit, "the database would have \(count) bytes with its log")
    }
    // Pages that nothing is written to take no memory.
    guard let start = calloc(max(count, 1), 1) else {
      throw ArchiveError(.limit, "the database of \(count) bytes does not fit into memory")
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
    let common = min(count, database.count)
    bytes.copyMemory(from: database.part(0..<common).unchecked)
    if let log { log.write(into: bytes) }
    // In memory there is no log beside it, so it must not say that there is one.
    for position in Self.versions where position < count && bytes[position] == 2 {
      bytes[position] = 1
    }
  }

  deinit { free(bytes.baseAddress) }
}

/// The committed pages of a write-ahead log.
struct WriteAheadLog {
  /// A page, and where its bytes are in the log.
  private struct Frame {
    let page: Int
    let position: Int
  }

  private static let (headerSize, frameHeaderSize) = (32, 24)
  /// How a log begins whose checksums are of numbers with the least significant byte first; plus 1 for the other order.
  private static let magic: UInt64 = 0x377F_0682
  private static let version: UInt64 = 3_007_000

  /// How many bytes the database has with them.
  let byteCount: Int
  private let log: ByteView
  private let pageSize: Int
  /// The committed frames, in order.
  private let frames: [Frame]

  /// Finds what is committed; nil if nothing is, as in a log that was left over or never finished.
  init?(_ log: ByteView) {
    var cursor = ByteCursor(log, at: 0, of: "log", isBigEndian: true)
    guard let magic = try? cursor.number(4, "magic number"), magic & ~1 == Self.magic,
      let version = try? cursor.number(4, "version"), version == Self.version,
      let pageSize = try? cursor.count(4, "page size"), (512...65536).contains(pageSize),
      pageSize.nonzeroBitCount == 1, (try? cursor.read(4, "sequence number")) != nil,
      let salt = try? cursor.number(8, "salt"), let sum = try? cursor.number(8, "checksum")
    else { return nil }
    var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
    checksum.add(log.part(0..<Self.headerSize - 8))
    guard checksum.value == sum else { return nil }
    var (frames, committed, pageCount): ([Frame], Int, Int) = ([], 0, 0)
    while let page = try? cursor.count(4, "page"), let size = try? cursor.count(4, "size"),
      let frameSalt = try? cursor.number(8, "salt"), let sum = try? cursor.number(8, "checksum"),
      let content = try? cursor.read(pageSize, "page"), page > 0, frameSalt == salt
    {
      let position = cursor.position - pageSize
      let start = position - Self.frameHeaderSize
      checksum.add(log.part(start..<start + 8))
      checksum.add(content)
      guard checksum.value == sum else { break }
      frames.append(Frame(page: page, position: position))
      // The last frame of a transaction has the number of the database's pages.
      if size > 0 { (committed, pageCount) = (frames.count, size) }
    }
    guard committed > 0 else { return nil }
    frames.removeLast(frames.count - committed)
    (self.log, self.pageSize, self.frames) = (log, pageSize, frames)
    byteCount = pageCount * pageSize
  }

  /// Writes the pages to their places.
  func write(into bytes: UnsafeMutableRawBufferPointer) {
    for frame in frames {
      let start = (frame.page - 1) * pageSize
      // A later transaction may have made the database shorter.
      guard start + pageSize <= bytes.count else { continue }
      let page = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + pageSize])
      page.copyMemory(from: log.part(frame.position..<frame.position + pageSize).unchecked)
    }
  }
}

/// The checksum of a log, which continues from frame to frame (section 4.2).
private struct LogChecksum {
  let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Both sums, the first one in the upper half.
  var value: UInt64 { UInt64(first) << 32 | UInt64(second) }

  /// Adds whole pairs of numbers.
  mutating func add(_ bytes: ByteView) {
    var position = 0
    while position + 8 <= bytes.count {
      first &+= word(bytes, position) &+ second
      second &+= word(bytes, position + 4) &+ first
      position += 8
    }
  }

  private func word(_ bytes: ByteView, _ position: Int) -> UInt32 {
    let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}
