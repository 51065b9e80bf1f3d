// Text in mdoc: none of it is interpreted as markup.

import Testing

@testable import CommandLineInterface

struct MdocTextTests {
  @Test(arguments: [
    ("plain", "plain"),
    (".Sh not a macro", "\\&.Sh not a macro"),
    ("'apostrophe", "\\(aqapostrophe"),
    ("a\\b", "a\\eb"),
    ("`~^", "\\(ga\\(ti\\(ha"),
    ("naïve…", "na\\[u00EF]ve\\[u2026]"),
    ("\u{1F600}", "\\[u1F600]"),
  ])
  func escapes(text: String, escaped: String) {
    #expect(MdocText.escaped(text) == escaped)
  }

  @Test(arguments: [
    ("FILE", "FILE"), ("DIR", "\\&DIR"), ("Ar", "\\&Ar"), (".", "\\&."), ("|", "\\&|"), ("N", "N"),
    ("7", "7"), ("two words", "\"two words\""), ("say \"no\"", "\"say \\(dqno\\(dq\""),
    ("", "\"\""), ("in-place", "in\\-place"),
  ])
  func protectsArguments(text: String, argument: String) {
    #expect(MdocText.argument(text) == argument)
  }

  @Test func copiesHyphensOfLiteralLines() {
    #expect(MdocText.literal("a --b -c") == "a \\-\\-b \\-c")
  }

  @Test func beginsALineWithEachSentence() {
    let text = "One. Two (three.) Four? Five v1.2 six."
    #expect(MdocText.paragraph(text) == ["One.", "Two (three.)", "Four?", "Five v1.2 six."])
  }

  @Test func marksOptionsAndPlaceholders() {
    let text = "Needs --in-place, -r and -- but not -Infinity or FILE; FILES stay."
    let expected = [
      "Needs", ".Fl -in-place ,", ".Fl r", "and", ".Fl -", "but not -Infinity or", ".Ar FILE ;",
      "FILES stay.",
    ]
    #expect(MdocText.paragraph(text, placeholders: ["FILE"]) == expected)
  }

  @Test func breaksLongLines() {
    let lines = MdocText.paragraph(String(repeating: "word ", count: 100))
    #expect(lines.allSatisfy { $0.count <= 78 })
    #expect(lines.joined(separator: " ").split(separator: " ").count == 100)
  }
}
