// The request of a command line.

/// How much help shows.
package enum HelpDetail: Hashable, Sendable {
  /// One line for each option: `-h`.
  case brief
  /// Everything: `--help`.
  case full
}

/// The action of the program.
package enum Invocation: Hashable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show help for a command, or for the program, on standard output.
  case showHelp(CommandDescription?, HelpDetail)
  /// Show the commands whose names begin with a word.
  case showGroupHelp(String)
  /// Print the source of a manual page, by the name of its file; nil for the program's page.
  case showManual(String?)
  /// Show the version.
  case showVersion
  /// No arguments: show the program's brief help on standard error and exit with status 64.
  case missingCommand
}
