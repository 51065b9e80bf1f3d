// The width of characters on a terminal, compared with Python's tables of the Unicode database.

import ArchiveBasics
import Foundation
import TestSupport
import Testing

struct TerminalCellsTests {
  /// Prints the first and last scalar of each stretch of equal width and category, and the two; what Python does not know is left out.
  private static let script = """
    import unicodedata
    new = [range(0x2630, 0x2638), range(0x268A, 0x2690), range(0x4DC0, 0x4E00), range(0x1D300, 0x1D377)]
    new = new if int(unicodedata.unidata_version.split(".")[0]) < 16 else []
    def width(code):
        character = chr(code)
        category = unicodedata.category(character)
        # Halves of flags are wide by themselves only where they are drawn; the rest has no glyph.
        if category in ("Cc", "Cs", "Co", "Cn") or 0x1F1E6 <= code <= 0x1F1FF or any(code in r for r in new):
            return None
        if unicodedata.east_asian_width(character) in "WF":
            return 2
        return 0 if category in ("Mn", "Me", "Cf") and code != 0xAD else 1
    stretches = []
    for code in range(0x20, 0x40000):
        cells = width(code)
        if cells is None:
            continue
        kind = unicodedata.category(chr(code))
        kind = kind if kind in ("Mn", "Me", "Cf", "Mc") else "other"
        if stretches and stretches[-1][1] == code - 1 and stretches[-1][2:] == [cells, kind]:
            stretches[-1][1] = code
        else:
            stretches.append([code, code, cells, kind])
    for stretch in stretches:
        print(*stretch)
    """

  @Test func characterWidthsAreThoseOfTheUnicodeDatabase() throws {
    let result = try Program.run(
      at: URL(fileURLWithPath: "/usr/bin/python3"), ["-c", Self.script])
    let stretches = result.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(stretches.count > 500)
    var wrong: [String] = []
    for stretch in stretches where stretch.count == 4 {
      guard let first = UInt32(stretch[0]), let last = UInt32(stretch[1]) else { continue }
      for code in first...last {
        // A scalar that one of the two does not know yet, or that is of another category now, is no example.
        guard let scalar = Unicode.Scalar(code), Self.name(scalar) == stretch[3] else { continue }
        let cells = TerminalCells.count(of: Character(scalar))
        if cells != Int(stretch[2]) { wrong.append("\(String(code, radix: 16)): \(cells)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
  }

  /// The categories that determine a width, as Python names them; the others by their first letter.
  private static func name(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .nonspacingMark: "Mn"
    case .enclosingMark: "Me"
    case .format: "Cf"
    case .spacingMark: "Mc"
    case .unassigned: "Cn"
    default: "other"
    }
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("東京", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇯🇵", 2), ("⛈️", 2), ("⛈", 1),
    ("Zoë", 3), ("ｆｕ", 4), ("한국", 4), ("a\u{200B}b", 2), ("\u{1100}\u{1161}", 2),
  ]) func textsAreMeasuredByCharacter(_ text: String, _ cells: Int) {
    #expect(TerminalCells.count(of: text) == cells)
    let styled = Array("\u{1B}[34;1m\(text)\u{1B}[0m".utf8)
    #expect(styled.withByteView { TerminalCells.count(ofLine: $0) } == cells)
  }
}
