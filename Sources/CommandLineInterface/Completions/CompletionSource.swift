// Where the shell finds what may be typed for a value of a command line.

/// The source of a value's completions.
package enum CompletionSource: Hashable, Sendable {
  /// Any text: the shell offers nothing.
  case nothing
  /// The names of files and folders.
  case files
  /// The names of files behind the `=` of a word.
  case filesAfterKey
  /// The names of folders.
  case folders
  /// One of a few words, all of them letters, digits and dashes.
  case words([String])
  /// The commands of the program; for a second operand, those of the group that the first names.
  case commands
  /// What the program itself finds under a name, since it depends on the line, or on the user's files.
  case program(String, orFiles: Bool)
}

extension OptionDescription {
  /// Where the completions of the option's value come from; nil for a flag.
  func completionSource(in table: CommandTable) -> CompletionSource? {
    guard needsValue, let valueName else { return nil }
    // A value with a space needs quotes, which scripts do not add to words.
    if !allowedValues.isEmpty { return .words(allowedValues.filter { !$0.contains(" ") }) }
    return completionSource ?? table.completionSource(valueName)
  }
}

extension CommandDescription.Operands {
  /// Where the completions of each operand come from; the last is that of all further ones if `isRepeated`.
  func completionSources(in table: CommandTable) -> [CompletionSource] {
    let names = (first.map { [$0] } ?? []) + name.split(separator: " ").map(String.init)
    return names.map(table.completionSource)
  }
}

extension CommandTable {
  /// The words that may follow the program's name, or the name of a group, with the purpose of each.
  func completedCommands(in group: String?) -> [(name: String, purpose: String)] {
    if let group {
      return commands(in: group).map { (String($0.name.dropFirst(group.count + 1)), $0.abstract) }
    }
    var words: [(name: String, purpose: String)] = []
    for command in commands {
      let word = String(command.name.prefix { $0 != " " })
      if word == command.name {
        words.append((word, command.abstract))
      } else if words.last?.name != word, !words.contains(where: { $0.name == word }) {
        let names = completedCommands(in: word).map(\.name)
        words.append((word, names.joined(separator: ", ")))
      }
    }
    return words
  }

  /// The words that begin the names of several commands.
  var groups: [String] {
    completedCommands(in: nil).map(\.name).filter(isGroup)
  }
}

// MARK: - The tables of completion scripts: the branches of a shell's `case`, equal ones together

/// Words, and what a script does for each.
struct CompletionCases {
  private var order: [String] = []
  private var patterns: [String: [String]] = [:]

  /// Adds a word that leads to an action; the first action of a word counts.
  mutating func add(_ pattern: String, _ action: String) {
    if patterns[action] == nil { order.append(action) }
    patterns[action, default: []].append(pattern)
  }

  /// The actions in the order in which they came, each with its words.
  var branches: [(patterns: [String], action: String)] {
    order.map { (patterns[$0] ?? [], $0) }
  }

  /// What each option with a value leads to, by the words `COMMAND OPTION`.
  ///
  /// An option that has one source in all commands is a single pattern: `* --output`.
  static func ofValues(
    in table: CommandTable, action: (CompletionSource) -> String
  ) -> CompletionCases {
    var sources: [String: Set<CompletionSource>] = [:]
    for option in table.commands.flatMap(\.allOptions) where !option.isHidden {
      guard let source = option.completionSource(in: table) else { continue }
      sources[option.name, default: []].insert(source)
    }
    var cases = CompletionCases()
    var written: Set<String> = []
    for command in table.commands {
      for option in command.allOptions where !option.isHidden {
        guard let source = option.completionSource(in: table) else { continue }
        // A flag of another command may have the name.
        let isShared = sources[option.name]?.count == 1 && !table.hasFlag(option.name)
        let start = isShared ? "*" : command.name
        for form in [option.longForm, option.shortForm].compactMap({ $0 })
        where written.insert("\(start) \(form)").inserted {
          cases.add("\(start) \(form)", action(source))
        }
      }
    }
    return cases
  }

  /// What each operand leads to, by the words `COMMAND NUMBER`; numbers begin at 0, and `*` is any.
  static func ofOperands(
    in table: CommandTable, action: (CompletionSource) -> String
  ) -> CompletionCases {
    var cases = CompletionCases()
    for command in table.commands {
      let sources = command.operands.completionSources(in: table)
      for (number, source) in sources.enumerated() {
        let isLast = number == sources.count - 1 && command.operands.isRepeated
        cases.add("\(command.name) \(isLast ? "*" : "\(number)")", action(source))
      }
    }
    return cases
  }
}

extension CommandTable {
  fileprivate func hasFlag(_ name: String) -> Bool {
    commands.contains { command in
      command.option(named: name).map { !$0.needsValue } ?? false
    }
  }
}

// MARK: - The shells for which completions are written

/// A shell, by the name of its program.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script that completes a program's command lines in the shell.
  ///
  /// What does not depend on the line is in the script. For the rest it runs `PROGRAM complete`, which must be a
  /// command of the table: see `CompletionRequest`.
  package func script(for table: CommandTable) -> String {
    switch self {
    case .bash: BashCompletion(table: table).script
    case .zsh: ZshCompletion(table: table).script
    case .fish: FishCompletion(table: table).script
    }
  }
}
