// `archtool help`, and the options that stand in the place of a command.

extension CommandDescription {
  /// Shows help for the program or a command.
  public static let help = CommandDescription(
    name: "help",
    abstract: "show help for the program or for a command",
    operands: Operands(name: "COMMAND", minimum: 0, maximum: 2),
    options: [.manual],
    commonOptions: [.help],
    rules: [],
    discussion: [
      "Without COMMAND, all commands are listed. The help of a command is also shown by --help."
    ],
    examples: [
      Example(command: "archtool help migrate", explanation: "Show how to migrate archives.")
    ],
    exits: [Exit(.done), Exit(.usage, "There is no such command.")])
}

extension OptionDescription {
  /// `-h`: help instead of the command.
  public static let help = flag("help", letter: "h", help: "Show help and do nothing else.")

  /// `--version`: the program's version.
  public static let version = flag("version", help: "Show the version and do nothing else.")

  /// `--manual`: the manual page itself, for those who build the program.
  public static let manual = flag(
    "manual", isHidden: true, help: "Print the manual page in mdoc.")
}
