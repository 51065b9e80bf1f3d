// `archtool edit`: opens a value as typed JSON in the user's editor, and makes its changes.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveQueries
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface

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
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    dataPath = try Session.dataPath(session.arguments)
    let operands = session.arguments.operands
    path = try ValuePath(operand: operands.count > 1 ? operands[1] : "")
    if operands[0] == "-" {
      throw UsageError("edit needs a file, not standard input ('-')")
    }
  }

  func run() throws {
    // A schema that is not there is reported before anybody types.
    if session.arguments.has(.checkResult) { _ = try Validation(session.arguments) }
    var input = Input(operand: session.arguments.operands[0])
    let storage: ByteStorage
    let graph: ObjectGraph
    let old: ByteStorage
    let text: EditorText
    do throws(ArchiveError) {
      if !session.arguments.has(.inPlace) { input = try session.input(input.path) }
      (input, storage) = try input.onlyArchive(at: dataPath, in: input.open(session.streams))
      graph = try EditableFile.read(storage)
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
      session.printProblem(line)
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

// MARK: - A text in a person's editor: opened, read, and opened again with what is wrong in it; never lost

/// A text that a person edits in a private file.
struct EditorText {
  private static let comment = "//"
  /// How a line of comment begins that archtool adds.
  private static let ownComment = "// archtool:"

  let path: String
  /// The text as the editor got it first.
  private let original: [UInt8]
  private let editor: String

  /// Writes a text into a file for the user's editor.
  ///
  /// - Throws: `ArchiveError` if the user has no editor, or the file cannot be created.
  init(_ text: ByteView) throws(ArchiveError) {
    guard let editor = XDGFolder.variable("VISUAL") ?? XDGFolder.variable("EDITOR") else {
      throw ArchiveError(.cannotOpen, "the environment has no VISUAL and no EDITOR")
    }
    self.editor = editor
    original = Array(text)
    path = try PrivateFile.write(suffix: ".json") { (output) throws(ArchiveError) in
      output.bytes.append(text)
    }
  }

  /// Opens the editor, and waits for its end.
  ///
  /// - Returns: the text; lines of comment are blank, so that offsets and lines are those of the file.
  /// - Throws: `ArchiveError` if the editor ended with an error, or the file cannot be read.
  func edited() throws(ArchiveError) -> ByteStorage {
    guard system("\(editor) \(path.quotedWord)") == 0 else {
      throw ArchiveError(
        .inputOutput, "the editor '\(editor)' ended with an error; nothing is changed")
    }
    var bytes = try contents()
    for line in bytes.split(separator: UInt8(ascii: "\n"))
    where line.drop(while: { $0 <= 0x20 }).starts(with: Self.comment.utf8) {
      for position in line.indices { bytes[position] = UInt8(ascii: " ") }
    }
    return ByteStorage(copying: bytes)
  }

  private func contents() throws(ArchiveError) -> [UInt8] {
    let storage = try ByteStorage.open(path: path)
    return Array(storage.bytes)
  }

  /// An error with the line and column of its offset in the file.
  func located(_ error: ArchiveError, in text: ByteStorage) -> ArchiveError {
    guard let offset = error.offset else { return error }
    let before = text.bytes.prefix(offset)
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Continuation bytes of UTF-8 begin no character.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return error.at(position: TextPosition(line: line, column: column))
  }

  /// Adds what is wrong as the first line of the file, in the place of an older such line.
  func annotate(_ error: ArchiveError) throws(ArchiveError) {
    var bytes = try contents()
    var line = error.position?.line
    if bytes.starts(with: Self.ownComment.utf8) {
      bytes = Array(bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
    } else if let number = line {
      line = number + 1
    }
    let position = line.map { " line \($0):" } ?? ""
    let note = Array("\(Self.ownComment)\(position) \(error.message.escapedLine)\n".utf8)
    try AtomicFile.write(to: path, existing: .replace, allowing: .owner) {
      (output) throws(ArchiveError) in
      note.withByteView { output.bytes.append($0) }
      bytes.withByteView { output.bytes.append($0) }
    }
  }

  func remove() { unlink(path) }

  /// Removes the file if the person typed nothing that could be lost.
  ///
  /// - Returns: whether the file is kept.
  func keep() -> Bool {
    if let bytes = try? contents(), bytes != original {
      // Some editors write a new file.
      _ = chmod(path.asPath, 0o600)
      return true
    }
    remove()
    return false
  }
}
