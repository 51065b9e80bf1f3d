// The manual page archtool(1), generated from the descriptions of the commands and additional prose.

import Basics
import CommandLineInterface
import FileTransactions
import KeyedArchives
import Rendering

/// Renders the manual page archtool(1) in mdoc.
package struct ManualPage: Sendable {
  typealias Item = MdocDocument.Item

  /// The commands.
  package let table: CommandTable

  /// Makes a renderer of the manual page.
  package init(table: CommandTable = Commands.table) { self.table = table }

  /// The page's source: what everybody needs comes first.
  package func render() -> String {
    var page = MdocDocument.generated(
      name: table.program, section: 1, about: table.abstract)
    synopsis(&page)
    description(&page)
    environment(&page)
    exitStatus(&page)
    examples(&page)
    commands(&page)
    runs(&page)
    schemas(&page)
    databases(&page)
    git(&page)
    habits(&page)
    diagnostics(&page)
    references(&page)
    return page.source
  }

  // MARK: Generated from the descriptions of the commands

  private func synopsis(_ page: inout MdocDocument) {
    page.section("SYNOPSIS")
    for command in table.commands {
      page.macro("Nm")
      page.macro("Cm " + command.name)
      if command.allOptions.contains(where: { !$0.isHidden && $0 != .help }) {
        page.macro("Op Ar option ...")
      }
      for option in command.allOptions where command.isRequired(option) {
        let form = option.letter.map { "Fl \($0)" } ?? "Fl -\(option.name)"
        page.macro(form + (option.valueName.map { " Ar " + MdocText.argument($0) } ?? ""))
      }
      page.macro(operandsMacro(command.operands))
    }
    for option in table.options {
      page.macro("Nm")
      page.macro("Fl -" + option.name)
    }
  }

  private func operandsMacro(_ operands: CommandDescription.Operands) -> String {
    let first = operands.first.map { "Ar \($0) " } ?? ""
    let macro = first + "Ar " + operands.name + (operands.isRepeated ? " ..." : "")
    if let option = operands.orOption { return "\(macro) | Fl -\(option.name)" }
    return operands.minimum == 0 ? "Op " + macro : macro
  }

  private func description(_ page: inout MdocDocument) {
    page.section("DESCRIPTION")
    introduction(&page)
    page.paragraph("These are the commands; COMMANDS describes each with its options and examples:")
    page.list(
      width: "rename-class",
      table.commands.map { Item("Cm " + $0.name, HelpText.sentence($0.abstract)) },
      isCompact: true)
  }

  private func commands(_ page: inout MdocDocument) {
    page.section("COMMANDS")
    for command in table.commands {
      page.subsection("archtool " + command.name)
      page.text(HelpText.sentence(command.abstract))
      for paragraph in command.discussion {
        page.paragraph(paragraph, placeholders: command.operands.words)
      }
      let own = command.options.filter { !$0.isHidden }
      if !own.isEmpty { page.list(width: "Ds", own.map(item)) }
      for example in command.examples {
        page.paragraph(example.explanation)
        page.display("$ " + example.command)
      }
    }
    page.subsection("Common options")
    page.text(
      """
      Several commands share these options; each accepts those that its own help lists, which is \
      shown with --help.
      """)
    page.list(width: "Ds", (OptionDescription.common + [.noPager]).map(item))
    page.paragraph(
      """
      In GLOB a star matches any text, a question mark one character, and brackets one of \
      some characters; none of them matches a slash, and ** between slashes matches any \
      folders. A GLOB with a slash is matched against the path below the folder on the \
      command line, one without a slash only against the name.
      """, placeholders: ["GLOB"])
    page.paragraph(
      """
      Files are found as they are needed. In folders, names that begin with .archtool- are \
      skipped, and so are the output folder and all files that runs leave beside archives: \
      journals, plans, lost values, and the copies of --backup, which are known by an \
      attribute, not by their name. One of those that is named on the command line is read, \
      but never replaced. A name need not be UTF-8; its other bytes are shown as in \\xe9.
      """, placeholders: [])
  }

  private func item(_ option: OptionDescription) -> Item {
    let value = option.valueName.map { " Ar " + MdocText.argument($0) } ?? ""
    let letter = option.letter.map { "Fl \($0)\(value) , " } ?? ""
    let words = option.valueName?.split { !$0.isLetter }.map(String.init) ?? []
    return Item(letter + "Fl -" + option.name + value, option.fullHelp, placeholders: words)
  }

  private func exitStatus(_ page: inout MdocDocument) {
    page.section("EXIT STATUS")
    page.text("With several files the status is the highest of all.")
    let items = ExitStatus.allCases.map { Item("Sy \($0.rawValue)", $0.meaning) }
    page.list(width: "Ds", items, isCompact: true)
  }

  /// What most people need first: an example of each of these commands.
  private static let firstExamples = [
    "dump", "info", "query", "get", "find", "scan", "diff", "explore", "validate", "convert", "set",
    "migrate", "rename-class", "undo",
  ]

  private func examples(_ page: inout MdocDocument) {
    page.section("EXAMPLES")
    let examples = Self.firstExamples.compactMap { table.command(named: $0)?.examples.first }
    for (index, example) in examples.enumerated() {
      if index == 0 { page.text(example.explanation) } else { page.paragraph(example.explanation) }
      page.display("$ " + example.command)
    }
    page.paragraph("A tour with more examples, and what they print, is")
    page.macro("Xr archtool-tutorial 7 .")
  }
}

// MARK: - The manual page's prose on formats, envelopes and schemas

extension ManualPage {
  func introduction(_ page: inout MdocDocument) {
    page.macro("Nm")
    page.text(
      """
      reads property lists and the archives that NSKeyedArchiver and NSArchiver write, shows \
      their contents, converts them to other formats, checks them against schemas, and \
      migrates archives from one version of a schema to another.
      """)
    page.paragraph(
      """
      Files are identified by content, not by name. Commands accept several files, folders \
      with -r, and standard input as
      """)
    page.macro("Sq \\- .")
    page.text(
      """
      A pipe is read without it where one file is missing. \
      Data goes to standard output, everything else to standard error.
      """)
    page.paragraph(
      """
      Options may precede and follow operands. The argument -- ends the options.
      """)
  }

  func schemas(_ page: inout MdocDocument) {
    page.section("SCHEMAS")
    page.text(
      """
      A schema family describes one model. Each version names an envelope and describes its \
      content in JSON Schema. These families are built in:
      """)
    page.list(
      width: "WeatherFeed",
      [
        Item("Sy WeatherFeed", "The weather of many cities, in v1 and v2."),
        Item("Sy Movie", "A film, in v0, v1 and v2."),
        Item("Sy Actor", "An actor and a first film, in v1 and v2."),
        Item("Sy Person", "A first and a last name, in v0, v1 and v2."),
      ], isCompact: true)
    page.paragraph(
      """
      In every family v0 is the nscoding envelope, in which a class that mirrors the model, \
      or is nested in it, conforms to NSCoding; v1 is the dictionariable envelope; v2 is the \
      codable one. A version is written as
      """)
    page.macro("Ar NAME Ns @ Ns Ar VERSION ,")
    page.text("such as WeatherFeed@v2.")
    ownFamilies(&page)
  }

  private func ownFamilies(_ page: inout MdocDocument) {
    page.paragraph(
      """
      An application's own family is a folder with family.json and a schema for each \
      version. Such folders, and folders of them, are named by --schemas, then by the \
      environment variable ARCHTOOL_SCHEMAS, and are searched in archtool/schemas below \
      XDG_CONFIG_HOME, which is .config in the home folder if it is not set. Of two families \
      with the same name the first counts; built-in families are last. To write a family, \
      see
      """)
    page.macro("Xr archtool-schema 5 .")
    page.paragraph(
      """
      A file is treated as the version whose envelope it has and with which it shares the \
      most members. A schema outside of families is named with --schema-file; it may apply \
      to any envelope.
      """)
  }
}
