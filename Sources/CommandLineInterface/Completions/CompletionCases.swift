// The tables of completion scripts: the branches of a shell's `case`, equal ones together.

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
      command.option(named: name).map { !$0.takesValue } ?? false
    }
  }
}
