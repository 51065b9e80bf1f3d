// One option: the parser, help and manual page all read it from here.

/// What an option is called, what it takes and what it does.
public struct OptionDescription: Hashable, Sendable {
  /// The long name, without its dashes.
  public let name: String
  /// The short name, where there is one.
  public let letter: Character?
  /// What the value is called in help; nil for a flag.
  public let valueName: String?
  /// The only values there are; empty if any text will do.
  public let allowedValues: [String]
  /// The bounds of a value that is a whole number; nil if it is none.
  public let range: ClosedRange<Int>?
  /// The value that holds when the option is not given.
  public let defaultValue: String?
  /// Whether the option may be given more than once; a flag always may, and means the same.
  public let isRepeatable: Bool
  /// Whether help and manual page leave the option out.
  public let isHidden: Bool
  /// What the option does: its first sentence begins with a verb and fits a line of help.
  public let help: String

  /// The option as it is typed: `--output`.
  public var longForm: String { "--" + name }
  /// The short form as it is typed, `-o`, where there is one.
  public var shortForm: String? { letter.map { "-\($0)" } }
  /// The option and its value as help shows them: `--output FILE`.
  public var synopsis: String { valueName.map { "\(longForm) \($0)" } ?? longForm }
  /// Whether the option takes a value.
  public var takesValue: Bool { valueName != nil }

  /// The help, its first sentence with the values to choose from and the default in parentheses.
  package var fullHelp: String {
    ([Self.sentence(firstSentence, [choices, defaultFact])] + [furtherSentences].compactMap { $0 })
      .joined(separator: " ")
  }

  /// The first sentence of the help, as complete as a line may have room for: the most complete comes first.
  var summaries: [String] {
    [
      Self.sentence(firstSentence, [choices, defaultFact]),
      Self.sentence(firstSentence, [choices]), firstSentence,
    ]
  }

  private var firstSentence: String {
    help.firstRange(of: ". ").map { help[..<$0.lowerBound] + "." } ?? help
  }

  private var furtherSentences: String? {
    help.firstRange(of: ". ").map { String(help[$0.upperBound...]) }
  }

  private var choices: String? {
    allowedValues.isEmpty ? nil : allowedValues.joined(separator: ", ")
  }

  private var defaultFact: String? { defaultValue.map { "default: \($0)" } }

  /// A sentence with facts in parentheses at its end.
  private static func sentence(_ sentence: String, _ facts: [String?]) -> String {
    let facts = facts.compactMap { $0 }
    if facts.isEmpty { return sentence }
    let words = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return "\(words) (\(facts.joined(separator: "; ")))."
  }
}

extension OptionDescription {
  /// An option without a value.
  public static func flag(
    _ name: String, letter: Character? = nil, isHidden: Bool = false, help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, letter: letter, valueName: nil, allowedValues: [], range: nil, defaultValue: nil,
      isRepeatable: true, isHidden: isHidden, help: help)
  }

  /// An option whose value is any text but the empty one.
  public static func text(
    _ name: String, letter: Character? = nil, valueName: String, isRepeatable: Bool = false,
    help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, letter: letter, valueName: valueName, allowedValues: [], range: nil,
      defaultValue: nil, isRepeatable: isRepeatable, isHidden: false, help: help)
  }

  /// An option whose value is one of a few; the first is the default, unless there is none.
  public static func choice(
    _ name: String, valueName: String, of values: [String], hasDefault: Bool = true, help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, letter: nil, valueName: valueName, allowedValues: values, range: nil,
      defaultValue: hasDefault ? values.first : nil, isRepeatable: false, isHidden: false,
      help: help)
  }

  /// An option whose value is a whole number.
  public static func integer(
    _ name: String, letter: Character? = nil, in range: ClosedRange<Int>,
    default defaultValue: Int? = nil, help: String
  ) -> OptionDescription {
    OptionDescription(
      name: name, letter: letter, valueName: "N", allowedValues: [], range: range,
      defaultValue: defaultValue.map { "\($0)" }, isRepeatable: false, isHidden: false, help: help)
  }
}
