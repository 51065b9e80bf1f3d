// What a wrapping holds.

import Basics
import ObjectGraph

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

// MARK: - How each wrapping is read

extension Wrapping {
  /// The content of bytes with this wrapping, other than compressed ones, whose content has a limit of its own.
  ///
  /// - Throws: `ArchiveError` if they are damaged; its offset counts from the first of the bytes.
  public func content(of bytes: UnsafeRawBufferPointer) throws(ArchiveError) -> WrappedContent {
    switch self {
    case .signature: try SignedContent.read(bytes)
    case .base64, .hexadecimal: try TextualContent.read(bytes, as: self)
    case .gzip: WrappedContent(part: bytes, at: 0)
    }
  }
}
