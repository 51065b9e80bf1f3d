// UUIDs in text (RFC 4122, section 3): any version, any variant.

/// The format `uuid`.
enum UniqueIdentifiers {
  /// Thirty-two hexadecimal digits with dashes at their places.
  static func isUUID(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimalDigit
    }
  }
}
