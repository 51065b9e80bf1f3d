// Help on the terminal, made from the description of the commands.

import Basics

/// Renders help to 80 columns.
public struct HelpText: Sendable {
  /// The commands.
  public let table: CommandTable
  /// How headings are styled.
  public let style: TerminalStyle

  static let width = 80
  /// An option that is wider stands on a line of its own.
  private static let widestTerm = 24

  /// Makes a renderer of help.
  public init(table: CommandTable, style: TerminalStyle = .plain) {
    self.table = table
    self.style = style
  }

  /// The help for a command, or for the program if there is none.
  public func render(_ command: CommandDescription? = nil) -> String {
    guard let command else { return program() }
    return usage(of: command) + "\n" + text(Self.sentence(command.abstract))
      + command.discussion.map { "\n" + text($0) }.joined()
      + options(of: command)
      + examples(command.examples)
      + section("Exit status", rows: command.exits.map { ("\($0.status.rawValue)", $0.meaning) })
  }

  /// What the commands are whose names begin with a word.
  public func render(group: String) -> String {
    let name = "\(table.program) \(group)"
    return "\(style.bold("Usage:")) \(name) COMMAND [OPTION...] [OPERAND...]\n"
      + section("Commands", rows: table.commands(in: group).map { ($0.name, $0.abstract) })
      + "\n" + text("Run '\(table.program) help \(group) COMMAND' for the options of a command.")
  }

  private func program() -> String {
    let name = table.program
    return "\(style.bold("Usage:")) \(name) COMMAND [OPTION...] [OPERAND...]\n\n"
      + text(Self.sentence(table.abstract))
      + section("Commands", rows: table.commands.map { ($0.name, $0.abstract) })
      + section("Options", rows: rows(table.options))
      + "\n" + text("Run '\(name) help COMMAND' for the options of a command.")
  }

  /// The command line with what must stand on it.
  private func usage(of command: CommandDescription) -> String {
    var words = [table.program, command.name, "[OPTION...]"]
    words += command.allOptions.filter(command.isRequired).map(\.synopsis)
    words.append(command.operands.syntax)
    let lines = TextFilling.fill(words.joined(separator: " "), width: Self.width - 7)
    return "\(style.bold("Usage:")) " + lines.joined(separator: "\n       ") + "\n"
  }

  private func options(of command: CommandDescription) -> String {
    let own = rows(command.options)
    let title = own.isEmpty ? "Options" : "Common options"
    return section("Options", rows: own) + section(title, rows: rows(command.commonOptions))
  }

  private func rows(_ options: [OptionDescription]) -> [(term: String, text: String)] {
    options.filter { !$0.isHidden }.map { option in
      let letter = option.shortForm.map { $0 + ", " } ?? "    "
      return (letter + option.synopsis, option.fullHelp)
    }
  }

  private func section(_ title: String, rows: [(term: String, text: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    return "\n\(style.bold(title + ":"))\n"
      + TextFilling.columns(rows, width: Self.width, widest: Self.widestTerm)
  }

  private func examples(_ examples: [CommandDescription.Example]) -> String {
    guard !examples.isEmpty else { return "" }
    let entries = examples.map {
      "  \($0.command)\n" + TextFilling.fill($0.explanation, width: Self.width, indent: 6)
    }
    return "\n\(style.bold("Examples:"))\n" + entries.joined()
  }

  private func text(_ paragraph: String) -> String {
    TextFilling.fill(paragraph, width: Self.width, indent: 0)
  }

  /// An abstract as a sentence.
  package static func sentence(_ abstract: String) -> String {
    abstract.prefix(1).uppercased() + abstract.dropFirst() + "."
  }
}
