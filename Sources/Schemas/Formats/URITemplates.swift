// URI templates (RFC 6570, section 2).

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
    // What is beyond ASCII stands in literals alone, since expressions have none.
    return text.unicodeScalars.allSatisfy {
      $0.isASCII || URIReferences.isUniversal($0) || URIReferences.isPrivate($0)
    }
  }

  /// `literals`: no control, no space, none of `"'<>\^` and the rest of what URIs do not have.
  private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.isPercentEncoded { byte in
      byte > 0x20 && byte != 0x7F && !#""'<>\^`{|}"#.utf8.contains(byte)
    }
  }

  /// `[ operator ] variable-list`, where the operators in reserve are operators too.
  private static func isExpression(_ bytes: ArraySlice<UInt8>) -> Bool {
    var list = bytes
    if let first = list.first, "+#./;?&=,!@|".utf8.contains(first) { list = list.dropFirst() }
    return list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .allSatisfy(isVariable)
  }

  /// `varspec`: a name, and perhaps `*` or `:` with a length from 1 to 9999.
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
