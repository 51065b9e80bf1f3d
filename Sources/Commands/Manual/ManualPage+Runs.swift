// The manual page's prose about runs over many files, which work in the same way for every command.

import CommandLineInterface

extension ManualPage {
  func runs(_ page: inout MdocDocument) {
    page.section("RUNS OVER SEVERAL FILES")
    page.text(
      """
      The commands dump, info, query, find, classes, scan, validate, convert, migrate and rename-class \
      handle several files in the same way. Results and messages come in the order of the files, however many files are \
      worked on at a time. A file that cannot be read is reported, and the others are handled; \
      with --fail-fast it is the last one. The exit status is that of the worst file.
      """)
    page.paragraph("With --report each file is a line of JSON, written when the file is done:")
    page.list(width: "bytesnewBytes", Self.entryMembers, isCompact: true)
    page.paragraph(
      """
      Other members are those of the command: for migrate the versions, operations and losses, \
      for rename-class the rules, for validate the schema and the first ten violations. The last \
      line has the member
      """)
    page.macro("Ql counts .")
    page.paragraph(
      """
      On a terminal a bar shows how far a run over several files is that takes longer than a \
      second, with its rate and the time that is left; so does undo. It goes before anything \
      else is written. migrate, rename-class, and convert where it replaces files, write \
      a line every ten seconds elsewhere. Counts follow at the end, unless the results are \
      written to the terminal. With \
      --no-progress there are counts alone, with -q there is neither.
      """)
    page.paragraph(
      """
      The first of the signals INT, TERM and HUP ends a run over several files in good order: no \
      further file is begun and none is written by halves, a report gets its counts, and the exit \
      status is 128 and the number of the signal. A second one ends the program at once.
      """)
  }

  private static let entryMembers = [
    Item("Ql file", "Its name."),
    Item(
      "Ql outcome",
      """
      One of changed, unchanged, refused and failed where files are rewritten or converted; valid, \
      noSchema, invalid and failed from validate; shown and failed from the other commands.
      """),
    Item("Ql summary", "What was done, or why nothing was."),
    Item("Ql bytes , newBytes", "The size of the file, and of what it became."),
    Item("Ql error", "What is wrong: its code, message, offset and path."),
  ]
}
