// Passwords and keys: bytes that are overwritten as soon as nobody needs them.

import ArchiveBasics

/// Bytes that are wiped with the last reference.
package final class SecretBytes: @unchecked Sendable {
  private let buffer: UnsafeMutableRawBufferPointer
  private let count: Int

  /// The bytes, which are valid as long as this is.
  package var bytes: ByteView { ByteView(buffer).part(0..<count) }

  /// Copies bytes.
  package init(copying bytes: ByteView) {
    buffer = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
    buffer.copyMemory(from: bytes.unchecked)
    count = bytes.count
  }

  /// Makes bytes.
  ///
  /// - Parameter fill: fills them; false if that fails, and then there are none.
  package init?(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    buffer = .allocate(byteCount: max(count, 1), alignment: 16)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    self.count = count
    guard fill(buffer) else { return nil }
  }

  deinit {
    Self.wipe(buffer)
    buffer.deallocate()
  }

  /// Overwrites bytes, even if nobody looks at them afterwards.
  package static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      _ = memset_s(start, bytes.count, 0, bytes.count)
    #else
      explicit_bzero(start, bytes.count)
    #endif
  }
}
