// What a command line said, asked for by option.

/// A command with the options and operands that it was given.
///
/// Options are told apart by their long names, so that `.schema` asks for the `--schema` of whichever command it is.
public struct ParsedArguments: Hashable, Sendable {
  /// The command.
  public let command: CommandDescription
  /// The arguments that are no options, in order.
  public internal(set) var operands: [String] = []
  /// The values given for each option by its long name; a flag has none, but an entry.
  var values: [String: [String]] = [:]

  init(command: CommandDescription) { self.command = command }

  /// Whether an option was given.
  public func has(_ option: OptionDescription) -> Bool { values[option.name] != nil }

  /// Every value given for an option, in order.
  public func values(of option: OptionDescription) -> [String] { values[option.name] ?? [] }

  /// The value of an option: as it was given, as another option implies it, or its default.
  public func value(of option: OptionDescription) -> String? {
    values[option.name]?.last ?? impliedValue(of: option)
      ?? command.option(named: option.name)?.defaultValue
  }

  /// The value of an option as a whole number, nil if there is none.
  ///
  /// - Throws: `UsageError` if the value is no whole number in the option's range.
  public func integer(of option: OptionDescription) throws(UsageError) -> Int? {
    guard let text = value(of: option) else { return nil }
    let range = command.option(named: option.name)?.range ?? Int.min...Int.max
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
}
