// Help on the terminal, made from the description of the commands.

import ArchiveBasics

/// Renders help to the width of a terminal.
package struct HelpText: Sendable {
  /// The commands.
  package let table: CommandTable
  /// How headings are styled.
  package let style: TerminalStyle
  /// The number of columns.
  package let width: Int

  /// An option that is wider has a line of its own.
  private static let widestTerm = 23
  private static let briefExamples = 3

  /// Makes a renderer of help.
  package init(
    table: CommandTable, style: TerminalStyle = .plain, width: Int = TerminalWidth.standard
  ) {
    self.table = table
    self.style = style
    self.width = width
  }

  /// The help for a command, or without one for the program.
  package func render(_ command: CommandDescription? = nil, _ detail: HelpDetail = .full) -> String
  {
    switch (command, detail) {
    case (let command?, .full): full(command)
    case (let command?, .brief): brief(command)
    case (nil, .full): program()
    case (nil, .brief): briefProgram()
    }
  }

  /// The commands whose names begin with a word.
  package func render(group: String) -> String {
    let name = "\(table.program) \(group)"
    return "\(style.bold("Usage:")) \(name) COMMAND [OPTION...] [OPERAND...]\n"
      + commands(table.commands(in: group))
      + "\n" + text("Run '\(name) COMMAND -h' for the options of a command.")
  }

  // MARK: A command

  private func full(_ command: CommandDescription) -> String {
    let sections = table.headedOptions(of: command)
    let column = column(for: sections.flatMap(\.options))
    let options = sections.map { section in
      heading(section.title)
        + TextFilling.columns(
          section.options.map { (term($0), $0.fullHelp) }, column: column, width: width)
    }
    return usage(of: command) + "\n" + purpose(of: command)
      + command.paragraphs.map { "\n" + text($0) }.joined()
      + options.joined()
      + examples(command.examples)
      + heading("Exit status")
      + rows(command.exits.map { ("\($0.status.rawValue)", $0.meaning) })
  }

  private func brief(_ command: CommandDescription) -> String {
    let sections = table.headedOptions(of: command)
    let column = column(for: sections.flatMap(\.options))
    let options = sections.map { section in
      heading(section.title)
        + lines(section.options.map { (term($0), $0.summaries) }, column: column)
    }
    let examples = command.examples.prefix(Self.briefExamples).map { "  \($0.command)\n" }
    let exits = command.exits.map { ("\($0.status.rawValue)", [$0.meaning]) }
    return usage(of: command) + "\n" + purpose(of: command)
      + options.joined()
      + heading("Examples") + examples.joined()
      + heading("Exit status") + lines(exits, column: exitColumn)
      + "\n" + text("Run '\(table.program) \(command.name) --help' for all details.")
  }

  private func purpose(of command: CommandDescription) -> String {
    text(Self.sentence(command.abstract))
      + (table.operandNote(command).map { "\n" + text($0) } ?? "")
  }

  /// The command line with its required options.
  private func usage(of command: CommandDescription) -> String {
    var words = [table.program, command.name, "[OPTION...]"]
    words += command.allOptions.filter(command.isRequired).map(\.synopsis)
    words.append(command.operands.syntax)
    let lines = TextFilling.fill(words.joined(separator: " "), width: width - 7)
    return "\(style.bold("Usage:")) " + lines.joined(separator: "\n       ") + "\n"
  }

  private func examples(_ examples: [CommandDescription.Example]) -> String {
    guard !examples.isEmpty else { return "" }
    let entries = examples.map {
      "  \($0.command)\n" + TextFilling.fill($0.explanation, width: width, indent: 6)
    }
    return heading("Examples") + entries.joined()
  }

  // MARK: The program

  private func program() -> String {
    usageOfProgram + commands(table.commands)
      + heading("Options") + rows(table.options.map { (term($0), $0.fullHelp) })
      + heading("Exit status")
      + rows(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
      + "\n" + text("Run '\(table.program) help COMMAND' for the options of a command.")
  }

  private func briefProgram() -> String {
    usageOfProgram + commands(table.commands)
      + "\n" + text("Run '\(table.program) COMMAND --help' for all details.")
  }

  private var usageOfProgram: String {
    "\(style.bold("Usage:")) \(table.program) COMMAND [OPTION...] [OPERAND...]\n\n"
      + text(Self.sentence(table.abstract))
  }

  private func commands(_ commands: [CommandDescription]) -> String {
    let widest = commands.map(\.name.count).max() ?? 0
    return heading("Commands")
      + lines(commands.map { ($0.name, [$0.abstract]) }, column: widest + 4)
  }

  // MARK: Lines and columns

  private func heading(_ title: String) -> String { "\n\(style.bold(title + ":"))\n" }

  private func term(_ option: OptionDescription) -> String {
    (option.shortForm.map { $0 + ", " } ?? "    ") + option.synopsis
  }

  private func column(for options: [OptionDescription]) -> Int {
    TextFilling.column(for: options.map(term), widest: Self.widestTerm)
  }

  private var exitColumn: Int {
    TextFilling.column(for: ExitStatus.allCases.map { "\($0.rawValue)" }, widest: Self.widestTerm)
  }

  private func rows(_ rows: [(term: String, text: String)]) -> String {
    let column = TextFilling.column(for: rows.map(\.term), widest: Self.widestTerm)
    return TextFilling.columns(rows, column: column, width: width)
  }

  /// Terms with a line each: of several texts for one, the first that fits, or else the first in several lines; the last
  /// only if the one before it takes more than two lines.
  private func lines(_ rows: [(term: String, texts: [String])], column: Int) -> String {
    rows.map { row in
      let start = "  " + row.term
      let gap = max(2, column - start.count)
      let room = max(0, width - start.count - gap)
      let fitting = row.texts.first { $0.count <= room }
      let longer = row.texts.dropLast().last
      let isWorthLines =
        fitting == row.texts.last
        && longer.map { TextFilling.fill($0, width: room).count == 2 } == true
      guard let text = fitting, !isWorthLines else {
        let text = isWorthLines ? longer : nil
        return TextFilling.columns(
          [(row.term, text ?? row.texts[0])], column: column, width: width)
      }
      return start + String(repeating: " ", count: gap) + text + "\n"
    }.joined()
  }

  private func text(_ paragraph: String) -> String {
    TextFilling.fill(paragraph, width: width, indent: 0)
  }

  /// An abstract as a sentence.
  package static func sentence(_ abstract: String) -> String {
    abstract.prefix(1).uppercased() + abstract.dropFirst() + "."
  }
}

// MARK: - Prose broken into lines

enum TextFilling {
  /// The lines of a text, not longer than `width` unless a word is.
  static func fill(_ text: some StringProtocol, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.split(separator: " ") {
      let count = word.count
      if length > 0, length + 1 + count > width {
        lines.append(line)
        (line, length) = ("", 0)
      }
      if length > 0 {
        line += " "
        length += 1
      }
      line += word
      length += count
    }
    if length > 0 { lines.append(line) }
    return lines
  }

  /// The lines of a text with spaces before each.
  static func fill(_ text: String, width: Int, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return fill(text, width: width - indent).map { margin + $0 + "\n" }.joined()
  }

  /// The column of the explanations, after the widest term that is not too wide.
  static func column(for terms: [String], widest: Int) -> Int {
    (terms.map(\.count).filter { $0 <= widest }.max() ?? widest) + 4
  }

  /// Terms and what they mean in two columns; a term that is too wide for its column has a line of its own.
  static func columns(_ rows: [(term: String, text: String)], column: Int, width: Int) -> String {
    var output = ""
    for row in rows {
      var lines = fill(row.text, width: width - column)
      var start = "  " + row.term
      if row.term.count + 4 <= column, !lines.isEmpty {
        start += String(repeating: " ", count: column - start.count) + lines.removeFirst()
      }
      output += start + "\n"
      let margin = String(repeating: " ", count: column)
      for line in lines { output += margin + line + "\n" }
    }
    return output
  }
}

// MARK: - The command `help`, and the options that may replace a command

extension CommandDescription {
  /// The name of the command that shows help.
  package static let helpName = "help"

  /// The command that shows help for the program or a command.
  package static func help(examples: KeyValuePairs<String, String>) -> CommandDescription {
    CommandDescription(
      name: helpName,
      abstract: "show help for the program or for a command",
      operands: Operands(name: "COMMAND", minimum: 0, maximum: 2),
      options: [.manual],
      commonOptions: [.help],
      discussion: """
        Without COMMAND, all commands are listed. COMMAND --help shows the same as help COMMAND;
        COMMAND -h shows one line for each option.
        """,
      examples: examples,
      exits: [.done], meanings: [.usage: "There is no such command."])
  }
}

extension OptionDescription {
  /// `-h`, `--help`: help instead of the command.
  package static let help = flag("help", letter: "h", help: "Show all help, or a summary with -h.")

  /// `--version`: the program's version.
  package static let version = flag("version", help: "Show the version.")

  /// `--manual`: the manual page itself, for those who build the program.
  package static let manual = flag(
    "manual", isHidden: true, help: "Print a manual page in mdoc. COMMAND is the name of its file.")
}
