// The commands that make edits by paths: `set`, `insert`, `append`, `remove` and `rename-key`.

import ArchiveBasics
import ArchiveBatches
import ArchiveQueries
import CommandLineInterface

protocol EditCommand: Command {
  var edit: EditRun { get }
}

extension EditCommand {
  func run() throws { try edit.run() }
}

struct SetValue: EditCommand {
  static let name = "set"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "replace a value, or add a member to a dictionary",
    operands: Operands(name: "FILE PATH VALUE", minimum: 1, maximum: 3),
    options: OptionDescription.valueTypes + [.fromFile, .edits] + OptionDescription.editing,
    rules: [
      .exclusive(OptionDescription.valueTypes + [.fromFile, .edits])
    ] + OptionRule.editing,
    discussion: """
      PATH leads to one value, in any notation that get reads. VALUE is JSON, or typed JSON as dump
      --format json --typed writes it: {"$date": "2019-04-06T03:50:00Z"}. The options --string,
      --date and so on take VALUE as a value of one type. A member that a dictionary does not have
      yet is added; its dictionary must exist.

      Everything else stays as it is stored: the numbers and classes of objects, shared references,
      inline and boxed storage, the types of numbers. What nothing refers to any more is removed. In
      a keyed archive a new value becomes what NSKeyedArchiver would write. It keeps the storage of
      the old value and, if it is of the same kind, its class: an NSMutableString stays one. Typed
      JSON with "$object" names another class. The result is decoded again and compared with FILE
      and VALUE; if they differ elsewhere, nothing is written.

      An object that other values refer to as well would change for them, too. Such an edit is
      refused with the paths of the others, unless --shared or --copy says what to do. A string or a
      number is replaced at PATH alone.

      Property lists in binary, XML and OpenStep form are edited, JSON, keyed archives, and archives
      in data values at any depth, also in gzip-compressed files, and typedstreams, where colors,
      geometry and attributed strings stay as they are. The comments of a text are lost, and its
      encoding if it is not UTF-8, with a warning. Without -o and --in-place the result goes to
      standard output. With --in-place a journal is written, and undo takes the edit back. If
      FILE.lost.json has values for migrating FILE back to an earlier version, an edit in place is
      refused: they would not belong to FILE any more.
      """,
    examples: [
      "archtool set --in-place --string Movie /name Aliens":
        "Change the name in the archive Movie.",
      "archtool set -n Movie '$.releaseYear' 2020":
        "Show the old and the new year, and write nothing.",
    ])

  let edit: EditRun

  init(_ session: Session) throws {
    let operands = session.arguments.operands
    if let file = session.arguments.value(of: .edits) {
      guard operands.count == 1 else {
        throw UsageError("'--edits' takes only FILE; found '\(operands[1])'")
      }
      let storage = try session.open(file)
      let edits = try ArchiveError.inFile(Input(operand: file).name) { () throws(ArchiveError) in
        try DocumentEdit.readLines(storage)
      }
      edit = try EditRun(session, edits, isNumbered: true)
      return
    }
    guard operands.count > 1 else {
      throw UsageError("missing operand PATH for set")
    }
    edit = try EditRun(session, .set(try session.editValue(at: 2)))
  }
}

struct Insert: EditCommand {
  static let name = "insert"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "insert an element into a list, or add a new member",
    operands: Operands(name: "FILE PATH VALUE", minimum: 2, maximum: 3),
    options: OptionDescription.adding,
    rules: OptionRule.adding,
    discussion: """
      If PATH ends with the number of an element, VALUE becomes a new element before it; the number
      after the last adds one at the end. If PATH ends with a key, VALUE becomes a new member. A key
      that is there already is refused: set replaces its value. An object of an application's class
      gets a new field.

      With --from the value is the root of the archive PART, with its objects and their classes;
      class records that FILE has already are used again. A keyed archive takes the parts of keyed
      archives, a property list those of property lists: extract makes them. VALUE and everything
      else is as for set.
      """,
    examples: [
      "archtool insert Saved '$.topCityWeathers[1]' --from Part -o Saved.new":
        "Add the root of Part to the end of a list with one element.",
      "archtool insert --in-place Movie /genres/0 '\"Comedy\"'":
        "Insert a string before the first genre.",
    ])

  let edit: EditRun

  init(_ session: Session) throws {
    let operands = session.arguments.operands
    if operands.count == 3, operands[0].hasPrefix("$"), !FolderListing.isFile(operands[0]) {
      throw UsageError("FILE comes first: archtool insert FILE PATH --from PART")
    }
    edit = try EditRun(session, .insert(try session.editValue(at: 2)))
  }
}

struct Append: EditCommand {
  static let name = "append"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "add an element to the end of a list",
    operands: Operands(name: "FILE PATH VALUE", minimum: 2, maximum: 3),
    options: OptionDescription.adding,
    rules: OptionRule.adding,
    discussion: """
      PATH leads to an array, a set or an ordered set, and VALUE becomes its last element. An
      element that equals another one of a set is refused. VALUE and everything else is as for set.
      """,
    examples: [
      "archtool append --in-place Movie /genres '\"Comedy\"'": "Add a genre after the others."
    ])

  let edit: EditRun

  init(_ session: Session) throws {
    edit = try EditRun(session, .append(try session.editValue(at: 2)))
  }
}

struct Remove: EditCommand {
  static let name = "remove"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "remove an element, or a member with its key",
    operands: Operands(name: "FILE PATH", minimum: 2, maximum: 2),
    discussion: """
      The value at PATH is removed, and so is everything to which only that value refers. The
      elements after it move up. An object without one of its fields is decoded as if it had never
      been encoded. Everything else is as for set.
      """,
    examples: [
      "archtool remove -n Movie /genres/0": "Show which genre would be removed."
    ])

  let edit: EditRun

  init(_ session: Session) throws {
    edit = try EditRun(session, .remove)
  }
}

struct RenameKey: EditCommand {
  static let name = "rename-key"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "give a member another key",
    operands: Operands(name: "FILE PATH KEY", minimum: 3, maximum: 3),
    discussion: """
      The member at PATH of a dictionary, of an object or of the top of an archive gets the key KEY.
      Its value and its position stay. A key that is there already is refused. The key of one object
      changes; rename-class --rename-key changes those of all objects of a class. Everything else is
      as for set.
      """,
    examples: [
      "archtool rename-key Movie '$.name' title -o Movie.new":
        "Write an archive in which the name is the title."
    ])

  let edit: EditRun

  init(_ session: Session) throws {
    edit = try EditRun(session, .renameKey(session.arguments.operands[2]))
  }
}
