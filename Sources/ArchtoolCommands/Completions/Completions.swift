// `archtool completions`: writes what a shell needs to complete command lines.

import CommandLineInterface

struct Completions: Command {
  static let name = "completions"
  static let description = CommandDescription(
    name: name,
    abstract: "print the completions for a shell",
    operands: Operands(name: "SHELL", minimum: 1, maximum: 1),
    options: [.output, .force],
    commonOptions: [.quiet, .help],
    rules: [.needs(.force, anyOf: [.output])],
    discussion: """
      SHELL is bash, zsh or fish. The shell then completes commands, options and their values,
      files, the classes and paths of the archives on the line, schema families and versions, and
      the journals of the user. The packages of archtool install these completions.

      For each completion the shell starts the archtool in PATH. It stops after a second, and reads
      only regular files of at most 64 MB.
      """,
    examples: [
      "archtool completions bash -o archtool.bash":
        "Write those for bash; ~/.bashrc may read the file, with the command source.",
      "archtool completions zsh -o _archtool": "Write those for zsh, for a folder of $fpath.",
      "archtool completions fish -o archtool.fish":
        "Write those for fish, for ~/.config/fish/completions.",
    ],
    exits: [.done, .cannotCreate, .inputOutput],
    meanings: [.usage: "There are no completions for SHELL."])

  private let session: Session
  private let shell: CompletionShell

  init(_ session: Session) throws {
    self.session = session
    let name = session.arguments.operands[0]
    guard let shell = CompletionShell(rawValue: name) else {
      let names = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("there are completions for \(names), not for \(quoted(name))")
    }
    self.shell = shell
  }

  func run() throws {
    try session.write(result: shell.script(for: Commands.table.program))
  }
}
