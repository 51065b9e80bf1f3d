// `archtool patch`: applies a JSON Patch.

import ArchiveBasics
import ArchiveBatches
import ArchiveQueries
import CommandLineInterface

struct Patch: Command {
  static let name = "patch"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "apply a JSON Patch",
    operands: Operands(name: "FILE PATCH", minimum: 2, maximum: 2),
    discussion: """
      PATCH is a JSON Patch (RFC 6902), an array of the operations add, remove, replace, move, copy
      and test; '-' is standard input. Values may be typed JSON. The JSON Pointers enter archives in
      data values by themselves. The operation test compares numbers by their value, and everything
      else with its type.

      The operations are applied in order, all or none: if one fails, its number and its pointer are
      reported, the exit status is 1, and nothing is written. A move keeps the identity of an
      object, a copy is one of its own. Everything else is as for set.
      """,
    examples: [
      "archtool patch --in-place Movie changes.json": "Apply the operations in changes.json."
    ])

  private let session: Session

  init(_ session: Session) throws {
    self.session = session
    if session.arguments.operands == ["-", "-"] {
      throw UsageError("FILE and PATCH cannot both be standard input")
    }
  }

  func run() throws {
    let input = Input(operand: session.arguments.operands[1])
    let edits: [DocumentEdit]
    do throws(ArchiveError) {
      edits = try DocumentEdit.readPatch(try input.open(session.streams))
    } catch {
      return session.report(error, file: input.name)
    }
    try EditRun(session, edits, isNumbered: true).run()
  }
}
