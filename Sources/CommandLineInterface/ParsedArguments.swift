// The content of a command line, by option.

import ArchiveBasics

/// A command with the options and operands that it was given.
///
/// Options are identified by their long names, so that `.schema` means the `--schema` of any command.
package struct ParsedArguments: Hashable, Sendable {
  /// The command.
  package let command: CommandDescription
  /// The arguments other than options, in order.
  package internal(set) var operands: [String] = []

  /// The operands that are inputs: all but the first or the last where that is something else.
  package var inputs: ArraySlice<String> {
    operands.dropFirst(command.operands.first == nil ? 0 : 1)
      .dropLast(command.operands.last == nil ? 0 : 1)
  }

  var values = OptionValues()

  init(command: CommandDescription) { self.command = command }

  /// Whether an option was given.
  package func has(_ option: OptionDescription) -> Bool { values.contains(option.name) }

  /// Every value given for an option, in order.
  package func values(of option: OptionDescription) -> [String] { values[option.name] }

  /// The value of an option: as it was given, as another option implies it, or its default.
  package func value(of option: OptionDescription) -> String? {
    values.last(option.name) ?? impliedValue(of: option) ?? command.own(option)?.defaultValue
  }

  /// The value of an option as an integer, or nil.
  ///
  /// - Throws: `UsageError` if the value is not an integer in the option's range.
  package func integer(of option: OptionDescription) throws(UsageError) -> Int? {
    guard let text = value(of: option) else { return nil }
    let range = command.own(option)?.range ?? Int.min...Int.max
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "option '\(option.longForm)' needs a whole number from \(range.lowerBound) to "
          + "\(range.upperBound); found \(quoted(text))")
    }
    return number
  }

  private func impliedValue(of option: OptionDescription) -> String? {
    if values.isEmpty { return nil }
    // Each of several options may leave a choice; the first value is one that all of them allow.
    var allowed: [String]?
    for case .implies(let cause, let other, let value, let others) in command.rules
    where other.name == option.name && has(cause) {
      let values = [value] + others
      allowed = allowed?.filter(values.contains) ?? values
    }
    return allowed?.first
  }

  // MARK: Command lines that are kept

  /// The command line in words, so that a parser reads the same from them.
  package var words: [String] {
    var words = command.name.split(separator: " ").map(String.init)
    for option in command.allOptions where has(option) {
      let given = values(of: option)
      words += given.isEmpty ? [option.longForm] : given.map { "\(option.longForm)=\($0)" }
    }
    return words + ["--"] + operands
  }

  /// The same without some options.
  package func without(_ options: [OptionDescription]) -> ParsedArguments {
    var copy = self
    for option in options { copy.values.remove(option.name) }
    return copy
  }

  /// The same, but for options that another command line gives.
  package func overridden(
    by other: ParsedArguments, for options: [OptionDescription]
  ) -> ParsedArguments {
    var copy = self
    for option in options where other.has(option) {
      copy.values.set(option.name, to: other.values(of: option))
    }
    return copy
  }

  /// The same in any working folder: the paths that some options have are absolute.
  package func absolute(_ options: [OptionDescription]) -> ParsedArguments {
    var copy = self
    for option in options where has(option) {
      let paths = values(of: option).map { $0 == "-" ? $0 : FolderListing.absolute($0) }
      copy.values.set(option.name, to: paths)
    }
    return copy
  }

  /// The same with other operands.
  package func with(operands: [String]) -> ParsedArguments {
    var copy = self
    copy.operands = operands
    return copy
  }

  /// The same with a flag.
  package func with(_ flag: OptionDescription) -> ParsedArguments {
    var copy = self
    copy.values.add(nil, to: flag.name)
    return copy
  }
}

// MARK: - The options of a command line with their values

/// The values of options by their long names; a flag has a name and no values.
struct OptionValues: Sendable {
  private var given: [(name: String, values: [String])] = []

  var isEmpty: Bool { given.isEmpty }

  func contains(_ name: String) -> Bool { given.contains { $0.name == name } }

  /// The values of an option, in order; none if it is a flag or was not given.
  subscript(name: String) -> [String] { given.first { $0.name == name }?.values ?? [] }

  func last(_ name: String) -> String? { self[name].last }

  /// Adds a flag, or a value to those of an option; nil for a flag.
  mutating func add(_ value: String?, to name: String) {
    set(name, to: self[name] + (value.map { [$0] } ?? []))
  }

  mutating func set(_ name: String, to values: [String]) {
    if let index = given.firstIndex(where: { $0.name == name }) {
      given[index].values = values
    } else {
      given.append((name, values))
    }
  }

  mutating func remove(_ name: String) { given.removeAll { $0.name == name } }
}

/// The order in which options were given is no part of what they say.
extension OptionValues: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    first.given.count == second.given.count
      && first.given.allSatisfy { second.contains($0.name) && $0.values == second[$0.name] }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(given.map(\.name).sorted()) }
}
