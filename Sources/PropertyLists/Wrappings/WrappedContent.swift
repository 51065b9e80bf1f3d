// What a wrapping holds.

import Basics

/// The bytes that a wrapping holds.
public struct WrappedContent {
  /// The bytes.
  public let bytes: UnsafeRawBufferPointer
  /// What keeps them alive, if they are not a part of the input.
  public let storage: ByteStorage?
  /// Where they begin in the bytes with the wrapping; nil if they are not stored there as they are.
  public let offset: Int?

  /// A part of the input.
  init(part bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.bytes = bytes
    storage = nil
    self.offset = offset
  }

  /// Where they begin in the bytes that offsets refer to from now on; `base` is where the bytes with the wrapping begin.
  public func fileOffset(from base: Int?) -> Int? {
    guard let offset else { return 0 }
    return base.map { $0 + offset }
  }

  /// Bytes that were decoded.
  public init(decoded storage: ByteStorage) {
    bytes = storage.bytes
    self.storage = storage
    offset = nil
  }
}
