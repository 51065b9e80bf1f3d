// Help: complete, and no wider than a terminal.

import Basics
import Testing

@testable import CommandLineInterface

struct HelpTextTests {
  static let all: [CommandDescription?] = [nil] + CommandTable.archtool.commands

  static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(arguments: all)
  func fitsEightyColumns(command: CommandDescription?) {
    let text = HelpText().render(command)
    for line in Self.lines(text) {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    #expect(!text.contains("\n\n\n"))
  }

  @Test(arguments: CommandTable.archtool.commands)
  func showsEveryOption(command: CommandDescription) {
    let lines = Self.lines(HelpText().render(command))
    for option in command.allOptions {
      let term = (option.shortForm.map { "  \($0), " } ?? "      ") + option.synopsis
      let shown = lines.filter { $0 == term || $0.hasPrefix(term + "  ") }
      #expect(shown.count == (option.isHidden ? 0 : 1), "\(option.name)")
    }
  }

  @Test(arguments: CommandTable.archtool.commands)
  func showsOperandsExamplesAndExits(command: CommandDescription) {
    let text = HelpText().render(command)
    #expect(text.hasPrefix("Usage: archtool \(command.name) [OPTION...] "))
    #expect(text.contains("\(command.operands.syntax)\n"))
    for example in command.examples { #expect(text.contains("  \(example.command)\n")) }
    for exit in command.exits { #expect(text.contains("\n  \(exit.status.rawValue) ")) }
  }

  @Test func listsEveryCommand() {
    let text = HelpText().render()
    for command in CommandTable.archtool.commands {
      #expect(text.contains("\n  \(command.name) "))
      #expect(text.contains(" \(command.abstract)\n"))
    }
    for option in CommandTable.archtool.options { #expect(text.contains(option.longForm)) }
  }

  @Test func requiresWhatTheRulesRequire() {
    let usage = Self.lines(HelpText().render(.create))[0]
    #expect(
      usage == "Usage: archtool create [OPTION...] --schema NAME[@VERSION] --output FILE FILE")
  }

  @Test func showsValuesAndDefaults() {
    let text = HelpText().render(.dump)
    #expect(text.contains("Write the graph as FORMAT (tree, json; default: tree).\n"))
  }

  /// Files are validated one after another: what works on several at a time are records.
  @Test func saysWhatJobsAre() {
    let text = HelpText().render(.validate).split(whereSeparator: \.isWhitespace)
    #expect(text.joined(separator: " ").contains("--jobs N Work on N inputs at a time"))
  }

  /// Options that several commands share are not described as one of them does it.
  @Test(arguments: CommandTable.archtool.commands.filter { $0 != .migrate })
  func onlyMigrateMigrates(command: CommandDescription) {
    for option in command.allOptions {
      #expect(!option.help.lowercased().contains("migrat"), "\(option.name): \(option.help)")
    }
  }

  @Test func stylesHeadingsOnlyWhereStylesAreOn() {
    #expect(!HelpText().render(.dump).contains("\u{1B}"))
    let styled = HelpText(style: TerminalStyle(isOn: true)).render(.dump)
    #expect(styled.contains("\u{1B}[1mOptions:\u{1B}[0m\n"))
  }
}
