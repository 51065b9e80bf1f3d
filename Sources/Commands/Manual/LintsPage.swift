// The manual page archtool-lints(7): the checks of validation beside schemas, and its reports.

import Basics
import CommandLineInterface
import KeyedArchives
import Rendering

/// The page on checks and reports.
struct LintsPage {
  typealias Item = MdocDocument.Item

  /// The page's source.
  func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-lints", section: 7, about: "what archtool validate checks beside schemas")
    lints(&page)
    reports(&page)
    page.references([("archtool", 1), ("archtool-schema", 5), ("archtool-tutorial", 7)])
    return page.source
  }

  func lints(_ page: inout MdocDocument) {
    page.section("DESCRIPTION")
    page.text(
      """
      Besides schemas, archtool validate checks the bytes and the structure of archives. The \
      name of a check is in brackets after its finding, and is the rule in reports.
      """)
    page.subsection("Faults")
    page.text(
      """
      These are errors. They are all reported for a file that cannot be decoded, and for \
      other files only with --lint or --allow-classes.
      """)
    page.list(width: "Ds", Lint.allCases.filter { !$0.isAdvisory }.map(Self.item))
    page.text(
      "The path of --at is checked as well. A file that has nothing there is invalid, not undecodable:"
    )
    page.list(
      width: "Ds",
      [
        Item(
          "Sy " + MdocText.argument(ArchiveError.Code.missingValue.rule),
          "The path of --at leads to no data value.")
      ])
    page.subsection("Advice")
    page.text(
      """
      These are warnings and notes of --lint, which do not make a file invalid without \
      --fail-on. --rule changes the severity of each, and turns on those that are off.
      """)
    page.list(width: "Ds", Lint.allCases.filter(\.isAdvisory).map(Self.item))
  }

  private static func item(_ lint: Lint) -> Item {
    var text = HelpText.sentence(lint.explanation)
    if lint.isAdvisory, lint.severity != .warning {
      text += " Its severity is \(lint.severity?.rawValue ?? "off")."
    }
    return Item("Sy " + MdocText.argument(lint.rawValue), text)
  }

  func reports(_ page: inout MdocDocument) {
    page.section("REPORTS")
    page.text("archtool validate writes its results in the format of --format:")
    page.list(width: "ndjson", Self.reportFormats)
    page.paragraph(
      """
      A result in JSON has these members in addition to those of JSON Schema, which are \
      valid, keywordLocation, absoluteKeywordLocation, instanceLocation, error and errors:
      """)
    page.list(width: "expectedfound", Self.resultMembers, isCompact: true)
    page.paragraph("A file has these:")
    page.list(width: "expectedfound", Self.fileMembers, isCompact: true)
    page.paragraph(
      """
      An offset counts bytes from the beginning of the file, also for a value inside data. \
      Unknown members are null.
      """)
  }

  private static let reportFormats =
    [
      Item(
        "Sy text",
        """
        A verdict for each file on standard output, a line for each problem on standard \
        error. With --explain the value in its context and the location of the keyword \
        follow.
        """)
    ] + ReportFormat.all.map { Item("Sy " + $0.name, $0.meaning) }

  private static let resultMembers = [
    Item("Ql rule", "The violated keyword, or the lint."),
    Item("Ql path", "The location in the graph."),
    Item("Ql offset , length", "The bytes of the value."),
    Item("Ql expected , found", "What the schema allows, and the value found."),
  ]

  private static let fileMembers = [
    Item("Ql file", "Its name, as on the command line or as found."),
    Item("Ql verdict", "One of valid, noSchema, invalid and unreadable."),
    Item("Ql schema", "The version that it was checked against."),
    Item("Ql reason", "Why it was treated as that version."),
    Item(
      "Ql errorCount", "The number of results that make it invalid, independent of --max-errors."),
    Item("Ql warnings", "Results that make the file invalid with --fail-on warning only."),
    Item("Ql notes", "Results that do so with --fail-on note only; missing if there are none."),
  ]
}

// MARK: - The manual page archtool-classes(7), generated from the registry of known classes

/// The page on the classes that are shown as values.
enum ClassesPage {
  /// The page's source.
  static func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-classes", section: 7, about: "classes whose objects archtool shows as values")
    page.section("DESCRIPTION")
    page.text(
      """
      Objects of these classes are shown as a value instead of their fields, or with a \
      summary line before them. An object with fields that its class does not write is shown \
      with its stored fields, and so is an object of any other class. A subclass is shown \
      like its nearest ancestor in this list, with its additional fields. The stored fields \
      of every object are shown with --raw, and kept by --typed.
      """)
    for framework in ClassRegistry.listing {
      page.subsection(framework.framework)
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
