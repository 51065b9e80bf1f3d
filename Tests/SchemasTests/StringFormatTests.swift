// The formats of JSON Schema's strings, with one table for each.

import ArchiveSchemas
import TestSupport
import Testing

@Suite struct StringFormatTests {
  /// A format, texts that have it, and texts that do not.
  struct Table: Sendable, CustomTestStringConvertible {
    let format: StringFormat
    let accepted: [String]
    let refused: [String]

    var testDescription: String { format.rawValue }
  }

  static let tables: [Table] = times + mail + names + addresses + references + pointers

  @Test(arguments: tables)
  func judgesEachText(_ table: Table) {
    for text in table.accepted {
      #expect(table.format.accepts(text), "\(table.format.rawValue): \(text.debugDescription)")
    }
    for text in table.refused {
      #expect(!table.format.accepts(text), "\(table.format.rawValue): \(text.debugDescription)")
    }
  }

  @Test func everyFormatHasATable() {
    #expect(Set(Self.tables.map(\.format)) == Set(StringFormat.allCases))
  }

  @Test func formatsAreKnownByTheirNames() {
    let names = """
      date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri \
      uri-reference iri iri-reference uri-template uuid json-pointer relative-json-pointer regex
      """
    #expect(StringFormat.allCases.map(\.rawValue) == names.split(separator: " ").map(String.init))
    #expect(StringFormat(rawValue: "color") == nil)
  }

  @Test(arguments: StringFormat.allCases)
  func everyLibraryIsThere(_ format: StringFormat) {
    #expect(format.missingLibrary == nil)
  }

  /// Nothing that ends or surrounds an ASCII text is overlooked.
  @Test(arguments: tables.filter { ![.regex, .uriTemplate].contains($0.format) })
  func nothingAroundIsOverlooked(_ table: Table) {
    // A pointer's tokens may hold anything, and the rest of a relative one is a pointer.
    let isPointer = [.jsonPointer, .relativeJSONPointer].contains(table.format)
    for text in table.accepted where !isPointer || !text.unicodeScalars.contains("/") {
      for mark in ["\n", "\r\n", " ", "\0", "\t"] {
        #expect(!table.format.accepts(text + mark), "\((text + mark).debugDescription)")
        #expect(!table.format.accepts(mark + text), "\((mark + text).debugDescription)")
      }
    }
  }

  @Test(arguments: StringFormat.allCases)
  func hostileTextsEnd(_ format: StringFormat) {
    let pieces = [
      "a", "1", ".", ":", "@", "\"", "\\", "[", "{", "%", "%4", "/", "~", "-", "é", "\u{301}", "\0",
      "\u{200D}", "א", "xn--", "1Y", "P1", "::", "{a", "😀", "\u{3002}", "\u{10FFFF}",
    ]
    for piece in pieces {
      for count in [1, 2, 63, 64, 253, 254, 50_000] {
        _ = format.accepts(String(repeating: piece, count: count))
      }
      for text in ["http://", "a@", "2020-01-01T", "xn--", "P", "\"", "0/", "{"] {
        _ = format.accepts(text + String(repeating: piece, count: 100))
      }
    }
  }
}
