// Percent-encoded octets in URIs: RFC 3986 section 2.1.

/// Bytes as `%41`.
package enum PercentEncoding {
  /// Whether a byte is a letter or a digit of ASCII.
  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The text with all octets encoded but letters, digits, `-._~` and some others.
  ///
  /// - Parameter kept: the characters that stay; by default those of a path or a fragment (RFC 3986 section 3.3).
  package static func encoded(_ text: String, keeping kept: String = "!$&'()*+,;=:@/") -> String {
    encoded(bytes: text.utf8, keeping: kept)
  }

  /// Bytes of a path in a URI.
  package static func encoded(bytes: some Sequence<UInt8>, keeping kept: String) -> String {
    var output = ""
    for byte in bytes {
      if isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
        output.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        output += "%" + hexadecimal(byte).uppercased()
      }
    }
    return output
  }

  /// A URI as all that are equivalent to it: scheme and host in small letters, octets decoded that need no encoding,
  /// others in capital digits (RFC 3986 section 6.2.2).
  package static func normalized(_ uri: String) -> String {
    var parts = URLReference(uri)
    parts.scheme = parts.scheme?.lowercased()
    parts.authority = parts.authority?.lowercased()
    guard parts.path.contains("%") else { return parts.text }
    var path = ""
    var rest = Substring(parts.path)
    while let character = rest.popFirst() {
      guard character == "%", let byte = UInt8(rest.prefix(2), radix: 16) else {
        path.append(character)
        continue
      }
      rest = rest.dropFirst(2)
      if isLetterOrDigit(byte) || "-._~".utf8.contains(byte) {
        path.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        path += "%" + hexadecimal(byte).uppercased()
      }
    }
    parts.path = path
    return parts.text
  }

  /// The text with its octets decoded; nil if an octet is malformed, or if they are not UTF-8.
  package static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next(), let low = rest.next(),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
