// `archtool append`: adds an element to the end of a list.

import CommandLineInterface
import Queries

struct Append: Command {
  static let name = "append"
  static var description: CommandDescription { .append }

  private let edit: EditRun

  init(_ session: Session) throws {
    let path = try ValuePath(operand: session.arguments.operands[1], command: Self.name)
    edit = try EditRun(session, [DocumentEdit(.append(try session.editValue(at: 2)), at: path)])
  }

  func run() throws { try edit.run() }
}

extension CommandDescription {
  /// Adds an element to the end of a list.
  package static let append = CommandDescription(
    name: Append.name,
    abstract: "add an element to the end of a list",
    operands: Operands(name: "FILE PATH VALUE", minimum: 2, maximum: 3),
    options: OptionDescription.adding,
    commonOptions: [.color, .quiet, .help],
    rules: OptionRule.adding,
    discussion: [
      """
      PATH leads to an array, a set or an ordered set, and VALUE becomes its last element. \
      An element that equals another one of a set is refused. VALUE and everything else is \
      as for set.
      """
    ],
    examples: [
      Example(
        command: "archtool append --in-place Movie /genres '\"Comedy\"'",
        explanation: "Add a genre after the others.")
    ],
    exits: .ofEditing)
}
