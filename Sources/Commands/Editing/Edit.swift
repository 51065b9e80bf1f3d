// `archtool edit`: opens a value as typed JSON in the user's editor, and makes its changes.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import PropertyLists
import Queries

struct Edit: Command {
  static let name = "edit"
  static var description: CommandDescription { .edit }

  private let session: Session
  private let path: ValuePath

  init(_ session: Session) throws {
    self.session = session
    let operands = session.arguments.operands
    path = try ValuePath(operand: operands.count > 1 ? operands[1] : "", command: Self.name)
    if operands[0] == "-" {
      throw UsageError("edit needs a file, not standard input ('-')", command: Self.name)
    }
  }

  func run() throws {
    let input = Input(operand: session.arguments.operands[0])
    let edits: [DocumentEdit]
    do throws(ArchiveError) {
      let graph = try ArchiveEditing.read(try input.open(session.streams))
      let node = try path.resolve(in: graph).node
      var old = OutputBuffer(descriptor: nil)
      try JSONWriter.write(node, of: graph, options: JSONWriter.Options(isTyped: true), to: &old)
      let new = try edited(ByteStorage(copying: old.bytes.bytes))
      edits = try TypedDifference.edits(
        from: ByteStorage(copying: old.bytes.bytes), to: new, at: path, in: graph)
    } catch {
      return session.report(error, file: input.name)
    }
    if edits.isEmpty { return session.printNote("\(input.name): not changed") }
    try EditRun(session, edits).run()
  }

  /// Lets the user edit a text in a private file.
  private func edited(_ text: ByteStorage) throws(ArchiveError) -> ByteStorage {
    guard let editor = XDGFolder.variable("VISUAL") ?? XDGFolder.variable("EDITOR") else {
      throw ArchiveError(.cannotOpen, "the environment has no VISUAL and no EDITOR")
    }
    let path = try PrivateFile.make(suffix: ".json")
    defer { unlink(path) }
    try AtomicFile.write(to: path, existing: .replace, allowing: 0o600) {
      (output) throws(ArchiveError) in output.bytes.append(text.bytes)
    }
    session.output.flush()
    guard system("\(editor) \(path.shellWord)") == 0 else {
      throw ArchiveError(
        .inputOutput, "the editor '\(editor)' ended with an error; nothing is changed")
    }
    let result = try Input(operand: path).open(session.streams)
    // The file goes when this function ends.
    return ByteStorage(copying: result.bytes)
  }
}

extension CommandDescription {
  /// Opens a value in an editor.
  package static let edit = CommandDescription(
    name: Edit.name,
    abstract: "edit a value as typed JSON in your editor",
    operands: Operands(name: "FILE PATH", minimum: 1, maximum: 2),
    options: OptionDescription.editing,
    commonOptions: [.color, .quiet, .help],
    rules: OptionRule.editing,
    discussion: [
      """
      The value at PATH, or the root, is opened as typed JSON in the editor that VISUAL or \
      EDITOR names, in a file that only you can read. What you change is changed as by set, \
      insert, append and remove: the smallest values that differ. If the editor ends with an \
      error, nothing is changed. Everything else is as for set.
      """
    ],
    examples: [
      Example(
        command: "archtool edit --in-place Movie /genres",
        explanation: "Edit the genres in the archive Movie.")
    ],
    exits: .ofEditing)
}
