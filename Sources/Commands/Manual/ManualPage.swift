// The manual page archtool(1), made from the description of the commands and prose of its own.

import Basics
import CommandLineInterface
import FileTransactions

/// Renders the manual page in mdoc.
public struct ManualPage: Sendable {
  typealias Item = MdocDocument.Item

  /// The commands.
  public let table: CommandTable

  /// Makes a renderer of the manual page.
  public init(table: CommandTable = Commands.table) { self.table = table }

  /// The page's source.
  public func render() -> String {
    var page = MdocDocument()
    page.comment("Made by 'archtool help --manual' from the description of the commands.")
    page.macro("Dd " + Version.manualDate)
    page.macro("Dt \(table.program.uppercased()) 1")
    page.macro("Os")
    page.section("NAME")
    page.macro("Nm " + table.program)
    page.macro("Nd " + table.abstract)
    synopsis(&page)
    description(&page)
    formats(&page)
    envelopes(&page)
    schemas(&page)
    lints(&page)
    classes(&page)
    jsonOutput(&page)
    reports(&page)
    paths(&page)
    environment(&page)
    exitStatus(&page)
    examples(&page)
    diagnostics(&page)
    references(&page)
    return page.source
  }

  // MARK: From the description of the commands

  private func synopsis(_ page: inout MdocDocument) {
    page.section("SYNOPSIS")
    for command in table.commands {
      page.macro("Nm")
      page.macro("Cm " + command.name)
      for option in command.allOptions where !option.isHidden && option != .help {
        let form = option.letter.map { "Fl \($0)" } ?? "Fl -\(option.name)"
        let value = option.valueName.map { " Ar " + MdocText.argument($0) } ?? ""
        page.macro((command.isRequired(option) ? "" : "Op ") + form + value)
      }
      page.macro(operandsMacro(command.operands))
    }
    for option in table.options {
      page.macro("Nm")
      page.macro("Fl -" + option.name)
    }
  }

  private func operandsMacro(_ operands: CommandDescription.Operands) -> String {
    let macro = "Ar " + operands.name + (operands.isRepeated ? " ..." : "")
    return operands.minimum == 0 ? "Op " + macro : macro
  }

  private func description(_ page: inout MdocDocument) {
    page.section("DESCRIPTION")
    introduction(&page)
    for command in table.commands {
      page.subsection("archtool " + command.name)
      page.text(HelpText.sentence(command.abstract))
      for paragraph in command.discussion {
        page.paragraph(paragraph, placeholders: command.operands.words)
      }
      let own = command.options.filter { !$0.isHidden }
      if !own.isEmpty { page.list(width: "Ds", own.map(item)) }
    }
    page.subsection("Common options")
    page.text("Commands take these options; create and help take those that apply.")
    page.list(width: "Ds", OptionDescription.common.map(item))
    page.paragraph(
      """
      In GLOB a star stands for any text, a question mark for one character, and brackets for one \
      of some characters; none of them stands for a slash, and ** between slashes stands for any \
      folders. With a slash GLOB is matched against the path below the folder that was named, \
      without one against the name alone.
      """, placeholders: ["GLOB"])
    page.paragraph(
      """
      Files are looked for as they are needed. In folders that are read names that begin with \
      .archtool- are passed over, and so are the folder that results are written to and all that \
      runs leave beside archives: journals, plans, lost values, and the copies of --backup, which \
      are known by their record, not by their name. One of those that is named itself is read, but \
      never replaced. A name need not be UTF-8; its other bytes are shown as in \\xe9.
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
    page.text("With several files the status is the highest that any of them gives.")
    let items = ExitStatus.allCases.map { Item("Sy \($0.rawValue)", $0.meaning) }
    page.list(width: "Ds", items, isCompact: true)
  }

  private func examples(_ page: inout MdocDocument) {
    page.section("EXAMPLES")
    let examples = table.commands.flatMap(\.examples)
    for (index, example) in examples.enumerated() {
      if index == 0 { page.text(example.explanation) } else { page.paragraph(example.explanation) }
      page.display("$ " + example.command)
    }
  }
}
