// Help: complete, and no wider than a terminal.

import Basics
import Testing

@testable import CommandLineInterface
@testable import Commands

struct HelpTextTests {
  static let all: [CommandDescription?] = [nil] + Commands.table.commands

  static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(arguments: all)
  func fitsEightyColumns(command: CommandDescription?) {
    let text = HelpText(table: Commands.table).render(command)
    for line in Self.lines(text) {
      #expect(line.count <= 80, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    #expect(!text.contains("\n\n\n"))
  }

  @Test(arguments: Commands.table.commands)
  func showsEveryOption(command: CommandDescription) {
    let lines = Self.lines(HelpText(table: Commands.table).render(command))
    for option in command.allOptions {
      let term = (option.shortForm.map { "  \($0), " } ?? "      ") + option.synopsis
      let shown = lines.filter { $0 == term || $0.hasPrefix(term + "  ") }
      #expect(shown.count == (option.isHidden ? 0 : 1), "\(option.name)")
    }
  }

  @Test(arguments: Commands.table.commands)
  func showsOperandsExamplesAndExits(command: CommandDescription) {
    let text = HelpText(table: Commands.table).render(command)
    #expect(text.hasPrefix("Usage: archtool \(command.name) [OPTION...] "))
    #expect(text.contains("\(command.operands.syntax)\n"))
    for example in command.examples { #expect(text.contains("  \(example.command)\n")) }
    for exit in command.exits { #expect(text.contains("\n  \(exit.status.rawValue) ")) }
  }

  @Test func listsEveryCommand() {
    let text = HelpText(table: Commands.table).render()
    for command in Commands.table.commands {
      #expect(text.contains("\n  \(command.name) "))
      #expect(text.contains(" \(command.abstract)\n"))
    }
    for option in Commands.table.options { #expect(text.contains(option.longForm)) }
  }

  @Test func requiresWhatTheRulesRequire() {
    let usage = Self.lines(HelpText(table: Commands.table).render(.create))[0]
    #expect(
      usage == "Usage: archtool create [OPTION...] --schema NAME[@VERSION] --output FILE FILE")
  }

  @Test func showsValuesAndDefaults() {
    let text = HelpText(table: Commands.table).render(.dump)
    #expect(text.contains("Write the graph as FORMAT (tree, json; default: tree).\n"))
  }

  /// Files are validated one after another: what works on several at a time are records.
  @Test func saysWhatJobsAre() {
    let text = HelpText(table: Commands.table).render(.validate).split(
      whereSeparator: \.isWhitespace)
    #expect(text.joined(separator: " ").contains("--jobs N Work on N inputs at a time"))
  }

  /// Options that several commands share are not described as one of them does it.
  @Test(arguments: Commands.table.commands.filter { $0 != .migrate })
  func onlyMigrateMigrates(command: CommandDescription) {
    for option in command.allOptions {
      #expect(!option.help.lowercased().contains("migrat"), "\(option.name): \(option.help)")
    }
  }

  @Test func stylesHeadingsOnlyWhereStylesAreOn() {
    #expect(!HelpText(table: Commands.table).render(.dump).contains("\u{1B}"))
    let styled = HelpText(table: Commands.table, style: TerminalStyle(isOn: true)).render(.dump)
    #expect(styled.contains("\u{1B}[1mOptions:\u{1B}[0m\n"))
  }
}
