// The bytes of a document on their way to libxml2, which asks for a few thousand at a time.

import Basics

/// Hands out the bytes of a document in pieces.
///
/// libxml2 parses them as it parses a file: it copies a piece, not the document. Behind it the bytes are not needed any
/// more.
struct XMLPieces {
  private let bytes: UnsafeRawBufferPointer
  /// What owns the bytes and gives them back; nil if they are needed later.
  private let storage: ByteStorage?
  private var position = 0
  /// Where bytes are given back next.
  private var threshold: Int

  private static let step = 4 << 20

  init(of bytes: UnsafeRawBufferPointer, from storage: ByteStorage?) {
    self.bytes = bytes
    self.storage = storage
    threshold = storage == nil ? .max : Self.step
  }

  /// Copies the next bytes.
  ///
  /// - Parameter room: how many are asked for.
  /// - Returns: how many they are; fewer only at the end.
  mutating func next(into buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
    let count = min(max(room, 0), bytes.count - position)
    guard count > 0, let base = bytes.baseAddress else { return 0 }
    UnsafeMutableRawPointer(buffer).copyMemory(from: base + position, byteCount: count)
    position += count
    if position >= threshold {
      storage?.giveBack(before: position)
      threshold = position + Self.step
    }
    return count
  }
}
