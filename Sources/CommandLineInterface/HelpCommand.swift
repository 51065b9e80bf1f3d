// The command `help`, and the options that may replace a command.

extension CommandDescription {
  /// The name of the command that shows help.
  package static let helpName = "help"

  /// The command that shows help for the program or a command.
  package static func help(examples: [Example]) -> CommandDescription {
    CommandDescription(
      name: helpName,
      abstract: "show help for the program or for a command",
      operands: Operands(name: "COMMAND", minimum: 0, maximum: 2),
      options: [.manual],
      commonOptions: [.help],
      rules: [],
      discussion: [
        """
        Without COMMAND, all commands are listed. COMMAND --help shows the same as help COMMAND; \
        COMMAND -h shows one line for each option.
        """
      ],
      examples: examples,
      exits: [Exit(.done), Exit(.usage, "There is no such command.")])
  }
}

extension OptionDescription {
  /// `-h`, `--help`: help instead of the command.
  package static let help = flag("help", letter: "h", help: "Show all help, or a summary with -h.")

  /// `--version`: the program's version.
  package static let version = flag("version", help: "Show the version.")

  /// `--manual`: the manual page itself, for those who build the program.
  package static let manual = flag(
    "manual", isHidden: true, help: "Print a manual page in mdoc. COMMAND is the name of its file.")
}
