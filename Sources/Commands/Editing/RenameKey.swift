// `archtool rename-key`: gives a member another key.

import CommandLineInterface
import Queries

struct RenameKey: Command {
  static let name = "rename-key"
  static var description: CommandDescription { .renameKey }

  private let edit: EditRun

  init(_ session: Session) throws {
    let operands = session.arguments.operands
    let path = try ValuePath(operand: operands[1], command: Self.name)
    edit = try EditRun(session, [DocumentEdit(.renameKey(operands[2]), at: path)])
  }

  func run() throws { try edit.run() }
}

extension CommandDescription {
  /// Gives a member another key.
  package static let renameKey = CommandDescription(
    name: RenameKey.name,
    abstract: "give a member another key",
    operands: Operands(name: "FILE PATH KEY", minimum: 3, maximum: 3),
    options: OptionDescription.editing,
    commonOptions: [.color, .quiet, .help],
    rules: OptionRule.editing,
    discussion: [
      """
      The member at PATH of a dictionary, of an object or of the top of an archive gets the \
      key KEY. Its value and its position stay. A key that is there already is refused. The \
      key of one object changes; rename-class --rename-key changes those of all objects of \
      a class. Everything else is as for set.
      """
    ],
    examples: [
      Example(
        command: "archtool rename-key Movie '$.name' title -o Movie.new",
        explanation: "Write an archive in which the name is the title.")
    ],
    exits: .ofEditing)
}
