// The shared strings of a typedstream whose bytes are given back while it is read.

import Basics

/// Copies of strings, which stay where they are.
///
/// One thread adds to it; others may read what they were given.
final class StreamTexts: @unchecked Sendable {
  private static let chunkSize = 1 << 16

  private var chunks: [UnsafeMutableRawBufferPointer] = []
  /// How many bytes of the last chunk are taken.
  private var filled = 0

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Copies bytes to where they stay as long as this does.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if bytes.count > (chunks.last?.count ?? 0) - filled {
      let size = max(bytes.count, Self.chunkSize)
      chunks.append(UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1))
      filled = 0
    }
    let place = UnsafeMutableRawBufferPointer(
      rebasing: chunks[chunks.count - 1][filled..<filled + bytes.count])
    place.copyMemory(from: bytes)
    filled += bytes.count
    return UnsafeRawBufferPointer(place)
  }
}
