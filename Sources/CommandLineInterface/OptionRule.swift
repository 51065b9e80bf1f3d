// Rules for the options of one command that are simple enough for its description.

/// A condition on the options and operands of a command line.
package enum OptionRule: Hashable, Sendable {
  /// One of these options must be given.
  case oneOf([OptionDescription])
  /// No two of these options may be given together.
  case exclusive([OptionDescription])
  /// The first option may only be given together with one of the others.
  case needs(OptionDescription, anyOf: [OptionDescription])
  /// The first option sets the second to a value, and contradicts any value of it but that and a few others.
  case implies(OptionDescription, OptionDescription, value: String, or: [String] = [])
  /// The option allows only one operand, and none of the options that name more.
  case oneOperand(OptionDescription, lists: [OptionDescription])
  /// The option needs files, not standard input.
  case filesOnly(OptionDescription)
  /// The option needs the first operand to be a file.
  case firstIsFile(OptionDescription)
  /// The option's value becomes a part of a file's name.
  case namePart(OptionDescription)
  /// With more than one input, one of these options must be given: their results would be one broken file.
  ///
  /// The options in `lists` may name additional inputs.
  case manyNeed([OptionDescription], lists: [OptionDescription])
  /// The option names inputs, so that operands may be missing.
  case namesInputs(OptionDescription)
  /// The option replaces the inputs: there are no operands, nor options that name or select files.
  case replaces(OptionDescription, selection: [OptionDescription])

  /// The option under which operands may be missing, if the rule is about that.
  var standIn: OptionDescription? {
    switch self {
    case .namesInputs(let option), .replaces(let option, _): option
    default: nil
    }
  }

  /// Whether the rule refuses standard input, were it an operand.
  func refusesStandardInput(in arguments: ParsedArguments) -> Bool {
    if case .filesOnly(let option) = self { arguments.has(option) } else { false }
  }

  func violation(by arguments: ParsedArguments) -> String? {
    switch self {
    case .oneOf(let options): missing(options, arguments)
    case .exclusive(let options): collision(options, arguments)
    case .needs(let option, let others): companion(option, others, arguments)
    case .implies(let option, let other, let value, let others):
      contradiction(option, other, [value] + others, arguments)
    case .oneOperand(let option, let lists): extraOperands(option, lists, arguments)
    case .filesOnly(let option): standardInput(option, arguments.inputs, arguments)
    case .firstIsFile(let option): standardInput(option, arguments.inputs.prefix(1), arguments)
    case .namePart(let option): slashInName(option, arguments)
    case .manyNeed(let options, let lists): manyInputs(options, lists, arguments)
    case .namesInputs: nil
    case .replaces(let option, let selection): withOthers(of: option, selection, arguments)
    }
  }

  private func withOthers(
    of option: OptionDescription, _ selection: [OptionDescription], _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option) else { return nil }
    if let other = selection.first(where: { arguments.has($0) }) {
      return "'\(option.longForm)' and '\(other.longForm)' cannot be used together"
    }
    guard let operand = arguments.inputs.first else { return nil }
    let name = arguments.command.operands.name
    return "'\(option.longForm)' takes no \(name); found \(quoted(operand))"
  }

  private func missing(_ options: [OptionDescription], _ arguments: ParsedArguments) -> String? {
    if options.contains(where: { arguments.has($0) }) { return nil }
    let command = arguments.command.name
    if options.count == 1, let option = options.first {
      return "missing option '\(option.synopsis)' for \(command)"
    }
    return "\(command) needs one of \(Self.names(options, last: "or"))"
  }

  private func collision(_ options: [OptionDescription], _ arguments: ParsedArguments) -> String? {
    // Nearly always there is none, and no list is needed to know that.
    guard options.contains(where: { arguments.has($0) }) else { return nil }
    let given = options.filter { arguments.has($0) }
    guard given.count > 1 else { return nil }
    return "\(Self.names(given, last: "and")) cannot be used together"
  }

  private func companion(
    _ option: OptionDescription, _ others: [OptionDescription], _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option), !others.contains(where: { arguments.has($0) }) else { return nil }
    return "'\(option.longForm)' needs \(Self.names(others, last: "or"))"
  }

  private func contradiction(
    _ option: OptionDescription, _ other: OptionDescription, _ values: [String],
    _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option), arguments.has(other),
      let found = arguments.value(of: other), !values.contains(found)
    else { return nil }
    return "'\(option.longForm)' cannot be used with '\(other.longForm) \(found)'"
  }

  /// The error if two given options set a third one to different values, or nil.
  static func contradiction(
    among rules: [OptionRule], in arguments: ParsedArguments
  ) -> String? {
    var causes: [String: (option: OptionDescription, values: [String])] = [:]
    for case .implies(let option, let other, let value, let others) in rules
    where arguments.has(option) {
      let values = [value] + others
      let common = causes[other.name].map { $0.values.filter(values.contains) } ?? values
      if let cause = causes[other.name], common.isEmpty {
        return "\(names([cause.option, option], last: "and")) cannot be used together"
      }
      causes[other.name] = (option, common)
    }
    return nil
  }

  private func extraOperands(
    _ option: OptionDescription, _ lists: [OptionDescription], _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option) else { return nil }
    let name = arguments.command.operands.name
    if let list = lists.first(where: { arguments.has($0) }) {
      return "'\(option.longForm)' takes one \(name), which '\(list.longForm)' cannot name"
    }
    guard arguments.inputs.count > 1 else { return nil }
    return "'\(option.longForm)' takes one \(name); \(arguments.inputs.count) were given"
  }

  private func manyInputs(
    _ options: [OptionDescription], _ lists: [OptionDescription], _ arguments: ParsedArguments
  ) -> String? {
    let isOne = arguments.inputs.count < 2 && !lists.contains(where: { arguments.has($0) })
    if isOne || options.contains(where: { arguments.has($0) }) { return nil }
    // An option that another rule refuses is no remedy.
    let others = options.filter { option in
      !arguments.command.rules.contains { rule in
        if case .oneOperand(option, _) = rule { return true }
        guard case .implies(option, let other, let value, let others) = rule, arguments.has(other)
        else { return false }
        return arguments.value(of: other).map { !([value] + others).contains($0) } ?? true
      }
    }
    let command = arguments.command
    let needed = (others.count == 1 ? "" : "one of ") + Self.names(others, last: "or")
    return "\(command.name) of several files needs \(needed)"
  }

  private func standardInput(
    _ option: OptionDescription, _ operands: ArraySlice<String>, _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option), operands.contains("-") else { return nil }
    return "'\(option.longForm)' cannot be used with standard input ('-')"
  }

  private func slashInName(_ option: OptionDescription, _ arguments: ParsedArguments) -> String? {
    guard let value = arguments.value(of: option), value.utf8.contains(UInt8(ascii: "/")) else {
      return nil
    }
    return "'\(option.longForm)' ends the names of files, which have no '/'; found \(quoted(value))"
  }

  /// `'--a'`, `'--a' and '--b'`, `'--a', '--b' and '--c'`.
  private static func names(_ options: [OptionDescription], last conjunction: String) -> String {
    let names = options.map { "'\($0.longForm)'" }
    guard let final = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + final
  }
}
