// `archtool remove`: removes a value.

import CommandLineInterface
import Queries

struct Remove: Command {
  static let name = "remove"
  static var description: CommandDescription { .remove }

  private let edit: EditRun

  init(_ session: Session) throws {
    let path = try ValuePath(operand: session.arguments.operands[1], command: Self.name)
    edit = try EditRun(session, [DocumentEdit(.remove, at: path)])
  }

  func run() throws { try edit.run() }
}

extension CommandDescription {
  /// Removes a value.
  package static let remove = CommandDescription(
    name: Remove.name,
    abstract: "remove an element, or a member with its key",
    operands: Operands(name: "FILE PATH", minimum: 2, maximum: 2),
    options: OptionDescription.editing,
    commonOptions: [.color, .quiet, .help],
    rules: OptionRule.editing,
    discussion: [
      """
      The value at PATH is removed, and so is everything to which only that value refers. \
      The elements after it move up. An object without one of its fields is decoded as if \
      it had never been encoded. Everything else is as for set.
      """
    ],
    examples: [
      Example(
        command: "archtool remove -n Movie /genres/0",
        explanation: "Show which genre would be removed.")
    ],
    exits: .ofEditing)
}
