// The text that every match contains: texts without it are passed over before a match.

import ArchiveBasics
import TestSupport
import Testing

@testable import ArchivePatterns

@Suite struct RequiredLiteralTests {
  /// Patterns and the literal that their matches contain; none for those that can do without, or with one byte.
  static let cases: [(pattern: String, literal: String)] = [
    ("haven", "haven"), ("haven$", "haven"), ("^New haven", "New haven"), (#"\bhaven\b"#, "haven"),
    ("a.haven", "haven"), ("new.*haven", "haven"), ("haven.*new", "haven"), ("h[aeiou]ven", "ven"),
    ("havens?", "haven"), ("haven*", "have"), ("haven+", "have"), ("haven{2}", "have"),
    ("x(?:haven)+y", "haven"), ("x(?:haven)*yz", "yz"), ("x(?:haven){0,2}yz", "yz"),
    ("(ha)(ven)", "haven"), ("(?<port>ha)ven", "haven"), ("ha(?=x)ven", "haven"),
    ("ha(?!x)ven", "haven"), ("(?<=x)haven", "haven"), ("ab(?:cd|ef)gh", "ab"),
    ("haven|harbour", ""), ("(?:haven|harbour)", ""), ("(?i:haven)", ""), ("ab(?i:haven)", "ab"),
    ("(ab).cd\\1efg", "efg"), ("é", "é"), ("café", "café"), ("漢字", "漢字"), ("😀", "😀"),
    (#"\u{1F600}"#, "😀"), (#"\x61b"#, "ab"), ("a", ""), ("a.b", ""), ("", ""), (".*", ""),
    ("[a]b", "ab"), ("[^a]bc", "bc"), (#"\.\."#, ".."),
  ]

  @Test(arguments: cases)
  func everyMatchContainsIt(_ row: (pattern: String, literal: String)) throws {
    let literal = RequiredLiteral(of: try PatternParser.parse(row.pattern).tree)
    #expect(String(decoding: literal.bytes, as: UTF8.self) == row.literal)
  }

  /// What the pattern matches, with the literal looked for before and without.
  @Test(arguments: ECMAPatternTests.cases)
  func matchesContainIt(_ row: ECMAPatternTests.Case) throws {
    let literal = RequiredLiteral(of: try PatternParser.parse(row.pattern).tree)
    for text in row.matches {
      #expect(Array(text.utf8).withByteView { literal.occurs(in: $0) }, "\(text)")
    }
  }

  @Test(arguments: [
    ("haven", true), ("Newhaven", true), ("haven and more", true), ("have", false), ("", false),
    ("haveN", false), ("h-aven", false),
  ])
  func textsWithoutItAreNoMatches(_ text: String, _ isMatch: Bool) throws {
    let pattern = try ECMAPattern("haven")
    #expect(try pattern.matches(text) == isMatch)
    #expect(try Array(text.utf8).withByteView { try pattern.matches(utf8: $0) } == isMatch)
  }
}
