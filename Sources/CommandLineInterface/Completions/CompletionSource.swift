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
    guard takesValue, let valueName else { return nil }
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
