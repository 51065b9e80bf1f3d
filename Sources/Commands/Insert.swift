// `archtool insert`: inserts a value into an archive.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph

struct Insert: Command {
  static let name = "insert"
  static var description: CommandDescription { .insert }

  private let session: Session
  private let path: GraphPath

  init(_ session: Session) throws {
    self.session = session
    path = try session.path(session.arguments.operands[0])
  }

  func run() throws {
    let operands = session.arguments.operands
    if operands[1] == "-", operands[2] == "-" {
      throw UsageError("standard input ('-') can be read only once", command: "insert")
    }
    do throws(ArchiveError) {
      let part = try Input(operand: operands[1]).open(session.streams)
      session.make(of: operands[2]) { (storage) throws(ArchiveError) in
        try ArchiveInsertion.insert(part, at: path, into: storage)
      }
    } catch {
      session.report(error, file: Input(operand: operands[1]).name)
    }
  }
}

extension CommandDescription {
  /// Inserts a part into an archive.
  package static let insert = CommandDescription(
    name: Insert.name,
    abstract: "put the root of an archive into another archive",
    operands: Operands(name: "PATH PART FILE", minimum: 3, maximum: 3),
    options: [.output, .insertInPlace, .backup, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [
      .oneOf([.output, .insertInPlace]), .exclusive([.output, .insertInPlace]),
      .needs(.backup, anyOf: [.insertInPlace]), .needs(.force, anyOf: [.output]),
      .namePart(.backup), .lastIsFile(.insertInPlace),
    ],
    discussion: [
      """
      The root of PART replaces the value at PATH in FILE. A key that a dictionary does not \
      have yet is added, and so is an element whose number is the length of a list. The \
      objects of PART are copied with their classes; a class record that FILE already has is \
      used again. Objects that nothing in FILE refers to afterwards are removed. Only the \
      value at PATH changes: other references to the same object keep it.
      """,
      """
      The command refuses a path that does not exist, a new field for an object of an \
      application's class, an object instead of a number that is stored inline, as \
      encodeInt: writes it, and a plain property list for a keyed archive or the reverse. \
      The result is decoded again and compared with FILE and PART before it is written. PART \
      or FILE may be '-' for standard input.
      """,
    ],
    examples: [
      Example(
        command: "archtool insert '$.topCityWeathers[1]' Part Saved -o Saved.new",
        explanation: "Add the root of Part to the end of a list with one element.")
    ],
    exits: [
      Exit(.done), Exit(.answerIsNo, "PART cannot be inserted there."),
      Exit(.undecodable, "A file cannot be decoded, or has no value at PATH."),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}

extension OptionDescription {
  /// `--in-place` of an insertion: replaces the file itself.
  package static let insertInPlace = flag(
    "in-place", help: "Replace FILE by the result. It is replaced completely or not at all.")
}
