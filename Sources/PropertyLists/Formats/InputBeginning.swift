// The beginning of an input, from which formats recognize their own.

import ObjectGraph

/// Examines the first bytes of an input; results that several formats need are computed once.
public struct InputBeginning {
  /// The bytes, from the first on.
  public let bytes: UnsafeRawBufferPointer
  private var textLook: Encoding??

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether the bytes begin with those of a text.
  public func starts(with text: StaticString) -> Bool { bytes.starts(with: text) }

  /// As which of XML, JSON and OpenStep property lists a text begins, or nil.
  mutating func textEncoding() -> Encoding? {
    if let textLook { return textLook }
    let found = TextFormatDetector.detect(bytes)
    textLook = .some(found)
    return found
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes begin with those of a text.
  package func starts(with text: StaticString) -> Bool {
    starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
