// Resolving a relative URL reference against a base: RFC 3986 section 5.2.

/// The five parts of a URL reference (RFC 3986 section 3 and appendix B).
package struct URLReference {
  package var scheme: String?
  package var authority: String?
  package var path = ""
  package var query: String?
  package var fragment: String?

  /// Takes a reference apart; any text has its parts.
  ///
  /// The marks between them are octets: one counts also where a combining character follows it.
  package init(_ text: String) {
    var rest = Substring(text)
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.utf8.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon].utf8) {
      scheme = String(rest[..<colon])
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
      let end = rest.utf8[start...].firstIndex(of: Self.slash) ?? rest.endIndex
      authority = String(rest[start..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  private static let slash = UInt8(ascii: "/")

  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, first > UInt8(ascii: "9") else { return false }
    return PercentEncoding.isLetterOrDigit(first)
      && text.allSatisfy { PercentEncoding.isLetterOrDigit($0) || "+-.".utf8.contains($0) }
  }

  /// Whether a text has no characters but those of a reference (RFC 3986 section 2), and each `%` begins an octet.
  package static func isWellFormed(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.allSatisfy { position in
      if bytes[position] == UInt8(ascii: "%") {
        let digits = bytes[(position + 1)...].prefix(2)
        return digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      }
      return PercentEncoding.isLetterOrDigit(bytes[position])
        || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(bytes[position])
    }
  }

  /// The target of a reference, as text.
  package static func resolve(_ reference: String, against base: String) -> String {
    var target = URLReference(reference)
    let base = URLReference(base)
    if target.scheme == nil {
      target.scheme = base.scheme
      if target.authority == nil {
        target.authority = base.authority
        if target.path.isEmpty {
          target.path = base.path
          target.query = target.query ?? base.query
        } else {
          target.path = withoutDots(
            target.path.utf8.first == slash ? target.path : base.merge(target.path))
        }
      }
    }
    return target.text
  }

  /// RFC 3986 section 5.2.3.
  private func merge(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: Self.slash) else { return relative }
    return path[...slash] + relative
  }

  /// RFC 3986 section 5.2.4.
  private static func withoutDots(_ path: String) -> String {
    var segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
      .map { Substring($0) }[...]
    while let first = segments.first, first == "." || first == ".." { segments.removeFirst() }
    // The part before the first slash has no preceding segment; every other segment has the one before it.
    var output = segments.popFirst().map { [String($0)] } ?? []
    for (position, segment) in segments.enumerated() {
      let isLast = position == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("/") }
      case "..":
        if !output.isEmpty { output.removeLast() }
        if isLast { output.append("/") }
      default: output.append("/" + segment)
      }
    }
    return output.joined()
  }

  /// The reference as text.
  package var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
      + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
  }
}

// MARK: - Percent-encoded octets in URIs: RFC 3986 section 2.1

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
    var output: [UInt8] = []
    for byte in bytes {
      if isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
        output.append(byte)
      } else {
        output += ("%" + hexadecimal(byte).uppercased()).utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
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
  ///
  /// - Parameter keepsOthers: whether a `%` without two hexadecimal digits stays as it is.
  package static func decoded(_ text: String, keepsOthers: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let value = byte == UInt8(ascii: "%") ? UInt8(hexadecimal: rest.prefix(2)) : byte
      guard value != nil || keepsOthers else { return nil }
      if byte == UInt8(ascii: "%"), value != nil { rest = rest.dropFirst(2) }
      bytes.append(value ?? byte)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
