// One command: the parser, help and manual page all read it from here.

/// What a command is called, what it takes and what it does.
public struct CommandDescription: Hashable, Sendable, CustomStringConvertible {
  /// What stands on the command line beside options.
  public struct Operands: Hashable, Sendable {
    /// What an operand is called in help.
    public let name: String
    /// The least number of operands.
    public let minimum: Int
    /// The greatest number of operands; nil if there is none.
    public let maximum: Int?

    /// Names operands.
    public init(name: String, minimum: Int, maximum: Int?) {
      self.name = name
      self.minimum = minimum
      self.maximum = maximum
    }

    /// The words of the name, by which a text means the operands.
    package var words: [String] { name.split { $0 == " " || $0 == "=" }.map(String.init) }

    /// Whether one may be `-` for standard input.
    var readStandardInput: Bool { words.contains("FILE") }

    /// Whether more may come under the same name.
    package var isRepeated: Bool { maximum != 1 && !name.contains(" ") }

    /// The operands as help shows them: `FILE...`, `FILE`, `PATH FILE` or `[COMMAND]`.
    public var syntax: String {
      let repeated = isRepeated ? name + "..." : name
      return minimum == 0 ? "[\(repeated)]" : repeated
    }
  }

  /// A command line and what it does.
  public struct Example: Hashable, Sendable, CustomStringConvertible {
    /// The command line.
    public let command: String
    /// What it does, in one sentence.
    public let explanation: String

    /// Makes an example.
    public init(command: String, explanation: String) {
      self.command = command
      self.explanation = explanation
    }

    /// The command line.
    public var description: String { command }
  }

  /// An exit status and what it says after this command.
  public struct Exit: Hashable, Sendable {
    /// The status.
    public let status: ExitStatus
    /// What it says, in one sentence.
    public let meaning: String

    /// Makes the meaning of a status; without words that of every command.
    public init(_ status: ExitStatus, _ meaning: String? = nil) {
      self.status = status
      self.meaning = meaning ?? status.meaning
    }

    /// Of commands that check or change files: finding none is an error.
    public static let cannotOpenOrNone = Exit(
      .cannotOpen, "An input cannot be opened, or no file matched.")
  }

  /// The name, as it is typed.
  public let name: String
  /// What the command does, in one line without a full stop.
  public let abstract: String
  /// The operands.
  public let operands: Operands
  /// The options of its own.
  public let options: [OptionDescription]
  /// The options that it shares with other commands.
  public let commonOptions: [OptionDescription]
  /// What holds between options.
  public let rules: [OptionRule]
  /// What there is to know, a string a paragraph.
  public let discussion: [String]
  /// Examples.
  public let examples: [Example]
  /// The exit statuses to expect.
  public let exits: [Exit]

  /// Describes a command.
  public init(
    name: String, abstract: String, operands: Operands, options: [OptionDescription],
    commonOptions: [OptionDescription], rules: [OptionRule], discussion: [String],
    examples: [Example], exits: [Exit]
  ) {
    self.name = name
    self.abstract = abstract
    self.operands = operands
    self.options = options
    self.commonOptions = commonOptions
    self.rules = rules
    self.discussion = discussion
    self.examples = examples
    self.exits = exits
  }

  /// The name.
  public var description: String { name }
  /// All options: its own, then the shared ones.
  public var allOptions: [OptionDescription] { options + commonOptions }

  /// The exit statuses to expect, that of a wrong command line among them.
  var allExits: [Exit] {
    if exits.contains(where: { $0.status == .usage }) { return exits }
    return (exits + [Exit(.usage)]).sorted { $0.status < $1.status }
  }

  /// The option of a long name, nil if the command has none.
  package func option(named name: some StringProtocol) -> OptionDescription? {
    options.first { $0.name == name } ?? commonOptions.first { $0.name == name }
  }

  /// The option of a letter, nil if the command has none.
  func option(letter: Character) -> OptionDescription? {
    options.first { $0.letter == letter } ?? commonOptions.first { $0.letter == letter }
  }

  /// Whether the command line is wrong without an option.
  package func isRequired(_ option: OptionDescription) -> Bool { rules.contains(.oneOf([option])) }
}
