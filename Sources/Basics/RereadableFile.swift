// A file that was read, and can be read again as long as it does not change.

/// An open file whose first bytes are in memory.
final class RereadableFile: @unchecked Sendable {
  private let descriptor: Int32
  /// The file when it was opened.
  private let status: stat

  /// Takes over a descriptor of a regular file.
  init(taking descriptor: Int32, _ status: stat) {
    self.descriptor = descriptor
    self.status = status
  }

  deinit { _ = close(descriptor) }

  /// The error of a file that is not what it was.
  static var changed: ArchiveError {
    ArchiveError(.inputOutput, "the file changed while it was read; run the command again")
  }

  /// Whether a file was written between two looks at it.
  static func hasChanged(_ old: stat, _ new: stat) -> Bool {
    #if canImport(Darwin)
      let (before, after) = (old.st_mtimespec, new.st_mtimespec)
    #else
      let (before, after) = (old.st_mtim, new.st_mtim)
    #endif
    return old.st_size != new.st_size || before.tv_sec != after.tv_sec
      || before.tv_nsec != after.tv_nsec
  }

  /// Reads the first bytes again.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) {
    guard let base = buffer.baseAddress else { return }
    var filled = 0
    while filled < buffer.count {
      let count = retryingInterrupts {
        pread(descriptor, base + filled, buffer.count - filled, off_t(filled))
      }
      if count < 0 { throw ArchiveError(.inputOutput, "cannot read: \(systemMessage())") }
      if count == 0 { throw Self.changed }
      filled += count
    }
    var later = stat()
    guard fstat(descriptor, &later) == 0, !Self.hasChanged(status, later) else {
      throw Self.changed
    }
  }
}
