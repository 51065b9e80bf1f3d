// Prose broken into lines, and columns.

import Testing

@testable import CommandLineInterface

struct TextFillingTests {
  @Test(arguments: [
    ("", 10, []),
    ("   ", 10, []),
    ("one two", 7, ["one two"]),
    ("one two", 6, ["one", "two"]),
    ("one  two three", 9, ["one two", "three"]),
    ("incomprehensibilities are long", 5, ["incomprehensibilities", "are", "long"]),
    ("Ærø Åre Ör", 7, ["Ærø Åre", "Ör"]),
  ])
  func fills(text: String, width: Int, lines: [String]) {
    #expect(TextFilling.fill(text, width: width) == lines)
  }

  @Test func givesAWideTermItsOwnLine() {
    let rows = [("-a", "first of them"), ("--very-long", "second"), ("-bcd", "third")]
    let expected = """
        -a    first
              of
              them
        --very-long
              second
        -bcd  third

      """
    let column = TextFilling.column(for: rows.map(\.0), widest: 6)
    #expect(TextFilling.columns(rows, column: column, width: 14) == expected)
  }
}
