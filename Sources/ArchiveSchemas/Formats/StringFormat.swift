// The string formats of JSON Schema 2020-12 (Validation, 7.3), each checked against the document that defines it.

import ArchiveBasics
import ArchivePatterns
import ArchivePropertyLists

/// A format that a schema may require of a string.
package enum StringFormat: String, CaseIterable, Sendable {
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
  package func accepts(_ text: String) -> Bool {
    switch self {
    case .dateTime:
      TextGrammar.dateTime.accepts(text) && Self.mayHaveSecond(String(text.dropFirst(11)))
    case .date: TextGrammar.date.accepts(text)
    case .time: TextGrammar.time.accepts(text) && Self.mayHaveSecond(text)
    case .duration: TextGrammar.duration.accepts(text)
    case .email: Mailboxes.ascii.accepts(text)
    case .internationalizedEmail: Mailboxes.internationalized.accepts(text)
    case .hostname: HostNames.isHostName(text, hasValidALabels: true)
    case .internationalizedHostname: HostNames.isInternationalized(text)
    case .ipv4: IPAddresses.isVersion4(text)
    case .ipv6: IPAddresses.isVersion6(text)
    case .uri: URIReferences.uri.accepts(text)
    case .uriReference: URIReferences.uriReference.accepts(text)
    case .iri: URIReferences.iri.accepts(text)
    case .iriReference: URIReferences.iriReference.accepts(text)
    case .uriTemplate: TextGrammar.uriTemplate.accepts(text)
    case .uuid: TextGrammar.uuid.accepts(text)
    case .jsonPointer: JSONPointer.tokens(of: text) != nil
    case .relativeJSONPointer: TextGrammar.relativePointer.accepts(text)
    case .regex: ECMAPattern.isWellFormed(text)
    }
  }

  /// The library that the format needs to check names beyond plain ASCII, if it is not installed.
  ///
  /// Without it such names are rejected.
  package var missingLibrary: String? {
    switch self {
    case .hostname, .internationalizedHostname, .internationalizedEmail:
      IDN2.loaded == nil ? IDN2.fileName : nil
    default: nil
    }
  }
}

// MARK: - Leap seconds

extension StringFormat {
  /// Whether a time that is well formed may have its second: a leap second ends a day of UTC (RFC 3339, 5.7).
  private static func mayHaveSecond(_ time: String) -> Bool {
    var cursor = DigitCursor(time)
    guard let hour = cursor.number(of: 2...2), cursor.skip(":"),
      let minute = cursor.number(of: 2...2), cursor.skip(":"), cursor.number(of: 2...2) == 60
    else { return true }
    if cursor.skip(".") { _ = cursor.skipDigits() }
    // No offset is a small z.
    return (hour * 60 + minute - (cursor.offset() ?? 0) + 2880) % 1440 == 1439
  }
}

// MARK: - Formats that are regular languages

/// A regular language, given as an extended regular expression of POSIX, which every system matches in linear time.
///
/// Characters beyond ASCII are classes of their own: U+0001 in the expression is one that IRIs allow everywhere, U+0002
/// one of private use, U+0003 any other.
final class TextGrammar: @unchecked Sendable {
  // Matching changes nothing but the library's own cache, which has a lock.
  private let expression = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)

  /// Compiles an expression for whole texts.
  init(_ pattern: String) {
    // No input leads here: the expressions are part of the program, and its tests compile each.
    guard regcomp(expression, "^(\(pattern))$", REG_EXTENDED | REG_NOSUB) == 0 else {
      fatalError("the expression \(pattern) is invalid")
    }
  }

  deinit {
    regfree(expression)
    expression.deallocate()
  }

  func accepts(_ text: String) -> Bool {
    let bytes = text.unicodeScalars.map(Self.byte) + [0]
    return regexec(expression, bytes, 0, nil, 0) == 0
  }

  private static func byte(_ scalar: Unicode.Scalar) -> CChar {
    switch scalar.value {
    // No grammar has these controls.
    case 0...4: 4
    case 5...0x7F: CChar(scalar.value)
    // `ucschar` of RFC 3987, 2.2: the planes from 1 to 14 lack their last two code points, plane 14 its tags.
    case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: 1
    case 0x10000...0xDFFFF, 0xE1000...0xEFFFF: scalar.value & 0xFFFF <= 0xFFFD ? 1 : 3
    // `iprivate`.
    case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: 2
    default: 3
    }
  }

  /// Two hexadecimal digits after a percent sign (RFC 3986, 2.1).
  static let percentEncoded = "%[0-9A-Fa-f]{2}"

  /// `full-date` of RFC 3339, 5.6, with the days that each month has (appendix C).
  private static let day = """
    [0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)\
    |02-(0[1-9]|1[0-9]|2[0-8]))\
    |([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29
    """
  /// `full-time`.
  private static let clock = """
    ([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?\
    ([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])
    """
  fileprivate static let date = TextGrammar(day)
  fileprivate static let time = TextGrammar(clock)
  fileprivate static let dateTime = TextGrammar("(\(day))[Tt]\(clock)")

  /// Durations of ISO 8601, as RFC 3339 (appendix A) defines them: whole numbers, and no unit skipped in between.
  fileprivate static let duration: TextGrammar = {
    func units(_ first: String, _ second: String, _ third: String) -> String {
      let end = "([0-9]+\(third))"
      let middle = "([0-9]+\(second)\(end)?)"
      return "([0-9]+\(first)\(middle)?|\(middle)|\(end))"
    }
    let time = "T" + units("H", "M", "S")
    return TextGrammar("P(\(units("Y", "M", "D"))(\(time))?|\(time)|[0-9]+W)")
  }()

  /// Digits with dashes at the standard positions, of any version and variant (RFC 4122, section 3).
  fileprivate static let uuid = TextGrammar(
    "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")

  /// A number without leading zeros, then `#` or a pointer.
  ///
  /// That is draft-handrews-relative-json-pointer-01, section 3. A later draft adds `+1` and `-1` after the number; the
  /// tests for 2020-12 do not include it.
  fileprivate static let relativePointer = TextGrammar(
    "(0|[1-9][0-9]*)(#|(/([^~]|~[01])*)?)")

  /// URI templates (RFC 6570, section 2); the reserved operators are also accepted.
  fileprivate static let uriTemplate: TextGrammar = {
    let literal = "([]!#$&(-;=?-[_a-z~\u{1}\u{2}]|\(percentEncoded))"
    let name = "([A-Za-z0-9_]|\(percentEncoded))+"
    let variable = #"\#(name)(\.\#(name))*(\*|:[1-9][0-9]{0,3})?"#
    return TextGrammar(#"(\#(literal)|\{[+#./;?&=,!@|]?\#(variable)(,\#(variable))*\})*"#)
  }()
}

/// URIs and references to them (RFC 3986, appendix A), and IRIs (RFC 3987, section 2.2).
struct URIReferences {
  fileprivate static let uri = URIReferences(isUnicode: false, needsScheme: true)
  fileprivate static let uriReference = URIReferences(isUnicode: false, needsScheme: false)
  fileprivate static let iri = URIReferences(isUnicode: true, needsScheme: true)
  fileprivate static let iriReference = URIReferences(isUnicode: true, needsScheme: false)

  private let grammar: TextGrammar

  /// - Parameters:
  ///   - isUnicode: whether characters beyond ASCII are accepted, as in IRIs; those of private use only in a query.
  ///   - needsScheme: whether relative references are refused.
  private init(isUnicode: Bool, needsScheme: Bool) {
    let plain = "A-Za-z0-9._~!$&'()*+,;="
    let letters = plain + (isUnicode ? "\u{1}" : "")
    func characters(_ more: String) -> String {
      "([\(letters)\(more)-]|\(TextGrammar.percentEncoded))"
    }
    let future = #"[vV][0-9A-Fa-f]+\.[\#(plain):-]+"#
    let host = #"(\#(characters(""))*|\[([0-9A-Fa-f:.]+|\#(future))\])"#
    let authority = "(\(characters(":"))*@)?\(host)(:[0-9]*)?"
    let segments = "\(characters(":@/"))*"
    // A path without an authority has no two slashes at its beginning, that of a relative reference no colon there.
    let rooted = "//\(authority)(/\(segments))?|/(\(characters(":@"))\(segments))?"
    let absolute = "[A-Za-z][A-Za-z0-9+.-]*:(\(rooted)|\(characters(":@"))\(segments))?"
    let relative = "(\(rooted)|\(characters("@"))+(/\(segments))?)?"
    let query = #"(\?\#(characters(isUnicode ? ":@/?\u{2}" : ":@/?"))*)?"#
    grammar = TextGrammar(
      "(\(absolute)\(needsScheme ? "" : "|" + relative))\(query)(#\(characters(":@/?"))*)?")
  }

  func accepts(_ text: String) -> Bool {
    guard grammar.accepts(text) else { return false }
    // Only an address in the authority has brackets.
    guard let start = text.firstIndex(of: "["), let end = text.firstIndex(of: "]") else {
      return true
    }
    let literal = String(text[start..<end].dropFirst())
    return literal.lowercased().hasPrefix("v") || IPAddresses.isVersion6(literal)
  }
}
