// The shells for which completions are written.

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

extension CompletionShell {
  /// A text in single quotes, as bash and zsh read it.
  static func singleQuoted(_ text: String) -> String {
    "'"
      + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}
