// The string formats of JSON Schema 2020-12 (Validation, 7.3), each checked against the document that defines it.

import RegularExpressions

/// A format that a schema may require of a string.
public enum StringFormat: String, CaseIterable, Sendable {
  /// RFC 3339 `date-time`.
  case dateTime = "date-time"
  /// RFC 3339 `full-date`.
  case date
  /// RFC 3339 `full-time`.
  case time
  /// RFC 3339 appendix A `duration`.
  case duration
  /// RFC 5321 `Mailbox`.
  case email
  /// RFC 6531 `Mailbox`.
  case internationalizedEmail = "idn-email"
  /// RFC 1123 host name.
  case hostname
  /// RFC 5890 internationalized host name.
  case internationalizedHostname = "idn-hostname"
  /// RFC 2673 dotted quad.
  case ipv4
  /// RFC 4291 text form.
  case ipv6
  /// RFC 3986 `URI`.
  case uri
  /// RFC 3986 `URI-reference`.
  case uriReference = "uri-reference"
  /// RFC 3987 `IRI`.
  case iri
  /// RFC 3987 `IRI-reference`.
  case iriReference = "iri-reference"
  /// RFC 6570 `URI-Template`.
  case uriTemplate = "uri-template"
  /// RFC 4122 `UUID`.
  case uuid
  /// RFC 6901 `json-pointer`.
  case jsonPointer = "json-pointer"
  /// Relative JSON Pointers (draft-handrews-relative-json-pointer).
  case relativeJSONPointer = "relative-json-pointer"
  /// ECMA-262 regular expression.
  case regex

  /// Whether the text has the format.
  ///
  /// The time is linear in the length of the text, or the text is rejected for its length.
  public func accepts(_ text: String) -> Bool {
    switch self {
    case .dateTime: Timestamps.isDateTime(text)
    case .date: Timestamps.isDate(text)
    case .time: Timestamps.isTime(text)
    case .duration: Durations.isDuration(text)
    case .email: Mailboxes.isMailbox(text)
    case .internationalizedEmail: Mailboxes.isInternationalizedMailbox(text)
    case .hostname: HostNames.isHostName(text)
    case .internationalizedHostname: HostNames.isInternationalizedHostName(text)
    case .ipv4: IPAddresses.isVersion4(Array(text.utf8)[...])
    case .ipv6: IPAddresses.isVersion6(Array(text.utf8)[...])
    case .uri: URIReferences.accepts(text, isUnicode: false, needsScheme: true)
    case .uriReference: URIReferences.accepts(text, isUnicode: false, needsScheme: false)
    case .iri: URIReferences.accepts(text, isUnicode: true, needsScheme: true)
    case .iriReference: URIReferences.accepts(text, isUnicode: true, needsScheme: false)
    case .uriTemplate: URITemplates.isTemplate(text)
    case .uuid: UniqueIdentifiers.isUUID(text)
    case .jsonPointer: JSONPointers.isPointer(text)
    case .relativeJSONPointer: JSONPointers.isRelativePointer(text)
    case .regex: ECMAPattern.isWellFormed(text)
    }
  }

  /// The library that the format needs to check names beyond plain ASCII, if it is not installed.
  ///
  /// Without it such names are rejected.
  public var missingLibrary: String? {
    switch self {
    case .hostname, .internationalizedHostname, .internationalizedEmail:
      IDN2.loaded == nil ? IDN2.fileName : nil
    default: nil
    }
  }
}

// MARK: - The classes of ASCII characters in the grammars of Internet standards (RFC 5234, appendix B.1)

extension UInt8 {
  /// DIGIT.
  var isDigit: Bool { (0x30...0x39).contains(self) }

  /// ALPHA.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// HEXDIG, in either case.
  var isHexadecimalDigit: Bool { isDigit || (0x61...0x66).contains(self | 0x20) }
}

extension ArraySlice<UInt8> {
  /// Splits the bytes at the first occurrence of a mark; nil if there is none.
  func cut(at mark: Unicode.Scalar) -> (before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>)? {
    guard let place = firstIndex(of: UInt8(ascii: mark)) else { return nil }
    return (self[..<place], self[(place + 1)...])
  }

  /// Whether each `%` precedes two hexadecimal digits (RFC 3986, 2.1), and all other bytes pass a test.
  func isPercentEncoded(elsewhere isAllowed: (UInt8) -> Bool) -> Bool {
    var index = startIndex
    while index < endIndex {
      if self[index] == UInt8(ascii: "%") {
        guard index + 2 < endIndex, self[index + 1].isHexadecimalDigit,
          self[index + 2].isHexadecimalDigit
        else { return false }
        index += 3
      } else {
        guard isAllowed(self[index]) else { return false }
        index += 1
      }
    }
    return true
  }
}

// MARK: - UUIDs in text (RFC 4122, section 3): any version, any variant

/// The format `uuid`.
private enum UniqueIdentifiers {
  /// Thirty-two hexadecimal digits with dashes at the standard positions.
  fileprivate static func isUUID(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimalDigit
    }
  }
}
