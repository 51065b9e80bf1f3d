// One command: the parser, help and manual page all read it from here.

/// A command's name, operands, options and purpose.
package struct CommandDescription: Hashable, Sendable, CustomStringConvertible {
  /// The arguments of a command line beside options.
  package struct Operands: Hashable, Sendable {
    /// What an operand is called in help.
    package let name: String
    /// The least number of operands.
    package let minimum: Int
    /// The greatest number of operands; nil for no limit.
    package let maximum: Int?
    /// What the first operand is called if it is not an input as the others are; nil if all are alike.
    package let first: String?
    /// What the last operand is called if it is not an input as the others are; nil if all are alike.
    package let last: String?

    /// The option whose values may also come first, as operands with a `=`; nil if there is none.
    package let leading: OptionDescription?

    /// The option that can be given instead of the operand; nil if there is none, or if it replaces inputs, as in
    /// commands over many files.
    package let orOption: OptionDescription?

    /// Names operands.
    package init(
      name: String, first: String? = nil, last: String? = nil,
      orOption: OptionDescription? = nil, leading: OptionDescription? = nil, minimum: Int,
      maximum: Int?
    ) {
      self.leading = leading
      (self.first, self.last) = (first, last)
      self.orOption = orOption
      self.name = name
      self.minimum = minimum
      self.maximum = maximum
    }

    /// The names of the operands in order; if `isRepeated`, that of the inputs is also that of all further ones.
    package var names: [String] {
      [first, name, last].compactMap { $0 }.flatMap { $0.split(separator: " ").map(String.init) }
    }

    /// The words of the name, by which a text means the operands.
    package var words: [String] {
      names.flatMap { $0.split(separator: "=").map(String.init) }
    }

    /// Those of some operands that are missing, as messages name them.
    func missing(after count: Int) -> String {
      // The names of different operands; otherwise one name is that of all.
      guard first == nil, names.count > 1, names.count >= minimum else { return name }
      return names[min(count, minimum - 1)..<minimum].joined(separator: " ")
    }

    /// Whether one may be `-` for standard input.
    var readStandardInput: Bool { words.contains("FILE") }

    /// Whether more may come under the same name.
    package var isRepeated: Bool { maximum != 1 && !name.contains(" ") }

    /// The operands as help shows them: `FILE...`, `FILE`, `PATH FILE` or `[COMMAND]`.
    package var syntax: String {
      let repeated = isRepeated ? name + "..." : name
      if first != nil || last != nil {
        return [first, repeated, last].compactMap { $0 }.joined(separator: " ")
      }
      if let value = leading?.valueName { return "[\(value)]... \(repeated)" }
      if let orOption { return "\(repeated) | \(orOption.longForm)" }
      return minimum == 0 ? "[\(repeated)]" : repeated
    }
  }

  /// A command line and its explanation.
  package struct Example: Hashable, Sendable, CustomStringConvertible {
    /// The command line.
    package let command: String
    /// The explanation, in one sentence.
    package let explanation: String

    /// The command line.
    package var description: String { command }
  }

  /// An exit status and its meaning for this command.
  package struct Exit: Hashable, Sendable {
    /// The status.
    package let status: ExitStatus
    /// The meaning, in one sentence.
    package let meaning: String
  }

  /// The name, as it is typed.
  package let name: String
  /// The purpose of the command, in one line without a period.
  package let abstract: String
  /// The operands.
  package let operands: Operands
  /// The options of its own.
  package let options: [OptionDescription]
  /// The options that it shares with other commands.
  package let commonOptions: [OptionDescription]
  /// The rules for its options.
  package let rules: [OptionRule]
  /// The details in filled lines, with an empty line between paragraphs.
  package let discussion: String
  /// Examples.
  package let examples: [Example]
  private let statuses: [ExitStatus]
  private let meanings: [Exit]

  /// Describes a command.
  ///
  /// - Parameters:
  ///   - examples: command lines, each with its explanation.
  ///   - exits: the exit statuses to expect, beside that of a wrong command line and those with a meaning.
  ///   - meanings: what statuses mean if it is not what they mean for every command.
  package init(
    name: String, abstract: String, operands: Operands, options: [OptionDescription],
    commonOptions: [OptionDescription], rules: [OptionRule] = [], discussion: String,
    examples: KeyValuePairs<String, String> = [:], exits: [ExitStatus],
    meanings: KeyValuePairs<ExitStatus, String> = [:]
  ) {
    self.name = name
    self.abstract = abstract
    self.operands = operands
    self.options = options
    self.commonOptions = commonOptions
    self.rules = rules
    self.discussion = discussion
    self.examples = examples.map { Example(command: $0, explanation: $1) }
    statuses = exits
    self.meanings = meanings.map { Exit(status: $0, meaning: $1) }
  }

  /// The name.
  package var description: String { name }

  /// The paragraphs of the discussion.
  package var paragraphs: [String] {
    var paragraphs = [""]
    for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        paragraphs.append("")
      } else {
        paragraphs[paragraphs.count - 1] += (paragraphs.last == "" ? "" : " ") + line
      }
    }
    return paragraphs
  }

  /// The exit statuses to expect, that of a wrong command line among them.
  package var exits: [Exit] {
    let usual = Set(statuses + [.usage]).subtracting(meanings.map(\.status))
    return (meanings + usual.map { Exit(status: $0, meaning: $0.meaning) })
      .sorted { $0.status < $1.status }
  }

  /// All options: its own, then the shared ones.
  package var allOptions: [OptionDescription] { options + commonOptions }

  /// The option of a long name, or nil.
  package func option(named name: some StringProtocol) -> OptionDescription? {
    // Names of different lengths need no comparison of their characters.
    let count = name.utf8.count
    func find(_ list: [OptionDescription]) -> OptionDescription? {
      list.first { $0.name.utf8.count == count && $0.name == name }
    }
    return find(options) ?? find(commonOptions)
  }

  /// The command's option with the name of another, which most are themselves; nil if it has none.
  func own(_ option: OptionDescription) -> OptionDescription? {
    options.contains(option) || commonOptions.contains(option)
      ? option : self.option(named: option.name)
  }

  /// Whether it has an option.
  package func offers(_ option: OptionDescription) -> Bool { own(option) != nil }

  func option(letter: Character) -> OptionDescription? {
    options.first { $0.letter == letter } ?? commonOptions.first { $0.letter == letter }
  }

  /// Whether the command line is wrong without an option.
  package func isRequired(_ option: OptionDescription) -> Bool { rules.contains(.oneOf([option])) }
}
