// gzip (RFC 1952): an edited file that was compressed is compressed again.

import Basics
internal import CZLib

/// Compresses bytes.
public enum GzipWriter {
  private static let windowBits: Int32 = 15 + 16
  private static let pieceSize = 256 * 1024

  /// Writes one gzip member without a name or a time.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if zlib is not installed.
  public static func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> ByteStorage {
    let library = try ZLib.load()
    var stream = z_stream()
    guard
      library.beginDeflate(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
        ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw ArchiveError(.unsupported, "zlib cannot be started") }
    defer { _ = library.endDeflate(&stream) }
    var output = ByteBuffer(capacity: bytes.count / 2 + pieceSize)
    var consumed = 0
    while true {
      // zlib counts in 32 bits: larger data is passed in parts.
      let input = UnsafeRawBufferPointer(rebasing: bytes[consumed...].prefix(1 << 30))
      let isLast = consumed + input.count == bytes.count
      let room = output.reserve(pieceSize)
      stream.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self))
      stream.avail_in = uInt(input.count)
      stream.next_out = room.assumingMemoryBound(to: Bytef.self)
      stream.avail_out = uInt(pieceSize)
      let status = library.deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
      consumed += input.count - Int(stream.avail_in)
      output.filled(pieceSize - Int(stream.avail_out))
      if status == Z_STREAM_END { return output.intoStorage() }
      guard status == Z_OK || status == Z_BUF_ERROR else {
        throw ArchiveError(.unsupported, "zlib cannot compress the file (error \(status))")
      }
    }
  }
}
