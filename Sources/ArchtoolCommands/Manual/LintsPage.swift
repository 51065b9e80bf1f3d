// The manual page archtool-lints(7): the checks of validation beside schemas, and its reports.

import ArchiveBasics
import ArchiveRendering
import CommandLineInterface
import KeyedArchives

enum LintsPage {
  typealias Item = MdocDocument.Item

  static func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-lints", section: 7, about: "what archtool validate checks beside schemas")
    page.write(
      """
      .Sh DESCRIPTION
      Besides schemas, archtool validate checks the bytes and the structure of archives. The name
      of a check is in brackets after its finding, and is the rule in reports.
      .Ss Faults
      These are errors. They are all reported for a file that cannot be decoded, and for other
      files only with --lint or --allow-classes.
      """)
    page.list(width: "Ds", Lint.allCases.filter { !$0.isAdvisory }.map(item))
    page.write(
      """
      The path of --at is checked as well. A file that has nothing there is invalid, not
      undecodable:
      .Bl -tag -width Ds
      .It Sy \(MdocText.argument(ArchiveError.Code.missingValue.rule))
      The path of --at leads to no data value.
      .El
      .Ss Advice
      These are warnings and notes of --lint, which do not make a file invalid without --fail-on.
      --rule changes the severity of each, and turns on those that are off.
      """)
    page.list(width: "Ds", Lint.allCases.filter(\.isAdvisory).map(item))
    page.write(
      """
      .Sh REPORTS
      archtool validate writes its results in the format of --format:
      """)
    page.list(
      width: "ndjson",
      [
        Item(
          "Sy text",
          """
          A verdict for each file on standard output, a line for each problem on standard error. \
          With --explain the value in its context and the location of the keyword follow.
          """)
      ] + ReportFormat.all.map { Item("Sy " + $0.name, $0.meaning) })
    page.write(
      """

      A result in JSON has these members in addition to those of JSON Schema, which are valid,
      keywordLocation, absoluteKeywordLocation, instanceLocation, error and errors:

      .Bl -tag -width expectedfound -compact
      .It Ql rule
      The violated keyword, or the lint.
      .It Ql path
      The location in the graph.
      .It Ql offset , length
      The bytes of the value.
      .It Ql expected , found
      What the schema allows, and the value found.
      .El

      A file has these:

      .Bl -tag -width expectedfound -compact
      .It Ql file
      Its name, as on the command line or as found.
      .It Ql verdict
      One of valid, noSchema, invalid and unreadable.
      .It Ql schema
      The version that it was checked against.
      .It Ql reason
      Why it was treated as that version.
      .It Ql errorCount
      The number of results that make it invalid, independent of --max-errors.
      .It Ql warnings
      Results that make the file invalid with --fail-on warning only.
      .It Ql notes
      Results that do so with --fail-on note only; missing if there are none.
      .El

      An offset counts bytes from the beginning of the file, also for a value inside data. Unknown
      members are null.
      """)
    page.references([("archtool", 1), ("archtool-schema", 5), ("archtool-tutorial", 7)])
    return page.source
  }

  private static func item(_ lint: Lint) -> Item {
    var text = HelpText.sentence(lint.explanation)
    if lint.isAdvisory, lint.severity != .warning {
      text += " Its severity is \(lint.severity?.rawValue ?? "off")."
    }
    return Item("Sy " + MdocText.argument(lint.rawValue), text)
  }
}

// MARK: - The manual page archtool-classes(7), generated from the registry of known classes

enum ClassesPage {
  static func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-classes", section: 7, about: "classes whose objects archtool shows as values")
    page.write(
      """
      .Sh DESCRIPTION
      Objects of these classes are shown as a value instead of their fields, or with a summary
      line before them. An object with fields that its class does not write is shown with its
      stored fields, and so is an object of any other class. A subclass is shown like its nearest
      ancestor in this list, with its additional fields. The stored fields of every object are
      shown with --raw, and kept by --typed.
      """)
    for framework in ClassRegistry.listing {
      page.macro("Ss " + framework.framework)
      let items = framework.classes.map { family in
        MdocDocument.Item(
          "Vt " + family.names.map { MdocText.argument($0) }.joined(separator: " , "),
          HelpText.sentence(family.shown))
      }
      page.list(width: "Ds", items)
    }
    page.references([("archtool", 1), ("archtool-formats", 7), ("archtool-tutorial", 7)])
    return page.source
  }
}
