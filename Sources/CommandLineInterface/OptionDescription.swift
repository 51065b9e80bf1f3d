// One option: the parser, help and manual page all read it from here.

import Basics

/// An option's names, value and purpose.
///
/// Rules, lists and tables have many copies of one description: they share what it says.
package struct OptionDescription: Hashable, Sendable {
  private struct Facts: Hashable {
    let name: String
    let letter: Character?
    let valueName: String?
    let allowedValues: [String]
    /// The words that a value may begin with if it may be left out; the first stands for no value.
    var optionalWords: [String] = []
    var aliases: [String: String] = [:]
    var completionSource: CompletionSource?
    let range: ClosedRange<Int>?
    let defaultValue: String?
    let isRepeatable: Bool
    let isHidden: Bool
    let help: String
  }

  private final class SharedFacts: Sendable {
    let facts: Facts

    init(_ facts: Facts) { self.facts = facts }
  }

  private let shared: SharedFacts

  private init(_ facts: Facts) { shared = SharedFacts(facts) }

  /// The long name, without its dashes.
  package var name: String { shared.facts.name }
  /// The short name, if any.
  package var letter: Character? { shared.facts.letter }
  /// The name of the value in help; nil for a flag.
  package var valueName: String? { shared.facts.valueName }
  /// The allowed values; empty if any text is allowed.
  package var allowedValues: [String] { shared.facts.allowedValues }
  /// Other spellings of allowed values, which help does not list.
  package var aliases: [String: String] { shared.facts.aliases }
  /// Where the shell finds the value; nil for what the name of the value says.
  package var completionSource: CompletionSource? { shared.facts.completionSource }
  /// The bounds of an integer value; nil for other values.
  package var range: ClosedRange<Int>? { shared.facts.range }
  /// The value if the option is not given.
  package var defaultValue: String? { shared.facts.defaultValue }
  /// Whether the option may be repeated; a flag always may, without further effect.
  package var isRepeatable: Bool { shared.facts.isRepeatable }
  /// Whether help and manual page leave the option out.
  package var isHidden: Bool { shared.facts.isHidden }
  /// The purpose of the option: the first sentence begins with a verb and fits a line of help.
  package var help: String { shared.facts.help }

  /// Whether two options are described alike.
  package static func == (one: OptionDescription, other: OptionDescription) -> Bool {
    one.shared === other.shared || one.shared.facts == other.shared.facts
  }

  /// Feeds the names, which tell options apart.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The same option, whose values have other spellings as well.
  package func accepting(_ aliases: [String: String]) -> OptionDescription {
    var facts = shared.facts
    facts.aliases = aliases
    return OptionDescription(facts)
  }

  /// The same option, for whose value the shell offers what a source has.
  package func completed(from source: CompletionSource) -> OptionDescription {
    var facts = shared.facts
    facts.completionSource = source
    return OptionDescription(facts)
  }

  /// The option as it is typed: `--output`.
  package var longForm: String { "--" + name }
  /// The short form as it is typed, `-o`, if any.
  package var shortForm: String? { letter.map { "-\($0)" } }
  /// The option and its value as help shows them: `--output FILE`.
  package var synopsis: String { valueName.map { "\(longForm) \($0)" } ?? longForm }
  /// Whether the option must have a value.
  package var takesValue: Bool { valueName != nil && shared.facts.optionalWords.isEmpty }
  /// The value of an option whose value was left out; nil for one that needs a value, and for a flag.
  var omittedValue: String? { shared.facts.optionalWords.first }

  /// Whether a word after the option is its value, which may be left out: one of its words, or that and a colon.
  func isOptionalValue(_ word: String) -> Bool {
    shared.facts.optionalWords.contains { word.prefix { $0 != ":" } == $0 }
  }

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
    help.firstOccurrence(of: ". ").map { help[..<$0.lowerBound] + "." } ?? help
  }

  private var furtherSentences: String? {
    help.firstOccurrence(of: ". ").map { String(help[$0.upperBound...]) }
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
  package static func flag(
    _ name: String, letter: Character? = nil, isHidden: Bool = false, help: String
  ) -> OptionDescription {
    OptionDescription(
      Facts(
        name: name, letter: letter, valueName: nil, allowedValues: [], range: nil,
        defaultValue: nil,
        isRepeatable: true, isHidden: isHidden, help: help))
  }

  /// An option whose value is any text but the empty one.
  package static func text(
    _ name: String, letter: Character? = nil, valueName: String, isRepeatable: Bool = false,
    help: String
  ) -> OptionDescription {
    OptionDescription(
      Facts(
        name: name, letter: letter, valueName: valueName, allowedValues: [], range: nil,
        defaultValue: nil, isRepeatable: isRepeatable, isHidden: false, help: help))
  }

  /// An option whose value may be left out; it may be repeated.
  ///
  /// - Parameter words: what a value begins with, before a colon; the first stands for no value.
  package static func optional(
    _ name: String, valueName: String, words: [String], help: String
  ) -> OptionDescription {
    OptionDescription(
      Facts(
        name: name, letter: nil, valueName: "[\(valueName)]", allowedValues: [],
        optionalWords: words, range: nil, defaultValue: nil, isRepeatable: true, isHidden: false,
        help: help))
  }

  /// An option with a choice of values; the first is the default, unless it has no default.
  package static func choice(
    _ name: String, valueName: String, of values: [String], hasDefault: Bool = true, help: String
  ) -> OptionDescription {
    OptionDescription(
      Facts(
        name: name, letter: nil, valueName: valueName, allowedValues: values, range: nil,
        defaultValue: hasDefault ? values.first : nil, isRepeatable: false, isHidden: false,
        help: help))
  }

  /// An option whose value is a whole number.
  package static func integer(
    _ name: String, letter: Character? = nil, in range: ClosedRange<Int>,
    default defaultValue: Int? = nil, help: String
  ) -> OptionDescription {
    OptionDescription(
      Facts(
        name: name, letter: letter, valueName: "N", allowedValues: [], range: range,
        defaultValue: defaultValue.map { "\($0)" }, isRepeatable: false, isHidden: false, help: help
      ))
  }
}

// MARK: - Options whose value is one of a few, as the cases of a type

/// The values of an option; the first is the default, unless the option has none.
///
/// The option is described with `allCases.map { $0.rawValue }`: where the type is known, no metadata is made at a start.
package protocol OptionChoice: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

extension ParsedArguments {
  /// The value of an option; nil if it has neither a value nor a default.
  @inlinable
  package func choice<Choice: OptionChoice>(
    of option: OptionDescription, as type: Choice.Type = Choice.self
  ) -> Choice? {
    value(of: option).flatMap(Choice.init(rawValue:))
  }
}

// MARK: - The headings under which help lists options

/// A heading of help and the options under it, in the order in which help lists them.
package struct OptionHeading: Sendable {
  /// The heading, without a colon.
  package let title: String
  /// The options of all commands that belong under it.
  package let options: [OptionDescription]

  /// Names a heading.
  package init(_ title: String, _ options: [OptionDescription]) {
    self.title = title
    self.options = options
  }
}
