// The content of a command line, by option.

import Basics

/// A command with the options and operands that it was given.
///
/// Options are identified by their long names, so that `.schema` means the `--schema` of any command.
package struct ParsedArguments: Hashable, Sendable {
  /// The command.
  package let command: CommandDescription
  /// The arguments other than options, in order.
  package internal(set) var operands: [String] = []

  /// The operands that are inputs: all but the first where that is something else.
  package var inputs: ArraySlice<String> {
    operands.dropFirst(command.operands.first == nil ? 0 : 1)
  }

  /// The values given for each option.
  var values = OptionValues()

  init(command: CommandDescription) { self.command = command }

  /// Whether an option was given.
  package func has(_ option: OptionDescription) -> Bool { values.contains(option.name) }

  /// Every value given for an option, in order.
  package func values(of option: OptionDescription) -> [String] { values[option.name] }

  /// The value of an option: as it was given, as another option implies it, or its default.
  package func value(of option: OptionDescription) -> String? {
    values.last(option.name) ?? impliedValue(of: option)
      ?? command.fact(of: option.name) { $0.defaultValue }.flatMap { $0 }
  }

  /// The value of an option as an integer, or nil.
  ///
  /// - Throws: `UsageError` if the value is not an integer in the option's range.
  package func integer(of option: OptionDescription) throws(UsageError) -> Int? {
    guard let text = value(of: option) else { return nil }
    let range = command.fact(of: option.name) { $0.range }.flatMap { $0 } ?? Int.min...Int.max
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "option '\(option.longForm)' needs a whole number from \(range.lowerBound) to "
          + "\(range.upperBound); found \(quoted(text))", command: command.name)
    }
    return number
  }

  private func impliedValue(of option: OptionDescription) -> String? {
    for case .implies(let cause, let other, let value) in command.rules
    where other.name == option.name && has(cause) {
      return value
    }
    return nil
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
  private var names: [String] = []
  /// The values of all options, as they were given.
  private var texts: [String] = []
  /// For each value the place of its option among `names`.
  private var owners: [Int] = []

  /// Whether an option was given.
  func contains(_ name: String) -> Bool { names.contains(name) }

  /// The values of an option, in order; none if it is a flag or was not given.
  subscript(name: String) -> [String] {
    guard let place = names.firstIndex(of: name) else { return [] }
    var values: [String] = []
    for number in texts.indices where owners[number] == place { values.append(texts[number]) }
    return values
  }

  /// The last value of an option; nil if there is none.
  func last(_ name: String) -> String? {
    guard let place = names.firstIndex(of: name) else { return nil }
    return owners.lastIndex(of: place).map { texts[$0] }
  }

  /// Adds a flag, or a value to those of an option; nil for a flag.
  mutating func add(_ value: String?, to name: String) {
    let place = place(of: name)
    guard let value else { return }
    texts.append(value)
    owners.append(place)
  }

  /// Sets the values of an option.
  mutating func set(_ name: String, to values: [String]) {
    drop(valuesOf: place(of: name))
    for value in values { add(value, to: name) }
  }

  /// Removes an option.
  mutating func remove(_ name: String) {
    guard let place = names.firstIndex(of: name) else { return }
    drop(valuesOf: place)
    names.remove(at: place)
    for number in owners.indices where owners[number] > place { owners[number] -= 1 }
  }

  private mutating func place(of name: String) -> Int {
    if let place = names.firstIndex(of: name) { return place }
    names.append(name)
    return names.count - 1
  }

  private mutating func drop(valuesOf place: Int) {
    guard owners.contains(place) else { return }
    let kept = owners.indices.filter { owners[$0] != place }
    texts = kept.map { texts[$0] }
    owners = kept.map { owners[$0] }
  }
}

/// The order in which options were given is no part of what they say.
extension OptionValues: Hashable {
  static func == (first: Self, second: Self) -> Bool {
    first.names.count == second.names.count
      && first.names.allSatisfy { second.contains($0) && first[$0] == second[$0] }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(names.sorted()) }
}
