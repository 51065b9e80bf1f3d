// The manual page's sections on what validation looks for, and on the reports that it writes.

import Basics
import CommandLineInterface
import KeyedArchives
import Rendering

extension ManualPage {
  func lints(_ page: inout MdocDocument) {
    page.section("LINTS")
    page.text(
      """
      Besides schemas, archtool validate knows checks of the bytes and of the archive. The name of \
      a check stands in brackets behind what it found, and is the rule in reports.
      """)
    page.subsection("Faults")
    page.text(
      """
      These are errors. A file that cannot be decoded is looked through for all of them, one that \
      can be only with --lint or --allow-classes.
      """)
    page.list(width: "Ds", Lint.allCases.filter { !$0.isAdvisory }.map(Self.item))
    page.subsection("Advice")
    page.text("These are warnings, which --lint asks for, and do not make a file invalid.")
    page.list(width: "Ds", Lint.allCases.filter(\.isAdvisory).map(Self.item))
  }

  private static func item(_ lint: Lint) -> Item {
    Item("Sy " + MdocText.argument(lint.rawValue), HelpText.sentence(lint.explanation))
  }

  func reports(_ page: inout MdocDocument) {
    page.section("REPORTS")
    page.text("The results of archtool validate are written in the format that --format names:")
    page.list(width: "ndjson", Self.reportFormats)
    page.paragraph(
      """
      A result in JSON has these members besides those of JSON Schema, which are valid, \
      keywordLocation, absoluteKeywordLocation, instanceLocation, error and errors:
      """)
    page.list(width: "expectedfound", Self.resultMembers, isCompact: true)
    page.paragraph("A file has these:")
    page.list(width: "expectedfound", Self.fileMembers, isCompact: true)
    page.paragraph(
      """
      An offset counts bytes from the beginning of the file, also for a value in data that is \
      opened. What is not known is null.
      """)
  }

  private static let reportFormats =
    [
      Item(
        "Sy text",
        """
        A verdict for each file on standard output, a line for each problem on standard error. \
        With --explain each is followed by the value where it stands and the place of the keyword.
        """)
    ] + ReportFormat.all.map { Item("Sy " + $0.name, $0.meaning) }

  private static let resultMembers = [
    Item("Ql rule", "The keyword that does not hold, or the lint."),
    Item("Ql path", "The place in the graph."),
    Item("Ql offset , length", "The bytes of the value."),
    Item("Ql expected , found", "What the schema allows, and what stands there."),
  ]

  private static let fileMembers = [
    Item("Ql file", "Its name as it was given or found."),
    Item("Ql verdict", "One of valid, invalid and unreadable."),
    Item("Ql schema", "The version that it was held against."),
    Item("Ql reason", "Why it was taken for that version."),
    Item("Ql errorCount", "How many errors there are, whatever --max-errors shows."),
    Item("Ql warnings", "Results that do not make it invalid."),
  ]
}
