// The width of help text.

import Testing

@testable import ArchiveBasics

struct TerminalWidthTests {
  static let cases: [(terminal: Bool, size: Int?, variable: String?, width: Int)] = [
    (true, 80, nil, 80), (true, 72, nil, 72), (true, 40, nil, 60), (true, 240, nil, 100),
    (true, nil, nil, 80), (true, 72, "90", 90), (true, 72, "1000", 100), (true, 72, "0", 72),
    (true, 72, "-5", 72), (true, 72, "wide", 72), (true, 72, "", 72), (true, nil, "66", 66),
    (false, 72, nil, 80), (false, nil, "66", 80),
  ]

  @Test(arguments: cases)
  func isThatOfTheTerminalWithinBounds(
    terminal: Bool, size: Int?, variable: String?, width: Int
  ) {
    let columns = TerminalWidth.columns(
      isTerminal: terminal, size: { size },
      environment: { $0 == "COLUMNS" ? variable : nil })
    #expect(columns == width)
  }

  /// Only a terminal has a width: what is not even open has none.
  @Test func isStandardWithoutATerminal() {
    #expect(TerminalWidth.columns(of: -1) == TerminalWidth.standard)
  }
}
