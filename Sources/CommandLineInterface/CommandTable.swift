// All commands: the one description that the parser, help and the manual page are made from.

/// The commands of a program and the options that may precede a command.
package struct CommandTable: Sendable {
  /// The program's name.
  package let program: String
  /// The purpose of the program, in one line without a period.
  package let abstract: String
  /// The commands that are shown, in the order in which help shows them.
  package var commands: [CommandDescription] { shown.map(describe) }
  /// Their names.
  private let shown: [String]
  /// The names of commands that help, manual page and completions leave out: they are for scripts of the program's own.
  private let hidden: [String]
  /// Describes a command of the table by its name: descriptions are made on demand.
  private let describe: @Sendable (String) -> CommandDescription
  /// The options that may replace a command.
  package let options: [OptionDescription]
  /// The rules for the options of every command that has them.
  package let rules: [OptionRule]
  /// The headings under which help lists options, made on demand.
  package let headings: @Sendable () -> [OptionHeading]
  /// The command, with its first option if one is needed, for a word or an option that other programs have in its place;
  /// nil for other words.
  package let synonym: @Sendable (String) -> String?
  /// The command that was meant if a file is named where a command belongs, by its path.
  package let fileCommand: (@Sendable (String) -> String)?
  /// The same for a folder.
  package let folderCommand: String?
  /// What help says of the operands of a command, beside its description; nil for nothing.
  package let operandNote: @Sendable (CommandDescription) -> String?

  /// Makes a table.
  package init(
    program: String, abstract: String, commands: [String], hidden: [String] = [],
    describe: @escaping @Sendable (String) -> CommandDescription, options: [OptionDescription],
    rules: [OptionRule] = [], headings: @escaping @Sendable () -> [OptionHeading] = { [] },
    synonym: @escaping @Sendable (String) -> String? = { _ in nil },
    fileCommand: (@Sendable (String) -> String)? = nil,
    folderCommand: String? = nil,
    operandNote: @escaping @Sendable (CommandDescription) -> String? = { _ in nil }
  ) {
    self.operandNote = operandNote
    self.folderCommand = folderCommand
    self.headings = headings
    self.synonym = synonym
    self.fileCommand = fileCommand
    self.rules = rules
    self.program = program
    self.abstract = abstract
    shown = commands
    self.hidden = hidden
    self.describe = describe
    self.options = options
  }

  /// The command of a name, or nil.
  package func command(named name: String) -> CommandDescription? {
    has(name) ? describe(name) : nil
  }

  func has(_ name: String) -> Bool { shown.contains(name) || hidden.contains(name) }

  /// Whether a word begins the names of several commands: `schema`.
  package func isGroup(_ word: String) -> Bool {
    !word.isEmpty && (shown + hidden).contains { $0.hasPrefix(word + " ") }
  }

  /// The options of a command that help shows, under their headings; those without one come last.
  func headedOptions(of command: CommandDescription) -> [OptionHeading] {
    var rest = command.allOptions.filter { !$0.isHidden }
    var sections: [OptionHeading] = []
    for heading in headings() {
      let options = heading.options.filter(rest.contains)
      rest.removeAll(where: options.contains)
      if !options.isEmpty { sections.append((heading.title, options)) }
    }
    if !rest.isEmpty { sections.append((sections.isEmpty ? "Options" : "Other options", rest)) }
    return sections
  }

  /// The words that may follow the program's name, or the name of a group, with the purpose of each.
  package func commandWords(in group: String?) -> [(name: String, purpose: String)] {
    if let group {
      return commands(in: group).map { (String($0.name.dropFirst(group.count + 1)), $0.abstract) }
    }
    var words: [(name: String, purpose: String)] = []
    for command in commands {
      let word = String(command.name.prefix { $0 != " " })
      if word == command.name {
        words.append((word, command.abstract))
      } else if !words.contains(where: { $0.name == word }) {
        words.append((word, commandWords(in: word).map(\.name).joined(separator: ", ")))
      }
    }
    return words
  }

  /// The commands whose names begin with a word followed by another.
  func commands(in group: String) -> [CommandDescription] {
    (shown + hidden).filter { $0.hasPrefix(group + " ") }.map(describe)
  }
}

// MARK: - The request of a command line

/// How much help shows.
package enum HelpDetail: Hashable, Sendable {
  /// One line for each option: `-h`.
  case brief
  /// Everything: `--help`.
  case full
}

/// The action of the program.
package enum Invocation: Hashable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show help for a command, or for the program, on standard output.
  case showHelp(CommandDescription?, HelpDetail)
  /// Show the commands whose names begin with a word.
  case showGroupHelp(String)
  /// Print the source of a manual page, by the name of its file; nil for the program's page.
  case showManual(String?)
  /// Show the version.
  case showVersion
  /// No arguments: show the program's brief help on standard error and exit with status 64.
  case missingCommand
}
