// What a command line asks for.

/// How much help shows.
public enum HelpDetail: Hashable, Sendable {
  /// One line for each option: `-h`.
  case brief
  /// Everything: `--help`.
  case full
}

/// What the program is to do.
public enum Invocation: Hashable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show help for a command, or for the program, on standard output.
  case showHelp(CommandDescription?, HelpDetail)
  /// Show what the commands are whose names begin with a word.
  case showGroupHelp(String)
  /// Print the manual page's source.
  case showManual
  /// Show the version.
  case showVersion
  /// Nothing was asked for: show the program's brief help on standard error and exit with status 64.
  case missingCommand
}
