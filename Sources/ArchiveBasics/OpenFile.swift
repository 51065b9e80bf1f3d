// An open file, closed when nobody needs it.

/// A file's descriptor; closed with the last reference.
package final class OpenFile: Sendable {
  /// The descriptor, which is closed with the last reference.
  package let descriptor: Int32

  /// Takes over a descriptor.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Opens a file by its path; nil if that fails, for the reason in `errno`.
  package convenience init?(_ path: String, _ flags: Int32 = O_RDONLY, mode: mode_t = 0) {
    let descriptor = retryingInterrupts { open(path.asPath, flags | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { return nil }
    self.init(descriptor: descriptor)
  }

  deinit { _ = close(descriptor) }

  /// The bytes from an offset on, at most so many; nil if they cannot be read.
  package func bytes(_ most: Int, at offset: Int = 0) -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      count = retryingInterrupts { pread(descriptor, buffer.baseAddress, most, off_t(offset)) }
      filled = max(count, 0)
    }
    return count < 0 ? nil : bytes
  }

  /// The status of the file.
  package func status() throws(ArchiveError) -> stat {
    try FileStatus(of: descriptor).orSystemError(.inputOutput, "cannot inspect the file")
  }

  /// The file's bytes.
  package func contents() throws(ArchiveError) -> ByteStorage {
    try ByteStorage.open(descriptor: descriptor)
  }

  /// Writes bytes, all of them.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  package func write(_ bytes: ByteView) throws(ArchiveError) {
    if let problem = OutputBuffer.writeAll(bytes, descriptor) { throw problem }
  }

  /// Writes the bytes of a storage, all of them.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  package func write(_ storage: ByteStorage) throws(ArchiveError) { try write(storage.bytes) }
}
