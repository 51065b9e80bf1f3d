// The part that is left of a string whose end is lost.

/// Reads and marks the beginnings of strings in damaged files.
package enum PartialText {
  /// A text with a mark that says how much of it is there.
  ///
  /// - Parameter unit: what is counted, in the plural.
  package static func marked(
    _ part: String, _ found: Int, of count: UInt64, _ unit: String
  ) -> String {
    "\(part)… ⟨\(found) of \(count) \(unit)⟩"
  }

  /// The beginning of a string in UTF-8, without the bytes of a character that is cut; nil if it is no text.
  package static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? {
    for missing in 0..<min(4, bytes.count + 1) {
      let whole = UnsafeRawBufferPointer(rebasing: bytes.dropLast(missing))
      // Only the beginning of a character may be left out.
      if missing > 0 {
        guard bytes[whole.count] >= 0x80 else { return nil }
        if bytes[whole.count] < 0xC2 { continue }
      }
      if let text = String(validating: whole, as: UTF8.self) {
        return isPlausible(text) ? text : nil
      }
    }
    return nil
  }

  /// Whether a text has no control characters but those that divide lines and columns.
  package static func isPlausible(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: true
      case ..<0x20, 0x7F..<0xA0, 0xFFFE...0xFFFF: false
      default: true
      }
    }
  }
}
