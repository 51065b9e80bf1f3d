// `archtool set`: replaces a value.

import Basics
import Batches
import CommandLineInterface
import Queries

struct SetValue: Command {
  static let name = "set"
  static var description: CommandDescription { .set }

  private let edit: EditRun

  init(_ session: Session) throws {
    let operands = session.arguments.operands
    if let file = session.arguments.value(of: .edits) {
      guard operands.count == 1 else {
        throw UsageError("'--edits' takes only FILE; found '\(operands[1])'", command: Self.name)
      }
      let storage = try session.open(file)
      let edits: [DocumentEdit]
      do throws(ArchiveError) {
        edits = try DocumentEdit.readLines(storage)
      } catch {
        throw error.inFile(Input(operand: file).name)
      }
      edit = try EditRun(session, edits, isNumbered: true)
      return
    }
    guard operands.count > 1 else {
      throw UsageError("missing operand PATH for set", command: Self.name)
    }
    let path = try ValuePath(operand: operands[1], command: Self.name)
    edit = try EditRun(session, [DocumentEdit(.set(try session.editValue(at: 2)), at: path)])
  }

  func run() throws { try edit.run() }
}

extension CommandDescription {
  /// Replaces a value.
  package static let set = CommandDescription(
    name: SetValue.name,
    abstract: "replace a value, or add a member to a dictionary",
    operands: Operands(name: "FILE PATH VALUE", minimum: 1, maximum: 3),
    options: OptionDescription.valueTypes + [.fromFile, .edits] + OptionDescription.editing,
    commonOptions: [.color, .quiet, .help],
    rules: [
      .exclusive(OptionDescription.valueTypes + [.fromFile, .edits])
    ] + OptionRule.editing,
    discussion: [
      """
      PATH leads to one value, in any notation that get reads. VALUE is JSON, or typed JSON \
      as dump --format json --typed writes it: {"$date": "2019-04-06T03:50:00Z"}. The \
      options --string, --date and so on take VALUE as a value of one type. A member that a \
      dictionary does not have yet is added; its dictionary must exist.
      """,
      """
      Everything else stays as it is stored: the numbers and classes of objects, shared \
      references, inline and boxed storage, the types of numbers. What nothing refers to \
      any more is removed. In a keyed archive a new value becomes what NSKeyedArchiver \
      would write. It keeps the storage of the old value and, if it is of the same kind, its \
      class: an NSMutableString stays one. Typed JSON with "$object" names another class. \
      The result is decoded again and compared with FILE and VALUE; if they differ \
      elsewhere, nothing is written.
      """,
      """
      An object that other values refer to as well would change for them, too. Such an edit \
      is refused with the paths of the others, unless --shared or --copy says what to do. A \
      string or a number is replaced at PATH alone.
      """,
      """
      Property lists in binary, XML and OpenStep form are edited, JSON, keyed archives, and \
      archives in data values at any depth, also in gzip-compressed files, and typedstreams \
      whose classes archtool can write. The comments of a text are lost, and its encoding if it is \
      not UTF-8, with a warning. Without -o and --in-place the result goes to standard output. \
      With --in-place a journal is written, and undo takes the edit back. If FILE.lost.json has \
      values for migrating FILE back to an earlier version, an edit in place is refused: they would \
      not belong to FILE any more.
      """,
    ],
    examples: [
      Example(
        command: "archtool set --in-place --string Movie /name Aliens",
        explanation: "Change the name in the archive Movie."),
      Example(
        command: "archtool set -n Movie '$.releaseYear' 2020",
        explanation: "Show the old and the new year, and write nothing."),
    ],
    exits: .ofEditing)
}
