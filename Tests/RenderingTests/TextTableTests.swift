// Tables for people.

import ArchiveRendering
import Testing

@Suite struct TextTableTests {
  @Test func columnsAreAsWideAsTheirWidestCell() {
    var table = TextTable([("NAME", .left), ("N", .right), ("REMARKS", .left)])
    table.append(["é", "1200", ""])
    table.append(["a longer one", "7", "new"])
    table.append(["", "", "none"])
    #expect(
      table.lines == [
        "NAME             N  REMARKS", "é             1200", "a longer one     7  new",
        "                    none",
      ])
  }

  @Test func controlCharactersAreEscapedBeforeTheyAreCounted() {
    var table = TextTable([("A", .left), ("B", .left)])
    table.append(["\u{1B}", "x"])
    table.append(["1234567", "y"])
    let lines = table.lines
    #expect(!lines.joined().contains("\u{1B}"))
    #expect(Set(lines.map { $0.count }).count == 1)
  }
}
