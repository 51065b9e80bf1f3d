// Percent-encoded octets in URIs: RFC 3986 section 2.1.

/// The `%41` spelling of bytes.
enum PercentEncoding {
  /// The text with its octets decoded; nil if one is no octet, or they are no UTF-8.
  static func decoded(_ text: String) -> String? {
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
