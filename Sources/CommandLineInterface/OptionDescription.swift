// One option: the parser, help and manual page all read it from here.

import ArchiveBasics

/// An option's names, value and purpose.
///
/// Rules, lists and tables have many references to one description.
package final class OptionDescription: Hashable, Sendable {
  /// The long name, without its dashes.
  package let name: String
  /// The short name, if any.
  package let letter: Character?
  /// The name of the value in help; nil for a flag.
  package let valueName: String?
  /// The allowed values; empty if any text is allowed.
  package let allowedValues: [String]
  /// The words that a value may begin with if it may be left out; the first stands for no value.
  private let optionalWords: [String]
  /// Other names of allowed values, which help does not list.
  package let aliases: [String: String]
  /// Where the shell finds the value; nil for what the name of the value says.
  package let completionSource: CompletionSource?
  /// The bounds of an integer value; nil for other values.
  package let range: ClosedRange<Int>?
  /// The value if the option is not given.
  package let defaultValue: String?
  /// Whether the option may be repeated; a flag always may, without further effect.
  package let isRepeatable: Bool
  /// Whether help and manual page leave the option out.
  package let isHidden: Bool
  /// The purpose of the option: the first sentence begins with a verb and fits a line of help.
  package let help: String

  private init(
    _ name: String, letter: Character? = nil, valueName: String? = nil,
    allowedValues: [String] = [], optionalWords: [String] = [], aliases: [String: String] = [:],
    completionSource: CompletionSource? = nil, range: ClosedRange<Int>? = nil,
    defaultValue: String? = nil, isRepeatable: Bool = false, isHidden: Bool = false, help: String
  ) {
    (self.name, self.letter, self.valueName) = (name, letter, valueName)
    (self.allowedValues, self.optionalWords, self.aliases) = (allowedValues, optionalWords, aliases)
    (self.completionSource, self.range, self.defaultValue) = (completionSource, range, defaultValue)
    (self.isRepeatable, self.isHidden, self.help) = (isRepeatable, isHidden, help)
  }

  /// Whether two are the same description.
  package static func == (one: OptionDescription, other: OptionDescription) -> Bool {
    one === other
  }

  /// Feeds the names, which tell options apart.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The option as it is typed: `--output`.
  package var longForm: String { "--" + name }
  /// The short form as it is typed, `-o`, if any.
  package var shortForm: String? { letter.map { "-\($0)" } }
  /// The option and its value as help shows them: `--output FILE`.
  package var synopsis: String {
    valueName.map { longForm + (isAttached ? "" : " ") + $0 } ?? longForm
  }
  /// Whether a value is part of the same word, behind a `=`.
  package var isAttached: Bool { valueName?.hasPrefix("[=") ?? false }
  /// Whether the option must have a value.
  package var needsValue: Bool { valueName != nil && optionalWords.isEmpty }
  /// The value of an option whose value was left out; nil for one that needs a value, and for a flag.
  var omittedValue: String? { optionalWords.first }

  /// Whether a word after the option is its value, which may be left out: one of its words, or that and a colon.
  func isOptionalValue(_ word: String) -> Bool {
    !isAttached && optionalWords.contains { word.prefix { $0 != ":" } == $0 }
  }

  /// The help, its first sentence with the values to choose from and the default in parentheses.
  package var fullHelp: String {
    ([Self.sentence(firstSentence, [choices, defaultFact])] + [furtherSentences].compactMap { $0 })
      .joined(separator: " ")
  }

  /// The first sentence of the help, as complete as a line may have room for: the most complete comes first.
  package var summaries: [String] {
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
    OptionDescription(name, letter: letter, isRepeatable: true, isHidden: isHidden, help: help)
  }

  /// An option whose value is any text but the empty one.
  ///
  /// - Parameter source: where the shell finds the value; nil for what the name of the value says.
  package static func text(
    _ name: String, letter: Character? = nil, valueName: String, isRepeatable: Bool = false,
    completedFrom source: CompletionSource? = nil, help: String
  ) -> OptionDescription {
    OptionDescription(
      name, letter: letter, valueName: valueName, completionSource: source,
      isRepeatable: isRepeatable, help: help)
  }

  /// An option whose value may be left out; it may be repeated.
  ///
  /// - Parameter words: what a value begins with, before a colon; the first stands for no value.
  package static func optional(
    _ name: String, valueName: String, words: [String], help: String
  ) -> OptionDescription {
    OptionDescription(
      name, valueName: "[\(valueName)]", optionalWords: words, isRepeatable: true, help: help)
  }

  /// An option whose value may be left out; one that is given follows a `=`.
  ///
  /// - Parameter values: the values to choose from; the first stands for no value.
  package static func attached(
    _ name: String, valueName: String, of values: [String], help: String
  ) -> OptionDescription {
    OptionDescription(
      name, valueName: "[=\(valueName)]", allowedValues: values, optionalWords: values, help: help)
  }

  /// An option with a choice of values; the first is the default, unless it has no default.
  ///
  /// - Parameter aliases: other names of the values, which help does not list.
  package static func choice(
    _ name: String, valueName: String, of values: [String], aliases: [String: String] = [:],
    hasDefault: Bool = true, isRepeatable: Bool = false, help: String
  ) -> OptionDescription {
    OptionDescription(
      name, valueName: valueName, allowedValues: values, aliases: aliases,
      defaultValue: hasDefault ? values.first : nil, isRepeatable: isRepeatable, help: help)
  }

  /// An option whose value is a whole number.
  package static func integer(
    _ name: String, letter: Character? = nil, in range: ClosedRange<Int>,
    default defaultValue: Int? = nil, help: String
  ) -> OptionDescription {
    OptionDescription(
      name, letter: letter, valueName: "N", range: range,
      defaultValue: defaultValue.map { "\($0)" }, help: help)
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

/// A heading of help, without a colon, and the options under it, in the order in which help lists them.
package typealias OptionHeading = (title: String, options: [OptionDescription])
