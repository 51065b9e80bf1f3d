// The arguments after a command's name, read from the left to the right.

import ArchiveBasics

struct CommandLineReading {
  private let command: CommandDescription
  private var rest: ArraySlice<String>
  private(set) var parsed: ParsedArguments
  /// Whether all further arguments are operands.
  private(set) var isEnded = false
  /// The option whose value is missing at the end.
  private(set) var pending: OptionDescription?
  /// How much help is requested, if any.
  private(set) var helpDetail = HelpDetail.full

  init(command: CommandDescription, rest: ArraySlice<String>) {
    self.command = command
    self.rest = rest
    parsed = ParsedArguments(command: command)
  }

  /// Reads all arguments; nil if help is requested, regardless of what follows.
  mutating func read() throws(UsageError) -> ParsedArguments? {
    while !rest.isEmpty {
      try readArgument()
      if parsed.has(.help) { return nil }
    }
    moveLeadingOperands()
    return parsed
  }

  /// Reads arguments of a line that is not finished, in which anything may be missing or wrong.
  mutating func readOn(_ arguments: ArraySlice<String>) {
    (rest, pending) = (arguments, nil)
    while !rest.isEmpty { try? readArgument() }
  }

  private mutating func readArgument() throws(UsageError) {
    guard let argument = rest.popFirst() else { return }
    if isEnded || argument == "-" || !argument.hasPrefix("-") || isNumber(argument) {
      parsed.operands.append(argument)
    } else if argument == "--" {
      isEnded = true
    } else if argument.hasPrefix("--") {
      try readLong(argument)
    } else {
      try readShort(argument)
    }
  }

  /// Takes the first operands as values of the command's leading option: `OLD=NEW`, unless a file has that name.
  private mutating func moveLeadingOperands() {
    guard let option = command.operands.leading else { return }
    while let first = parsed.operands.first, first.contains("="), !FolderListing.isFile(first),
      !FolderListing.isFolder(first)
    {
      parsed.values.add(first, to: option.name)
      parsed.operands.removeFirst()
    }
  }

  /// Whether an argument is a negative number for a command whose operands include values.
  private func isNumber(_ argument: String) -> Bool {
    command.operands.words.contains("VALUE") && Double(argument) != nil
      && argument.dropFirst().first?.isWholeNumber == true
  }

  /// `--name`, `--name value` or `--name=value`.
  private mutating func readLong(_ argument: String) throws(UsageError) {
    let end = argument.firstIndex(of: "=")
    let name = String(argument[..<(end ?? argument.endIndex)])
    guard let option = command.option(named: name.dropFirst(2)) else { throw unknown(name) }
    let attached = end.map { String(argument[argument.index(after: $0)...]) }
    if option.needsValue {
      try store(attached ?? rest.popFirst(), for: option)
    } else if let omitted = option.omittedValue {
      let next = rest.first.flatMap { option.isOptionalValue($0) ? $0 : nil }
      if attached == nil, next != nil { rest.removeFirst() }
      try store(attached ?? next ?? omitted, for: option)
    } else if let attached {
      throw UsageError("option '\(option.longForm)' takes no value; found \(quoted(attached))")
    } else {
      parsed.values.add(nil, to: option.name)
    }
  }

  /// `-x`, `-xyz` or, where `x` takes a value, `-xVALUE` and `-x VALUE`.
  private mutating func readShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = command.option(letter: letter) else {
        throw unknown(letter: letter, in: argument)
      }
      if option.needsValue {
        try store(letters.isEmpty ? rest.popFirst() : String(letters), for: option)
        return
      }
      if option == .help { helpDetail = .brief }
      parsed.values.add(nil, to: option.name)
    }
  }

  /// Takes a value down after checking it.
  private mutating func store(
    _ value: String?, for option: OptionDescription
  ) throws(UsageError) {
    guard let given = value, !given.isEmpty else {
      if value == nil { pending = option }
      throw UsageError("option '\(option.longForm)' needs a value (\(option.valueName ?? ""))")
    }
    let value = option.aliases[given] ?? given
    if !option.allowedValues.isEmpty, !option.allowedValues.contains(value) {
      let suggestion = Suggestion.nearest(to: value, among: option.allowedValues)
      let allowed = option.allowedValues.joined(separator: ", ")
      throw UsageError(
        "option '\(option.longForm)' cannot be \(quoted(value)), only \(allowed)"
          + question(suggestion))
    }
    // Of an option that has one value the last one counts, so that an alias can be overridden.
    if option.isRepeatable {
      parsed.values.add(value, to: option.name)
    } else {
      parsed.values.set(option.name, to: [value])
    }
    if option.range != nil { _ = try parsed.integer(of: option) }
  }

  // MARK: Errors

  private func unknown(_ name: String) -> UsageError {
    let names = command.allOptions.filter { !$0.isHidden }.map(\.longForm)
    let suggestion = valued(name) ?? Suggestion.nearest(to: name, among: names)
    return UsageError("unknown option \(quoted(name)) for \(command.name)" + question(suggestion))
  }

  /// The option with a value that was typed as an option: `--format json` for `--json`.
  private func valued(_ name: String) -> String? {
    let value = String(name.dropFirst(2))
    let option = command.allOptions.first { !$0.isHidden && $0.allowedValues.contains(value) }
    return option.map { $0.longForm + ($0.isAttached ? "=" : " ") + value }
  }

  /// An unknown letter may be one in the wrong case, or belong to a long option with a dash too few.
  private func unknown(letter: Character, in argument: String) -> UsageError {
    let options = command.allOptions.filter { !$0.isHidden }
    let otherCase = options.first {
      $0.letter?.lowercased() == letter.lowercased() && $0.letter != letter
    }
    let suggestion =
      argument.count > 2
      ? Suggestion.nearest(to: "-" + argument, among: options.map(\.longForm))
      : otherCase?.shortForm
    let context = argument.count > 2 ? " in \(quoted(argument))" : ""
    let remedy = suggestion == nil ? "; what begins with - and is no option comes after --" : ""
    return UsageError(
      "unknown option \(quoted("-\(letter)"))\(context) for \(command.name)\(remedy)"
        + question(suggestion))
  }
}
