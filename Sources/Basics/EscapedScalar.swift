// Characters in paths as RFC 9535 escapes them: `\u` and four hexadecimal digits, two of them for those beyond U+FFFF.

/// A character behind `\u`.
package enum EscapedScalar {
  /// Reads a character whose `\u` was read already.
  ///
  /// - Parameter position: where its digits begin, and then where they have ended.
  /// - Throws: `ArchiveError` with code `malformed` if digits are missing, or half of a surrogate pair.
  package static func read(
    _ scalars: [Unicode.Scalar], _ position: inout Int
  ) throws(ArchiveError) -> Unicode.Scalar {
    let lead = try unit(scalars, &position)
    if let scalar = Unicode.Scalar(lead) { return scalar }
    guard lead < 0xDC00, scalars[position...].starts(with: ["\\", "u"]) else {
      throw ArchiveError(.malformed, "half of a surrogate pair", offset: position)
    }
    position += 2
    let trail = try unit(scalars, &position)
    guard (0xDC00..<0xE000).contains(trail),
      let pair = Unicode.Scalar(0x10000 + (lead & 0x3FF) << 10 + trail & 0x3FF)
    else { throw ArchiveError(.malformed, "half of a surrogate pair", offset: position) }
    return pair
  }

  private static func unit(
    _ scalars: [Unicode.Scalar], _ position: inout Int
  ) throws(ArchiveError) -> UInt32 {
    let digits = scalars[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let number = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw ArchiveError(.malformed, "\\u needs four hexadecimal digits", offset: position) }
    position += 4
    return number
  }
}
