// URIs and references to them (RFC 3986, appendix A), and IRIs (RFC 3987, section 2.2).

/// The formats `uri`, `uri-reference`, `iri` and `iri-reference`.
struct URIReferences {
  /// Whether characters beyond ASCII are accepted, as in IRIs.
  private let isUnicode: Bool

  /// Whether a text is a URI, or a relative reference if a scheme is optional.
  static func accepts(_ text: String, isUnicode: Bool, needsScheme: Bool) -> Bool {
    if isUnicode {
      guard text.unicodeScalars.allSatisfy({ $0.isASCII || isUniversal($0) || isPrivate($0) })
      else { return false }
    }
    let grammar = URIReferences(isUnicode: isUnicode)
    return grammar.accepts(Array(text.utf8)[...], needsScheme: needsScheme)
  }

  private func accepts(_ reference: ArraySlice<UInt8>, needsScheme: Bool) -> Bool {
    var rest = reference
    // A first segment with a colon is a scheme: relative references have no colon there (4.2).
    if let mark = rest.first(where: { Self.schemeEnds.contains($0) }), mark == UInt8(ascii: ":"),
      let (scheme, behind) = rest.cut(at: ":")
    {
      guard Self.isScheme(scheme) else { return false }
      rest = behind
    } else if needsScheme {
      return false
    }
    if let (before, fragment) = rest.cut(at: "#") {
      guard isText(fragment, with: "/?"), !hasPrivate(fragment) else { return false }
      rest = before
    }
    if let (before, query) = rest.cut(at: "?") {
      guard isText(query, with: "/?") else { return false }
      rest = before
    }
    guard !hasPrivate(rest) else { return false }
    if rest.starts(with: [0x2F, 0x2F]) {
      let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      guard isAuthority(authority) else { return false }
      rest = rest[authority.endIndex...]
    }
    return isText(rest, with: "/")
  }

  private static let schemeEnds = Array(":/?#".utf8)

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, first.isLetter else { return false }
    return bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  // MARK: - Authority

  private func isAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
    var rest = authority
    if let (userInformation, behind) = rest.cut(at: "@") {
      guard isName(userInformation, with: ":") else { return false }
      rest = behind
    }
    guard rest.first == UInt8(ascii: "[") else {
      guard let (name, port) = rest.cut(at: ":") else { return isName(rest, with: "") }
      return isName(name, with: "") && port.allSatisfy(\.isDigit)
    }
    guard let (literal, port) = rest.dropFirst().cut(at: "]") else { return false }
    guard IPAddresses.isVersion6(literal) || isFutureAddress(literal) else { return false }
    return port.isEmpty
      || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit)
  }

  /// `IPvFuture`.
  private func isFutureAddress(_ literal: ArraySlice<UInt8>) -> Bool {
    guard let first = literal.first, first | 0x20 == UInt8(ascii: "v"),
      let (version, address) = literal.dropFirst().cut(at: ".")
    else { return false }
    return !version.isEmpty && version.allSatisfy(\.isHexadecimalDigit) && !address.isEmpty
      && address.allSatisfy { Self.isNameCharacter($0) || $0 == UInt8(ascii: ":") }
  }

  // MARK: - Characters

  /// Whether all bytes are `pchar`, or one of some marks.
  private func isText(_ bytes: ArraySlice<UInt8>, with marks: StaticString) -> Bool {
    bytes.isPercentEncoded { byte in
      Self.isNameCharacter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
        || marks.holds(byte) || isUnicode && byte >= 0x80
    }
  }

  /// Whether all bytes are unreserved, a `sub-delim`, percent-encoded, or one of some marks.
  private func isName(_ bytes: ArraySlice<UInt8>, with marks: StaticString) -> Bool {
    bytes.isPercentEncoded { byte in
      Self.isNameCharacter(byte) || marks.holds(byte) || isUnicode && byte >= 0x80
    }
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || ("-._~!$&'()*+,;=" as StaticString).holds(byte)
  }

  /// `iprivate` is allowed in a query only.
  private func hasPrivate(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard isUnicode, bytes.contains(where: { $0 >= 0x80 }) else { return false }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains(where: Self.isPrivate)
  }

  /// `iprivate`.
  fileprivate static func isPrivate(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
    default: false
    }
  }

  /// `ucschar`.
  fileprivate static func isUniversal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
    // The planes from 1 to 14 without their last two code points, and without the tags at the start of plane 14.
    case 0x10000...0xEFFFF: scalar.value & 0xFFFF <= 0xFFFD && !(0xE0000..<0xE1000 ~= scalar.value)
    default: false
    }
  }
}

extension StaticString {
  /// Whether an ASCII character is one of those in the string.
  fileprivate func holds(_ byte: UInt8) -> Bool {
    withUTF8Buffer { $0.contains(byte) }
  }
}

// MARK: - URI templates (RFC 6570, section 2)

/// The format `uri-template`.
enum URITemplates {
  /// Literals and expressions.
  static func isTemplate(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let literals = rest.prefix { $0 != UInt8(ascii: "{") }
      guard isLiteral(literals) else { return false }
      rest = rest[literals.endIndex...]
      guard !rest.isEmpty else { break }
      guard let (expression, behind) = rest.dropFirst().cut(at: "}"), isExpression(expression)
      else { return false }
      rest = behind
    }
    // Characters beyond ASCII are allowed in literals only, since expressions have none.
    return text.unicodeScalars.allSatisfy {
      $0.isASCII || URIReferences.isUniversal($0) || URIReferences.isPrivate($0)
    }
  }

  /// `literals`: no control, no space, none of `"'<>\^` and the other characters that URIs exclude.
  private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.isPercentEncoded { byte in
      byte > 0x20 && byte != 0x7F && !#""'<>\^`{|}"#.utf8.contains(byte)
    }
  }

  /// `[ operator ] variable-list`; the reserved operators are also accepted.
  private static func isExpression(_ bytes: ArraySlice<UInt8>) -> Bool {
    var list = bytes
    if let first = list.first, "+#./;?&=,!@|".utf8.contains(first) { list = list.dropFirst() }
    return list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .allSatisfy(isVariable)
  }

  /// `varspec`: a name, optionally with `*` or `:` and a length from 1 to 9999.
  private static func isVariable(_ bytes: ArraySlice<UInt8>) -> Bool {
    var name = bytes
    if name.last == UInt8(ascii: "*") {
      name = name.dropLast()
    } else if let (before, length) = name.cut(at: ":") {
      guard (1...4).contains(length.count), length.allSatisfy(\.isDigit),
        length.first != UInt8(ascii: "0")
      else { return false }
      name = before
    }
    return name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      part in
      !part.isEmpty
        && part.isPercentEncoded { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
  }
}
