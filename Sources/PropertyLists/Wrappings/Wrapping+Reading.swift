// How each wrapping is read.

import Basics
import ObjectGraph

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
