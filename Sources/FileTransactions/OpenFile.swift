// An open file, closed when nobody needs it.

import Basics

/// A file's descriptor; closed with the last reference.
package final class OpenFile: Sendable {
  let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  /// The status of the file.
  func status() throws(ArchiveError) -> stat {
    guard let status = FileStatus(of: descriptor) else {
      throw ArchiveError(.inputOutput, "cannot inspect the file: \(systemMessage())")
    }
    return status
  }

  /// The file's bytes.
  package func contents() throws(ArchiveError) -> ByteStorage {
    try ByteStorage.open(descriptor: descriptor)
  }

  /// Writes bytes, all of them.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let count = retryingInterrupts { systemWrite(descriptor, rest) }
      guard count > 0 else {
        throw ArchiveError(.inputOutput, "cannot write: \(systemMessage())")
      }
      start += count
    }
  }

  /// Makes the file's bytes durable.
  func synchronise() throws(ArchiveError) {
    if !Durability.synchronise(descriptor) {
      throw ArchiveError(.inputOutput, "cannot save: \(systemMessage())")
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
