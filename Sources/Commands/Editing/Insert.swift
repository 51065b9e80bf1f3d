// `archtool insert`: adds an element or a member.

import Basics
import CommandLineInterface
import Queries

struct Insert: Command {
  static let name = "insert"
  static var description: CommandDescription { .insert }

  private let edit: EditRun

  init(_ session: Session) throws {
    let operands = session.arguments.operands
    if operands.count == 3, operands[0].hasPrefix("$"), !FolderListing.isFile(operands[0]) {
      throw UsageError(
        "FILE comes first: archtool insert FILE PATH --from PART", command: Self.name)
    }
    let path = try ValuePath(operand: operands[1], command: Self.name)
    edit = try EditRun(session, [DocumentEdit(.insert(try session.editValue(at: 2)), at: path)])
  }

  func run() throws { try edit.run() }
}

extension CommandDescription {
  /// Adds an element or a member.
  package static let insert = CommandDescription(
    name: Insert.name,
    abstract: "insert an element into a list, or add a new member",
    operands: Operands(name: "FILE PATH VALUE", minimum: 2, maximum: 3),
    options: OptionDescription.adding,
    commonOptions: [.color, .quiet, .help],
    rules: OptionRule.adding,
    discussion: [
      """
      If PATH ends with the number of an element, VALUE becomes a new element before it; \
      the number after the last adds one at the end. If PATH ends with a key, VALUE becomes \
      a new member. A key that is there already is refused: set replaces its value. An \
      object of an application's class gets a new field.
      """,
      """
      With --from the value is the root of the archive PART, with its objects and their \
      classes; class records that FILE has already are used again. A keyed archive takes \
      the parts of keyed archives, a property list those of property lists: extract makes \
      them. VALUE and everything else is as for set.
      """,
    ],
    examples: [
      Example(
        command: "archtool insert Saved '$.topCityWeathers[1]' --from Part -o Saved.new",
        explanation: "Add the root of Part to the end of a list with one element."),
      Example(
        command: "archtool insert --in-place Movie /genres/0 '\"Comedy\"'",
        explanation: "Insert a string before the first genre."),
    ],
    exits: .ofEditing)
}
