// Command lines by the POSIX utility conventions, with long options.

import ArchiveBasics

/// Reads command lines by a table of commands.
package struct ArgumentParser: Sendable {
  /// The commands.
  package let table: CommandTable

  /// Whether standard input takes the place of a FILE that is missing.
  private let readsPipe: Bool

  /// Makes a parser.
  ///
  /// - Parameter readsPipe: whether a pipe is on standard input, which is read without `-`.
  package init(table: CommandTable, readsPipe: Bool = false) {
    self.table = table
    self.readsPipe = readsPipe
  }

  /// Reads a command line.
  ///
  /// - Parameter arguments: the arguments after the program's name.
  /// - Throws: `UsageError` if the command line means nothing.
  package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var rest = arguments[...]
    guard var first = rest.popFirst() else { return .missingCommand }
    if first == "--" {
      guard let next = rest.popFirst() else { return .missingCommand }
      first = next
    } else if first.hasPrefix("-"), first != "-" {
      return try globalOption(first)
    }
    if !table.has(first), table.isGroup(first) {
      guard let next = rest.popFirst() else { throw missingSubcommand(first) }
      if next == OptionDescription.help.longForm || next == OptionDescription.help.shortForm {
        return .showGroupHelp(first)
      }
      first += " " + next
    }
    guard let command = table.command(named: first) else {
      // A file alone, such as one called "test", is no synonym.
      if rest.isEmpty, let line = line(forPath: first) { throw unknownCommand(first, line) }
      throw unknownCommand(first)
    }
    var line = CommandLineReading(command: command, rest: rest)
    guard let given = try line.read() else { return .showHelp(command, line.helpDetail) }
    let parsed = readsPipe ? reading(given) : given
    try check(parsed)
    return command.name == CommandDescription.helpName ? try help(parsed) : .run(parsed)
  }

  /// An option instead of a command.
  private func globalOption(_ argument: String) throws(UsageError) -> Invocation {
    for option in table.options where argument == option.longForm || argument == option.shortForm {
      if option == .version { return .showVersion }
      return .showHelp(nil, argument == option.shortForm ? .brief : .full)
    }
    let name = argument.prefix { $0 != "=" }
    if table.options.contains(where: { $0.longForm == name }) {
      throw UsageError("option \(quoted(name)) takes no value")
    }
    // An option that is a command here.
    if let synonym = table.synonym(argument) {
      let line = synonym.hasPrefix("-") ? synonym : "\(table.program) \(synonym)"
      throw UsageError("unknown option \(quoted(name))" + question(line))
    }
    // A command's option before the command's name.
    for command in table.commands {
      for option in command.allOptions
      where !option.isHidden && (option.longForm == name || option.shortForm == argument) {
        let example = "\(table.program) \(command.name) \(option.synopsis)"
        throw UsageError("option \(quoted(name)) belongs after a command, as in '\(example)'")
      }
    }
    let suggestion = Suggestion.nearest(to: argument, among: table.options.map(\.longForm))
    throw UsageError("unknown option \(quoted(name))" + question(suggestion))
  }

  private func help(_ parsed: ParsedArguments) throws(UsageError) -> Invocation {
    if parsed.has(.manual) { return .showManual(parsed.operands.first) }
    guard !parsed.operands.isEmpty else { return .showHelp(nil, .full) }
    let name = parsed.operands.joined(separator: " ")
    if table.isGroup(name) { return .showGroupHelp(name) }
    guard let command = table.command(named: name) else { throw unknownCommand(name) }
    return .showHelp(command, .full)
  }

  private func unknownCommand(_ name: String, _ meant: String? = nil) -> UsageError {
    let suggestion =
      meant ?? table.synonym(name)
      ?? Suggestion.nearest(to: name, among: table.commands.map(\.name)) ?? line(forPath: name)
    let hint = suggestion == nil ? "; '\(table.program) help' lists the commands" : ""
    return UsageError("unknown command \(quoted(name))" + question(suggestion) + hint)
  }

  /// The command line that was meant by the name of a file or folder alone.
  private func line(forPath path: String) -> String? {
    let command =
      FolderListing.isFile(path)
      ? table.fileCommand?(path) : FolderListing.isFolder(path) ? table.folderCommand : nil
    return command.map { "\(table.program) \($0) \(path.shellWord)" }
  }

  private func missingSubcommand(_ group: String) -> UsageError {
    let names = table.commands(in: group).map { String($0.name.dropFirst(group.count + 1)) }
    return UsageError("\(group) needs one of its commands: \(names.joined(separator: ", "))")
  }

  /// The command line with `-` for the one FILE that is missing, if it may be standard input.
  private func reading(_ parsed: ParsedArguments) -> ParsedArguments {
    let operands = parsed.command.operands
    let rules = parsed.command.rules + table.rules
    // Another option may stand for a value, which is none of the least number then.
    let isOneShort =
      parsed.operands.count + 1 == operands.minimum
      || operands.words.last == "VALUE" && parsed.operands.count + 1 == operands.words.count
    guard isOneShort, operands.readStandardInput,
      let index = operands.words.firstIndex(of: "FILE"), index <= parsed.operands.count,
      parsed.command.option(named: "recursive").map(parsed.has) != true,
      !rules.contains(where: { $0.refusesStandardInput(in: parsed) }),
      !rules.compactMap(\.standIn).contains(where: { parsed.has($0) }),
      // What is missing may be another operand than the file.
      index == parsed.operands.count || !FolderListing.isFile(parsed.operands[index])
    else { return parsed }
    var all = parsed.operands
    all.insert("-", at: index)
    return parsed.with(operands: all)
  }

  /// What only the whole command line shows: the number of operands, and the rules between options.
  private func check(_ parsed: ParsedArguments) throws(UsageError) {
    let command = parsed.command
    let operands = command.operands
    let rules = command.rules + table.rules
    let standIns = rules.compactMap(\.standIn)
    if let first = operands.first, parsed.operands.isEmpty {
      throw UsageError("missing operand \(first) for \(command.name)")
    }
    if parsed.operands.count < operands.minimum, !standIns.contains(where: { parsed.has($0) }) {
      let needsFiles = rules.contains { $0.refusesStandardInput(in: parsed) }
      let missing = operands.missing(after: parsed.operands.count)
      let isInput = operands.readStandardInput && missing.split(separator: " ").contains("FILE")
      let option = operands.orOption.map { " or option '\($0.longForm)'" } ?? ""
      let hint = isInput && !needsFiles ? "; use '-' for standard input" : ""
      throw UsageError("missing operand \(missing)\(option) for \(command.name)\(hint)")
    }
    if let maximum = operands.maximum, parsed.operands.count > maximum {
      throw UsageError(
        "\(command.name) takes no more than \(maximum) \(operands.name); "
          + "\(quoted(parsed.operands[maximum])) is one too many")
    }
    for option in command.options + command.commonOptions where option.range != nil {
      _ = try parsed.integer(of: option)
    }
    let problems = rules.lazy.compactMap { $0.violation(by: parsed) }
    if let message = problems.first ?? OptionRule.contradiction(among: rules, in: parsed) {
      throw UsageError(message)
    }
  }
}

/// The end of a message about something unknown.
func question(_ suggestion: String?) -> String {
  guard let suggestion else { return "" }
  // Quotes in quotes cannot be read back.
  return suggestion.contains("'")
    ? "; did you mean: \(suggestion)" : "; did you mean '\(suggestion)'?"
}
