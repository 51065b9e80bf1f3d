// `archtool help`.

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
