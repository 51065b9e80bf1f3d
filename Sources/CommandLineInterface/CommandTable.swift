// All commands: the one description that the parser, help and the manual page are made from.

/// The commands of a program and the options that stand before a command.
public struct CommandTable: Hashable, Sendable {
  /// The program's name.
  public let program: String
  /// What the program does, in one line without a full stop.
  public let abstract: String
  /// The commands, in the order in which help shows them.
  public let commands: [CommandDescription]
  /// The options that stand in a command's place.
  public let options: [OptionDescription]
  /// What holds between the options of every command that has them.
  public let rules: [OptionRule]

  /// Makes a table.
  public init(
    program: String, abstract: String, commands: [CommandDescription], options: [OptionDescription],
    rules: [OptionRule] = []
  ) {
    self.rules = rules
    self.program = program
    self.abstract = abstract
    self.commands = commands
    self.options = options
  }

  /// The command of a name, nil if there is none.
  public func command(named name: String) -> CommandDescription? {
    commands.first { $0.name == name }
  }

  /// Whether a word begins the names of several commands: `schema`.
  func isGroup(_ word: String) -> Bool { !word.isEmpty && !commands(in: word).isEmpty }

  /// The commands whose names begin with a word and go on with another.
  func commands(in group: String) -> [CommandDescription] {
    commands.filter { $0.name.hasPrefix(group + " ") }
  }
}
