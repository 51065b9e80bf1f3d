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
    case .dateTime: Timestamps.accepts(text, [.date, .time])
    case .date: Timestamps.accepts(text, .date)
    case .time: Timestamps.accepts(text, .time)
    case .duration: Durations.isDuration(text)
    case .email: Mailboxes(isInternationalized: false).accepts(text)
    case .internationalizedEmail: Mailboxes(isInternationalized: true).accepts(text)
    case .hostname: HostNames.isHostName(text, hasValidALabels: true)
    case .internationalizedHostname: HostNames.isInternationalizedHostName(text)
    case .ipv4: IPAddresses.isVersion4(Array(text.utf8)[...])
    case .ipv6: IPAddresses.isVersion6(Array(text.utf8)[...])
    case .uri: URIReferences.accepts(text, isUnicode: false, needsScheme: true)
    case .uriReference: URIReferences.accepts(text, isUnicode: false, needsScheme: false)
    case .iri: URIReferences.accepts(text, isUnicode: true, needsScheme: true)
    case .iriReference: URIReferences.accepts(text, isUnicode: true, needsScheme: false)
    case .uriTemplate: URITemplates.isTemplate(text)
    case .uuid: Self.isUUID(text)
    case .jsonPointer: JSONPointer.tokens(of: text) != nil
    case .relativeJSONPointer: Self.isRelativePointer(text)
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
    guard let index = firstIndex(of: UInt8(ascii: mark)) else { return nil }
    return (self[..<index], self[(index + 1)...])
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

// MARK: - UUIDs in text, and relative JSON Pointers

extension StringFormat {
  /// Thirty-two hexadecimal digits with dashes at the standard positions, of any version and variant (RFC 4122, section 3).
  private static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimalDigit
      }
  }

  /// A number without leading zeros, then `#` or a pointer.
  ///
  /// That is draft-handrews-relative-json-pointer-01, section 3. A later draft adds `+1` and `-1` after the number; the
  /// tests for 2020-12 do not include it.
  private static func isRelativePointer(_ text: String) -> Bool {
    let digits = text.utf8.prefix(while: \.isDigit)
    guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0") else {
      return false
    }
    let pointer = String(text[digits.endIndex...])
    return pointer == "#" || JSONPointer.tokens(of: pointer) != nil
  }
}

// MARK: - Dates and times of RFC 3339 (section 5.6)

/// The formats `date-time`, `date` and `time`.
enum Timestamps {
  /// The parts of a timestamp.
  struct Parts: OptionSet {
    let rawValue: Int

    static let date = Parts(rawValue: 1)
    static let time = Parts(rawValue: 2)
  }

  /// Whether a text is `full-date`, `full-time`, or both with a T between them.
  static func accepts(_ text: String, _ parts: Parts) -> Bool {
    var cursor = DigitCursor(text)
    if parts.contains(.date), !date(&cursor) { return false }
    if parts == [.date, .time], !cursor.skip("T"), !cursor.skip("t") { return false }
    return (!parts.contains(.time) || time(&cursor)) && cursor.isAtEnd
  }

  private static func date(_ cursor: inout DigitCursor) -> Bool {
    guard let year = cursor.number(of: 4...4), cursor.skip("-"),
      let month = cursor.number(of: 2...2), (1...12).contains(month), cursor.skip("-"),
      let day = cursor.number(of: 2...2)
    else { return false }
    return (1...days(inMonth: month, of: year)).contains(day)
  }

  private static func time(_ cursor: inout DigitCursor) -> Bool {
    guard let hour = cursor.number(of: 2...2), hour < 24, cursor.skip(":"),
      let minute = cursor.number(of: 2...2), minute < 60, cursor.skip(":"),
      let second = cursor.number(of: 2...2), second <= 60
    else { return false }
    if cursor.skip("."), cursor.skipDigits() == 0 { return false }
    guard let offset = cursor.skip("z") ? 0 : cursor.offset() else { return false }
    if second < 60 { return true }
    // A leap second ends a day of UTC (RFC 3339, 5.7).
    let minuteOfDay = (hour * 60 + minute - offset) % 1440
    return (minuteOfDay + 1440) % 1440 == 1439
  }

  /// RFC 3339, 5.7 and appendix C.
  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

// MARK: - Durations of ISO 8601, as RFC 3339 (appendix A) defines them: whole numbers, and no unit skipped in between

/// The format `duration`.
enum Durations {
  /// `"P" (dur-date / dur-time / dur-week)`.
  static func isDuration(_ text: String) -> Bool {
    var cursor = DigitCursor(text)
    guard cursor.skip("P") else { return false }
    if cursor.skip("T") { return elements(&cursor, of: ["H", "M", "S"]) && cursor.isAtEnd }
    var week = cursor
    if week.skipDigits() > 0, week.skip("W") { return week.isAtEnd }
    guard elements(&cursor, of: ["Y", "M", "D"]) else { return false }
    if cursor.skip("T"), !elements(&cursor, of: ["H", "M", "S"]) { return false }
    return cursor.isAtEnd
  }

  /// Numbers with their units: any unit may be the first, and the next units follow in order.
  private static func elements(_ cursor: inout DigitCursor, of units: [Unicode.Scalar]) -> Bool {
    var next: Int?
    while true {
      let start = cursor
      guard cursor.skipDigits() > 0 else {
        cursor = start
        return next != nil
      }
      let candidates = next.map { $0..<min($0 + 1, units.count) } ?? 0..<units.count
      guard let unit = candidates.first(where: { cursor.skip(units[$0]) }) else { return false }
      next = unit + 1
    }
  }
}
