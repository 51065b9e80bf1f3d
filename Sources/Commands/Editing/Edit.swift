// `archtool edit`: opens a value as typed JSON in the user's editor, and makes its changes.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import Migrations
import ObjectGraph
import PropertyLists
import Queries
import Schemas

struct Edit: Command {
  static let name = "edit"
  static let description = CommandDescription.editing(
    name: name,
    abstract: "edit a value as typed JSON in your editor",
    operands: Operands(name: "FILE PATH", minimum: 1, maximum: 2),
    discussion: """
      The value at PATH, or the root, is opened as typed JSON in the editor that VISUAL or EDITOR
      names, in a file that only you can read. What you change is changed as by set, insert, append
      and remove: the smallest values that differ. If the editor ends with an error, nothing is
      changed. Everything else is as for set.

      A text that cannot be read, or whose changes are refused, is not lost. On a terminal archtool
      asks, and opens it again with the error in its first line; lines that begin with // are not
      part of the text. Otherwise, and whenever anything else fails, the text stays in its file,
      which is named.
      """,
    examples: [
      "archtool edit --in-place Movie /genres": "Edit the genres in the archive Movie."
    ])

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
    // A schema that is not there is reported before anybody types.
    if session.arguments.has(.checkResult) { _ = try Validation(session.arguments) }
    let input = Input(operand: session.arguments.operands[0])
    let storage: ByteStorage
    let graph: ObjectGraph
    let old: ByteStorage
    let text: EditorText
    do throws(ArchiveError) {
      storage = try input.open(session.streams)
      graph = try ArchiveEditing.read(storage)
      let node = try path.resolve(in: graph).node
      var output = OutputBuffer(descriptor: nil)
      try JSONWriter.write(node, of: graph, options: JSONWriter.Options(isTyped: true), to: &output)
      old = ByteStorage(copying: output.bytes.bytes)
      text = try EditorText(old.bytes)
    } catch {
      return session.report(error, file: input.name)
    }
    do {
      guard let edits = try edited(text, old, graph, storage, input) else { return noteKept(text) }
      try EditRun(session, edits).run()
    } catch {
      noteKept(text)
      throw error
    }
    if session.status == .done { text.remove() } else { noteKept(text) }
  }

  /// Lets the user edit the text until it can be read and its edits can be made.
  ///
  /// - Returns: the edits; nil if there are none, or the user gave up.
  private func edited(
    _ text: EditorText, _ old: ByteStorage, _ graph: ObjectGraph, _ storage: ByteStorage,
    _ input: Input
  ) throws(ArchiveError) -> [DocumentEdit]? {
    while true {
      session.output.flush()
      let new: ByteStorage
      do throws(ArchiveError) { new = try text.edited() } catch { throw error.inFile(input.name) }
      let problem: ArchiveError
      do throws(ArchiveError) {
        let difference = try TypedDifference(from: old, to: new, at: path, in: graph)
        if difference.edits.isEmpty {
          session.printNote("\(input.name): not changed")
          text.remove()
          return nil
        }
        try check(difference, storage, input)
        return difference.edits
      } catch {
        problem = text.located(error, in: new)
      }
      let line = problem.line(file: text.path)
      let question = "e edits the text again, q quits and keeps it in \(text.path) [e]:"
      session.printError(line)
      guard let answer = session.ask(question), answer.isEmpty || answer.hasPrefix("e") else {
        session.merge(ExitStatus(problem))
        return nil
      }
      try text.annotate(problem)
    }
  }

  /// Makes the edits without writing anything.
  ///
  /// - Throws: `ArchiveError` with the offset in the edited text if an edit is refused.
  private func check(
    _ difference: TypedDifference, _ storage: ByteStorage, _ input: Input
  ) throws(ArchiveError) {
    var failed: Int?
    do throws(ArchiveError) {
      let rewriting = EditRewriting(difference.edits, session.arguments)
      let (_, refusal) = try rewriting.edited(storage, name: input.name) { failed = $0 }
      if case .refused(let reason, _, _)? = refusal { throw ArchiveError(.mismatch, reason) }
    } catch {
      throw ArchiveError(
        error.code, error.message, offset: failed.flatMap(difference.offset), path: error.path)
    }
  }

  /// Names the file with what the user typed, if there is anything.
  private func noteKept(_ text: EditorText) {
    if text.keep() {
      session.show("\(session.arguments.operands[0]): what you typed is kept in \(text.path)")
    }
  }
}
