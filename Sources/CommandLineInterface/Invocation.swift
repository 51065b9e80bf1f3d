// What a command line asks for.

/// What the program is to do.
public enum Invocation: Hashable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show help for a command, or for the program, on standard output.
  case showHelp(CommandDescription?)
  /// Show what the commands are whose names begin with a word.
  case showGroupHelp(String)
  /// Print the manual page's source.
  case showManual
  /// Show the version.
  case showVersion
  /// Nothing was asked for: show the program's help on standard error and exit with status 64.
  case missingCommand
}
