// A text in a person's editor: opened, read, and opened again with what is wrong in it; never lost.

import Basics
import Batches
import CommandLineInterface
import PropertyLists

/// A text that a person edits in a private file.
struct EditorText {
  /// How a line of comment begins.
  private static let comment = "//"
  /// How a line of comment begins that archtool adds.
  private static let ownComment = "// archtool:"

  /// The file.
  let path: String
  /// The text as the editor got it first.
  private let original: [UInt8]
  private let editor: String

  /// Writes a text into a file for the user's editor.
  ///
  /// - Throws: `ArchiveError` if the user has no editor, or the file cannot be created.
  init(_ text: UnsafeRawBufferPointer) throws(ArchiveError) {
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
    let place = line.map { " line \($0):" } ?? ""
    let note = Array("\(Self.ownComment)\(place) \(error.message.escapedLine)\n".utf8)
    try AtomicFile.write(to: path, existing: .replace, allowing: .owner) {
      (output) throws(ArchiveError) in
      note.withUnsafeBytes { output.bytes.append($0) }
      bytes.withUnsafeBytes { output.bytes.append($0) }
    }
  }

  /// Removes the file.
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
