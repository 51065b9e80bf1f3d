// The part that is there of a string that the end of a typedstream cuts.

import ObjectGraph

/// The beginning of a string, and the length of the whole.
struct StreamPart {
  let bytes: UnsafeRawBufferPointer
  let count: UInt64

  /// Whether bytes can be the beginning of a string: the rest of a damaged stream may be anything.
  static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return false }
    return PartialText.utf8(bytes) != nil || PartialText.isPlausible(latin(bytes))
  }

  /// The text, with how much of it is there.
  var text: String {
    guard let text = PartialText.utf8(bytes) else { return marked(Self.latin(bytes), bytes.count) }
    return marked(text, text.utf8.count)
  }

  private func marked(_ text: String, _ found: Int) -> String {
    PartialText.marked(text, found, of: count, "bytes")
  }

  private static func latin(_ bytes: UnsafeRawBufferPointer) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
