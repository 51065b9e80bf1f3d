// Help: complete or brief, grouped, and no wider than a terminal.

import ArchiveBasics
import Testing

@testable import ArchtoolCommands
@testable import CommandLineInterface

struct HelpTextTests {
  static let all: [CommandDescription?] = [nil] + Commands.table.commands

  static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Examples are never broken, since they are to be copied.
  @Test(arguments: all, [60, 72, 80, 100])
  func fitsTheWidth(command: CommandDescription?, width: Int) {
    let examples = Set((command?.examples ?? []).map { "  \($0.command)" })
    for detail in [HelpDetail.brief, .full] {
      let text = HelpText(table: Commands.table, width: width).render(command, detail)
      for line in Self.lines(text) where !examples.contains(String(line)) {
        #expect(line.count <= width, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
      #expect(!text.contains("\n\n\n"))
    }
  }

  @Test func usesTheWidth() {
    let lines = [60, 80, 100].map { width in
      Self.lines(HelpText(table: Commands.table, width: width).render(Migrate.description)).count
    }
    #expect(lines[0] > lines[1] && lines[1] > lines[2])
  }

  /// At 80 columns each option has one line that shows its whole first sentence, or two with the values to choose from.
  @Test(arguments: Commands.table.commands)
  func brieflyShowsEveryOptionOnALine(command: CommandDescription) {
    let text = HelpText(table: Commands.table).render(command, .brief)
    #expect(!text.contains("…"))
    let lines = Self.lines(text)
    for option in command.allOptions where !option.isHidden {
      let term = (option.shortForm.map { "  \($0), " } ?? "      ") + option.synopsis
      let places = lines.indices.filter { lines[$0] == term || lines[$0].hasPrefix(term + "  ") }
      #expect(places.count == 1, "\(option.name)")
      guard let place = places.first, lines[place].last != "." else { continue }
      #expect(
        !option.allowedValues.isEmpty && lines[place...].prefix(3).contains { $0.hasSuffix(").") },
        "\(option.name)")
    }
    let details = "\nRun 'archtool \(command.name) --help' for all details.\n"
    #expect(text.hasSuffix(details))
    #expect(text.contains("\nExamples:\n  archtool "))
    #expect(text.contains("\nExit status:\n  0"))
  }

  @Test func brieflyListsEveryCommandOnALine() {
    let text = HelpText(table: Commands.table).render(nil, .brief)
    #expect(!text.contains("…"))
    #expect(Self.lines(text).count == Commands.table.commands.count + 8)
    #expect(text.hasSuffix("\nRun 'archtool COMMAND --help' for all details.\n"))
  }

  @Test(arguments: Commands.table.commands)
  func cutsNoSentenceOnANarrowTerminal(command: CommandDescription) {
    let text = HelpText(table: Commands.table, width: 60).render(command, .brief)
    #expect(!text.contains("…"))
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    for option in command.allOptions where !option.isHidden {
      #expect(option.summaries.contains(where: words.contains), "\(option.name)")
    }
  }

  /// Every option has a heading, and each heading its options in the same order in every command.
  @Test(arguments: Commands.table.commands)
  func groupsEveryOption(command: CommandDescription) {
    let text = HelpText(table: Commands.table).render(command)
    #expect(!text.contains("\nOther options:\n"))
    let sections = Commands.table.headedOptions(of: command)
    #expect(sections.last?.title == "General")
    let shown = sections.flatMap(\.options).map(\.name)
    let described = command.allOptions.filter { !$0.isHidden }.map(\.name)
    #expect(shown.count == described.count)
    #expect(Set(shown) == Set(described))
  }

  @Test func listsEachOptionUnderOneHeading() {
    let options = OptionHeadings.all.flatMap(\.options)
    #expect(Set(options).count == options.count)
    let used = Set(Commands.table.commands.flatMap(\.allOptions))
    for option in options { #expect(used.contains(option), "\(option.name)") }
  }

  @Test(arguments: Commands.table.commands)
  func optionsBeginWithAVerb(command: CommandDescription) {
    let verbs: Set = [
      "Find", "Accept", "Allow", "Also", "Answer", "Check", "Choose", "Color", "Continue",
      "Convert", "Do",
      "Exit", "Fail", "Give", "Go", "Keep", "Leave", "List", "Look", "Make", "Migrate", "Name",
      "Print",
      "Process", "Read", "Remove", "Rename", "Replace", "Report", "Save", "Separate", "Set", "Show",
      "Skip", "Stop", "Structure", "Suppress", "Treat", "Use", "Wait", "Work", "Write", "Compare",
      "Change", "Copy", "Refuse", "Take", "Draw", "Mark", "Undo", "Cut",
    ]
    for option in command.allOptions {
      let word = option.help.prefix { $0 != " " }
      #expect(verbs.contains(String(word)), "\(option.help)")
    }
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
    let usage = Self.lines(HelpText(table: Commands.table).render(Create.description))[0]
    #expect(
      usage == "Usage: archtool create [OPTION...] --schema NAME[@VERSION] FILE")
  }

  @Test func showsValuesAndDefaults() {
    let text = HelpText(table: Commands.table).render(Dump.description)
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("Write the graph as FORMAT (tree, json, ndjson; default: tree)."))
    for (width, end) in [
      (90, " (tree, json, ndjson; default: tree)."), (80, " (tree, json, ndjson)."),
    ] {
      let brief = HelpText(table: Commands.table, width: width).render(Dump.description, .brief)
      #expect(brief.contains("Write the graph as FORMAT\(end)\n"))
    }
  }

  /// Files are validated one after another: what works on several at a time are records.
  @Test func saysWhatJobsAre() {
    let text = HelpText(table: Commands.table).render(Validate.description).split(
      whereSeparator: \.isWhitespace)
    #expect(text.joined(separator: " ").contains("--jobs N Work on N inputs at a time"))
  }

  /// A wrong command line is possible for every command.
  @Test(arguments: Commands.table.commands)
  func namesTheStatusOfAWrongCommandLine(command: CommandDescription) {
    for detail in [HelpDetail.brief, .full] {
      let lines = Self.lines(HelpText(table: Commands.table).render(command, detail))
      #expect(lines.filter { $0.hasPrefix("  64  ") }.count == 1)
    }
  }

  /// Options that several commands share are not described as one of them does it.
  @Test(arguments: Commands.table.commands.filter { $0 != Migrate.description })
  func onlyMigrateMigrates(command: CommandDescription) {
    for option in command.allOptions {
      #expect(!option.help.lowercased().contains("migrat"), "\(option.name): \(option.help)")
    }
  }

  @Test func stylesHeadingsOnlyWhereStylesAreOn() {
    #expect(!HelpText(table: Commands.table).render(Dump.description).contains("\u{1B}"))
    let styled = HelpText(table: Commands.table, style: TerminalStyle(isOn: true)).render(
      Dump.description)
    #expect(styled.contains("\u{1B}[1mOutput:\u{1B}[0m\n"))
  }
}
