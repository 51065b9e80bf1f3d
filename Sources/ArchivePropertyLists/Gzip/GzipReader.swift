// gzip (RFC 1952): archives that a backup or a cache compressed, taken out of their wrapping.

import ArchiveBasics
internal import CZLib

/// Decompresses gzip members.
package enum GzipReader {
  private static let leastBeginning = 4096

  /// What came out of gzip-compressed bytes.
  package struct Contents {
    /// The decompressed bytes.
    package let storage: ByteStorage
    /// The number of bytes after the last member.
    package let surplus: Int
    /// The number of members that were read.
    package let memberCount: Int
    /// What ended decompression too early, if that was allowed to happen.
    package let loss: ArchiveError?
  }

  /// Decompresses all members that follow one another.
  ///
  /// - Parameters:
  ///   - bytes: gzip members, beginning with the first.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limit: how many bytes may come out.
  ///   - recovering: whether what comes out before a fault is enough.
  ///   - isWanted: examines the first 4,096 bytes or more that come out; if they are not wanted, the rest is left.
  /// - Throws: `ArchiveError` if a member is damaged or cut short, or with code `limit`.
  package static func read(
    _ bytes: ByteView, fileOffset: Int?, limit: Int, recovering: Bool = false,
    isWanted: (ByteView) -> Bool = { _ in true }
  ) throws(ArchiveError) -> Contents {
    let library = try ZLib.load()
    var stream = z_stream()
    guard
      library.begin(
        &stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw ArchiveError(.unsupported, "zlib cannot be started") }
    defer { _ = library.end(&stream) }
    var output = ByteBuffer(capacity: min(max(bytes.count, 64) * 4, limit) + pieceSize)
    var position = 0
    var memberCount = 0
    var loss: ArchiveError?
    repeat {
      do {
        guard
          let size = try member(
            bytes, from: position, &stream, library, limit, &output, isWanted)
        else { break }
        position += size
        memberCount += 1
      } catch {
        guard recovering, error.code != .limit, output.count > 0 else {
          throw error.shifted(by: fileOffset)
        }
        loss = error.shifted(by: fileOffset)
        position = bytes.count
      }
      // Members follow each other; anything else is not gzip.
      guard bytes.part(from: position).starts(with: [0x1F, 0x8B, 8]),
        library.reset(&stream) == Z_OK
      else { break }
    } while true
    return Contents(
      storage: output.intoStorage(), surplus: bytes.count - position, memberCount: memberCount,
      loss: loss)
  }

  /// Decompresses one member.
  ///
  /// - Returns: how many bytes it took; nil if what comes out is not wanted.
  private static func member(
    _ bytes: ByteView, from start: Int, _ stream: inout z_stream, _ library: ZLib,
    _ limit: Int, _ output: inout ByteBuffer, _ isWanted: (ByteView) -> Bool
  ) throws(ArchiveError) -> Int? {
    var consumed = 0
    while true {
      // zlib counts in 32 bits: larger data is passed in parts.
      let input = ByteView(rebasing: bytes[(start + consumed)...].prefix(1 << 30))
      let before = output.count
      let status = stream.run(library.decompress, Z_NO_FLUSH, input, to: &output)
      consumed += input.count - Int(stream.avail_in)
      if status == Z_STREAM_END { return consumed }
      if before < leastBeginning, output.count >= leastBeginning, !isWanted(output.bytes) {
        return nil
      }
      guard status == Z_OK else { throw problem(status, &stream, at: start + consumed) }
      guard output.count <= limit else {
        throw ArchiveError(
          .limit,
          "the compressed data expands beyond the limit for a file of this size; decompress it with gunzip",
          offset: start)
      }
    }
  }

  private static func problem(
    _ status: Int32, _ stream: inout z_stream, at offset: Int
  ) -> ArchiveError {
    if status == Z_BUF_ERROR {
      return ArchiveError(.truncated, "the gzip-compressed data ends too early", offset: offset)
    }
    let reason = stream.msg.map { String(cString: $0) } ?? "zlib's error \(status)"
    return ArchiveError(
      .malformed, "the gzip-compressed data is damaged: \(reason)", offset: offset)
  }
}

// MARK: - gzip (RFC 1952): an edited file that was compressed is compressed again

/// Compresses bytes.
package enum GzipWriter {
  /// Writes one gzip member with the header of another: its time, name, comment and level of compression.
  ///
  /// - Throws: `ArchiveError` if the header is cut, or as `write` does.
  package static func write(
    _ bytes: ByteView, like old: ByteView
  ) throws(ArchiveError) -> ByteStorage {
    guard let header = GzipHeader(old) else {
      throw ArchiveError(.truncated, "the header of the gzip-compressed data ends too early")
    }
    let plain = try write(bytes, level: header.level)
    var output = ByteBuffer(capacity: header.byteCount + plain.bytes.count)
    output.append(old.part(0..<header.byteCount))
    withExtendedLifetime(plain) {
      output.append(plain.bytes.part(from: GzipHeader.leastBytes))
    }
    return output.intoStorage()
  }

  /// Writes one gzip member without a name or a time.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if zlib is not installed.
  package static func write(_ bytes: ByteView) throws(ArchiveError) -> ByteStorage {
    try write(bytes, level: Z_DEFAULT_COMPRESSION)
  }

  private static func write(
    _ bytes: ByteView, level: Int32
  ) throws(ArchiveError) -> ByteStorage {
    let library = try ZLib.load()
    var stream = z_stream()
    guard
      library.beginDeflate(
        &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
        ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw ArchiveError(.unsupported, "zlib cannot be started") }
    defer { _ = library.endDeflate(&stream) }
    var output = ByteBuffer(capacity: bytes.count / 2 + pieceSize)
    var consumed = 0
    while true {
      // zlib counts in 32 bits: larger data is passed in parts.
      let input = ByteView(rebasing: bytes[consumed...].prefix(1 << 30))
      let isLast = consumed + input.count == bytes.count
      let status = stream.run(
        library.compress, isLast ? Z_FINISH : Z_NO_FLUSH, input, to: &output)
      consumed += input.count - Int(stream.avail_in)
      if status == Z_STREAM_END { return output.intoStorage() }
      guard status == Z_OK || status == Z_BUF_ERROR else {
        throw ArchiveError(.unsupported, "zlib cannot compress the file (error \(status))")
      }
    }
  }
}

/// The header of a gzip member (RFC 1952, 2.3).
private struct GzipHeader {
  static let leastBytes = 10

  let byteCount: Int
  let level: Int32

  /// Measures the header at the beginning of a member; nil if it is cut.
  init?(_ bytes: ByteView) {
    guard bytes.count >= Self.leastBytes else { return nil }
    let flags = bytes[3]
    var position = Self.leastBytes
    // FEXTRA has a length; FNAME and FCOMMENT end with a zero; FHCRC has two bytes.
    if flags & 4 != 0 {
      guard position + 2 <= bytes.count else { return nil }
      position += 2 + Int(bytes[position]) + Int(bytes[position + 1]) << 8
    }
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      guard position < bytes.count, let end = bytes[position...].firstIndex(of: 0) else {
        return nil
      }
      position = end + 1
    }
    if flags & 2 != 0 { position += 2 }
    guard position <= bytes.count else { return nil }
    byteCount = position
    // XFL: the slowest and the fastest algorithm.
    level =
      bytes[8] == 2 ? Z_BEST_COMPRESSION : bytes[8] == 4 ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION
  }
}

/// 15 bits of window, and 16 for gzip's own header and check sum (zlib.h).
private let windowBits: Int32 = 15 + 16
private let pieceSize = 256 * 1024

extension z_stream {
  /// Passes bytes to a function of zlib, and appends a piece of what comes out at most.
  fileprivate mutating func run(
    _ function: @convention(c) (z_streamp?, Int32) -> Int32, _ mode: Int32,
    _ input: ByteView, to output: inout ByteBuffer
  ) -> Int32 {
    let room = output.reserve(pieceSize)
    next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self))
    avail_in = uInt(input.count)
    next_out = room.assumingMemoryBound(to: Bytef.self)
    avail_out = uInt(pieceSize)
    let status = function(&self, mode)
    output.filled(pieceSize - Int(avail_out))
    return status
  }
}

// MARK: - zlib, loaded when the first gzip-compressed input is read, as libxml2 is for XML

private typealias ZLib = archtool_zlib

extension ZLib {
  #if canImport(Darwin)
    private static let fileName = "libz.1.dylib"
  #else
    private static let fileName = "libz.so.1"
  #endif

  private static let loaded: ZLib? =
    SharedLibrary(linux: fileName, darwin: fileName)?.functions(archtool_zlib_names())

  /// The library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  fileprivate static func load() throws(ArchiveError) -> ZLib {
    try SharedLibrary.needed(loaded, "gzip needs zlib (\(fileName))")
  }
}
