// Journals read line by line: however long one is, a line is all that is held.

import ArchiveBasics
import ArchivePropertyLists

/// Reads a journal.
package struct JournalReader {
  /// The end of the complete lines, and whether anything follows them.
  package struct End: Sendable {
    /// The offset after the last complete line.
    package let offset: Int
    /// Whether an incomplete line follows, from a crash while it was written.
    package let isTorn: Bool
  }

  /// No line is longer: the attributes of the largest file with many fit many times.
  private static let longestLine = 64 << 20
  /// The number of bytes read at once for all lines, and for one line.
  private static let (chunk, usualLine) = (1 << 18, 1 << 12)

  /// A line that is read again when it is its turn.
  struct Line: Sendable {
    let offset: Int
    /// The identity by which a change of the file is detected.
    let mark: Int
  }

  private let path: String
  private let file: OpenFile
  /// The key to check the seals; nil if they are only reported.
  private let seals: SealCheck?
  /// The first line.
  package let header: JournalHeader

  /// Opens a journal and reads its first line.
  ///
  /// - Parameters:
  ///   - path: the journal.
  ///   - seals: the check of its seals if files will be replaced accordingly, so that nobody else may have
  ///     written it; nil to only report it.
  /// - Throws: `ArchiveError` with the journal's path: `cannotOpen`, `inputOutput`, or the error of the line.
  package init(_ path: String, seals: SealCheck? = nil) throws(ArchiveError) {
    let file = try OpenFile(path).orSystemError(.cannotOpen, "cannot open the journal", file: path)
    self.file = file
    self.path = path
    self.seals = seals
    header = try ArchiveError.inFile(path) { () throws(ArchiveError) in
      if seals != nil { try TrustedFile.check(file.descriptor, "journal") }
      let line = try Self.line(at: 0, of: file) ?? []
      guard line.last == UInt8(ascii: "\n"), line.first == UInt8(ascii: "{") else {
        throw Self.beheaded(line, path)
      }
      return try JournalHeader(try Self.tree(line, at: 0))
    }
  }

  /// Reads the lines after the first.
  ///
  /// - Parameters:
  ///   - inspection: looks at the seals of all lines.
  ///   - visit: is given each event and its line.
  /// - Throws: `ArchiveError` at the first line that is wrong and not the last, and what `visit` throws.
  func read(
    _ inspection: inout SealInspection, _ visit: (JournalEvent, Line) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> End {
    var isFirst = true
    var bad: (offset: Int, error: ArchiveError)?
    let rest = try forEachLine { (line, offset) throws(ArchiveError) in
      defer { isFirst = false }
      // A following line proves that this was not a crash.
      if let bad { throw bad.error }
      let tree: JSONTree
      do throws(ArchiveError) {
        tree = try Self.tree(line, at: offset)
      } catch {
        // Blocks of a file may reach the disk in any order, the last before those in between, which then read as zeros.
        guard line.last != UInt8(ascii: "\n") || line.contains(0) else { throw error.inFile(path) }
        bad = (offset, error.inFile(path))
        return
      }
      inspection.look(at: line)
      if let seals, !seals.isWaived, let problem = inspection.state.problem(of: "journal") {
        throw problem.inFile(path)
      }
      if isFirst { return }
      try visit(try event(tree, at: offset), Line(offset: offset, mark: Self.mark(of: line)))
    }
    if let bad {
      if rest.isTorn { throw bad.error }
      return End(offset: bad.offset, isTorn: true)
    }
    return rest
  }

  /// The intent of a line.
  ///
  /// - Throws: `ArchiveError` if the line is another one now.
  func intent(at line: Line) throws(ArchiveError) -> IntentRecord {
    let offset = line.offset
    guard let text = try Self.line(at: offset, of: file), Self.mark(of: text) == line.mark,
      case .intent(let intent) = try event(try Self.tree(text, at: offset), at: offset)
    else {
      throw ArchiveError(
        .malformed, "the journal was changed while it was read", offset: offset, file: path)
    }
    return intent
  }

  /// A hash whose seed no other process knows.
  private static func mark(of line: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    line.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// What is wrong with a file without a first line: a run that was killed while it wrote that may have left it, or the
  /// journal was cut since.
  private static func beheaded(_ line: ArraySlice<UInt8>, _ path: String) -> ArchiveError {
    let start = Array("{\"journal\":\"archtool\"".utf8)
    guard line.prefix(start.count).elementsEqual(start.prefix(line.count)) else {
      return ArchiveError(.unrecognized, "is not an archtool journal")
    }
    let isCertain = line.count >= start.count
    let backups = path + ".backup"
    if BackupStore.holdsCopies(backups) {
      return ArchiveError(
        .truncated,
        "the journal is damaged: its first line is incomplete, but \(backups) contains old files of its run; keep both"
      )
    }
    if !isCertain {
      let state = line.isEmpty ? "is empty" : "has only \(Counted.text(line.count, "byte"))"
      return ArchiveError(
        .unrecognized,
        "\(state): it is not an archtool journal, or that of a run that was killed before it changed anything"
      )
    }
    return ArchiveError(
      .unrecognized,
      "the journal of a run that was killed before it changed anything; delete it and start again")
  }

  // MARK: Lines

  private func forEachLine(
    _ body: (ArraySlice<UInt8>, Int) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> End {
    var buffer: [UInt8] = []
    var start = 0
    while true {
      let more = try Self.bytes(Self.chunk, at: start + buffer.count, of: file)
      var position = buffer.count
      buffer += more
      var lineStart = 0
      while let newline = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
        try body(buffer[lineStart...newline], start + lineStart)
        lineStart = newline + 1
        position = lineStart
      }
      buffer.removeFirst(lineStart)
      start += lineStart
      if more.isEmpty { return End(offset: start, isTorn: !buffer.isEmpty) }
      if buffer.count > Self.longestLine { throw Self.tooLong(start).inFile(path) }
    }
  }

  /// The line that begins at an offset, with its newline if it has one; nil at the end.
  private static func line(
    at offset: Int, of file: OpenFile
  ) throws(ArchiveError) -> ArraySlice<UInt8>? {
    var line: [UInt8] = []
    while true {
      let count = line.isEmpty ? usualLine : chunk
      let more = try bytes(count, at: offset + line.count, of: file)
      if more.isEmpty { return line.isEmpty ? nil : line[...] }
      // What is no journal need not have lines, nor an end.
      if offset + line.count == 0, more.first != UInt8(ascii: "{") { return more[...] }
      if let newline = more.firstIndex(of: UInt8(ascii: "\n")) {
        return (line + more[...newline])[...]
      }
      line += more
      if line.count > longestLine { throw tooLong(offset) }
    }
  }

  private static func bytes(
    _ most: Int, at offset: Int, of file: OpenFile
  ) throws(ArchiveError) -> [UInt8] {
    try file.bytes(most, at: offset).orSystemError(.inputOutput, "cannot read the journal")
  }

  private func event(_ tree: JSONTree, at offset: Int) throws(ArchiveError) -> JournalEvent {
    do throws(ArchiveError) {
      return try JournalEvent(tree)
    } catch {
      throw ArchiveError(error.code, error.message, offset: offset, file: path)
    }
  }

  private static func tree(
    _ line: ArraySlice<UInt8>, at offset: Int
  ) throws(ArchiveError) -> JSONTree {
    do throws(ArchiveError) {
      return try JSONTree(json: Array(line))
    } catch {
      throw error.shifted(by: offset)
    }
  }

  private static func tooLong(_ offset: Int) -> ArchiveError {
    ArchiveError(
      .limit, "a line of the journal is longer than \(longestLine) bytes", offset: offset)
  }
}
