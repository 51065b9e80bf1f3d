// What holds between the options of one command, where it is simple enough to be said in its description.

/// A condition on the options and operands of a command line.
public enum OptionRule: Hashable, Sendable {
  /// One of these options must be given.
  case oneOf([OptionDescription])
  /// No two of these options may be given together.
  case exclusive([OptionDescription])
  /// The first option may only be given together with one of the others.
  case needs(OptionDescription, anyOf: [OptionDescription])
  /// The first option sets the second to a value, and contradicts any other value of it.
  case implies(OptionDescription, OptionDescription, value: String)
  /// The option goes with one operand only.
  case singleOperand(OptionDescription)
  /// The option needs files, not standard input.
  case filesOnly(OptionDescription)
  /// With more than one input, one of these options must be given: their results would be one broken file.
  case severalNeed([OptionDescription])
  /// The option names inputs, so that operands may be missing.
  case namesInputs(OptionDescription)
  /// The option stands for the inputs: there are no operands, nor what else names or selects files.
  case replacesOperands(OptionDescription)

  /// What holds for every command that has the options.
  static let common: [OptionRule] = [.namesInputs(.filesFrom), .needs(.null, anyOf: [.filesFrom])]

  /// What holds between the options that put names in the place of others.
  static let substitutions: [OptionRule] = [
    .needs(.unless, anyOf: [.renameClass, .dropClass, .renameKey])
  ]

  /// What holds between the options of commands that rewrite archives.
  ///
  /// - Parameter others: options in whose presence no place for results need be named.
  static func rewriting(orElse others: [OptionDescription] = []) -> [OptionRule] {
    [.oneOf(places + [.dryRun] + others + [.records, .resume])] + replacing(orElse: others)
      + [.replacesOperands(.records)]
      + (places + [.dryRun, .journal, .resume, .report, .failFast, .allowEmpty]).map {
        .exclusive([.records, $0])
      }
  }

  /// Where the results of commands that rewrite archives go.
  private static let places: [OptionDescription] = [.output, .inPlace, .outputDirectory]

  /// What holds between the options about places, journals and locks.
  ///
  /// - Parameter others: options in whose presence the places are named elsewhere.
  static func replacing(orElse others: [OptionDescription] = []) -> [OptionRule] {
    [
      .exclusive(places), .exclusive([.output, .recursive]), .exclusive([.output, .failFast]),
      .needs(.backup, anyOf: [.inPlace]), .needs(.force, anyOf: [.output, .outputDirectory]),
      .singleOperand(.output), .filesOnly(.inPlace), .filesOnly(.outputDirectory),
      .needs(.keepTimes, anyOf: [.inPlace]), .needs(.wait, anyOf: [.inPlace, .outputDirectory]),
      .exclusive([.journal, .noJournal]), .exclusive([.backupDirectory, .noJournal]),
      .needs(.noJournal, anyOf: [.inPlace]),
      .needs(.journal, anyOf: [.inPlace, .outputDirectory] + others),
      .needs(.backupDirectory, anyOf: [.inPlace, .journal]),
      .needs(.trust, anyOf: [.resume] + others.filter { $0 == .applyPlan }),
      .replacesOperands(.resume),
    ]
  }

  /// What holds for a command that writes to standard output as well, one file after another.
  static let fleetNeedsPlaces: [OptionRule] = [.jobs, .failFast, .report, .noProgress].map {
    .needs($0, anyOf: [.inPlace, .outputDirectory, .dryRun, .resume])
  }

  /// The option under which operands may be missing, if the rule is about that.
  var standIn: OptionDescription? {
    switch self {
    case .namesInputs(let option), .replacesOperands(let option): option
    default: nil
    }
  }

  /// What is wrong with a command line under this rule; nil if nothing is.
  func violation(by arguments: ParsedArguments) -> String? {
    switch self {
    case .oneOf(let options): missing(options, arguments)
    case .exclusive(let options): collision(options, arguments)
    case .needs(let option, let others): companion(option, others, arguments)
    case .implies(let option, let other, let value): contradiction(option, other, value, arguments)
    case .singleOperand(let option): surplus(option, arguments)
    case .filesOnly(let option): standardInput(option, arguments)
    case .severalNeed(let options): heap(options, arguments)
    case .namesInputs: nil
    case .replacesOperands(let option): companyOf(option, arguments)
    }
  }

  private func companyOf(_ option: OptionDescription, _ arguments: ParsedArguments) -> String? {
    guard arguments.has(option) else { return nil }
    if let other = OptionDescription.selection.first(where: arguments.has) {
      return "'\(option.longForm)' and '\(other.longForm)' cannot be used together"
    }
    guard let operand = arguments.operands.first else { return nil }
    let name = arguments.command.operands.name
    return "'\(option.longForm)' takes no \(name); found \(quoted(operand))"
  }

  private func missing(_ options: [OptionDescription], _ arguments: ParsedArguments) -> String? {
    if options.contains(where: arguments.has) { return nil }
    let command = arguments.command.name
    if options.count == 1, let option = options.first {
      return "missing option '\(option.synopsis)' for \(command)"
    }
    return "\(command) needs one of \(Self.names(options, last: "or"))"
  }

  private func collision(_ options: [OptionDescription], _ arguments: ParsedArguments) -> String? {
    let given = options.filter(arguments.has)
    guard given.count > 1 else { return nil }
    return "\(Self.names(given, last: "and")) cannot be used together"
  }

  private func companion(
    _ option: OptionDescription, _ others: [OptionDescription], _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option), !others.contains(where: arguments.has) else { return nil }
    return "'\(option.longForm)' needs \(Self.names(others, last: "or"))"
  }

  private func contradiction(
    _ option: OptionDescription, _ other: OptionDescription, _ value: String,
    _ arguments: ParsedArguments
  ) -> String? {
    guard arguments.has(option), arguments.has(other),
      let found = arguments.value(of: other), found != value
    else { return nil }
    return "'\(option.longForm)' cannot be used with '\(other.longForm) \(found)'"
  }

  /// What is wrong if two options that were given set a third one to different values; nil if none do.
  static func contradiction(
    among rules: [OptionRule], in arguments: ParsedArguments
  ) -> String? {
    var causes: [String: (option: OptionDescription, value: String)] = [:]
    for case .implies(let option, let other, let value) in rules where arguments.has(option) {
      if let cause = causes[other.name], cause.value != value {
        return "\(names([cause.option, option], last: "and")) cannot be used together"
      }
      causes[other.name] = (option, value)
    }
    return nil
  }

  private func surplus(_ option: OptionDescription, _ arguments: ParsedArguments) -> String? {
    guard arguments.has(option) else { return nil }
    let name = arguments.command.operands.name
    if arguments.has(.filesFrom) {
      return "'\(option.longForm)' takes one \(name), which '--files-from' cannot name"
    }
    guard arguments.operands.count > 1 else { return nil }
    return "'\(option.longForm)' takes one \(name); \(arguments.operands.count) were given"
  }

  private func heap(_ options: [OptionDescription], _ arguments: ParsedArguments) -> String? {
    let isOne =
      arguments.operands.count < 2 && !arguments.has(.recursive) && !arguments.has(.filesFrom)
    if isOne || options.contains(where: arguments.has) { return nil }
    let command = arguments.command.name
    return "\(command) of several files needs one of \(Self.names(options, last: "or"))"
  }

  private func standardInput(_ option: OptionDescription, _ arguments: ParsedArguments) -> String? {
    guard arguments.has(option), arguments.operands.contains("-") else { return nil }
    return "'\(option.longForm)' cannot be used with standard input ('-')"
  }

  /// `'--a'`, `'--a' and '--b'`, `'--a', '--b' and '--c'`.
  private static func names(_ options: [OptionDescription], last conjunction: String) -> String {
    let names = options.map { "'\($0.longForm)'" }
    guard let final = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(conjunction) " + final
  }
}
