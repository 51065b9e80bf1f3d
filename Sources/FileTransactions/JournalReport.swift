// A summary of a journal in a few lines, or as JSON.

import ArchiveBasics
import ArchivePropertyLists

/// The content of a journal, for people and for programs.
package struct JournalReport: Sendable {
  /// A file and what became of it.
  package struct File: Sendable {
    /// The absolute path.
    package let path: String
    /// The last word of the journal on it.
    package let state: JournalContents.State
    /// Why, where the journal gives a reason.
    package let reason: String?
  }

  /// How far a run came.
  package enum Progress: String, Sendable {
    /// It came to its end.
    case finished
    /// It was killed, or is still running.
    case unfinished
    /// All that it replaced was taken back.
    case undone
  }

  /// The journal's first line.
  package let header: JournalHeader
  /// The last word on all files.
  package let contents: JournalContents
  /// The files that failed or were refused; with `listsFiles` all of them, by the bytes of their paths.
  package let files: [File]

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - path: the journal.
  ///   - listsFiles: whether every file is listed.
  ///   - key: the user's key for the check of the seals, or nil.
  /// - Throws: as `JournalReader` does.
  package init(
    _ path: String, listsFiles: Bool, key: SealingKey? = nil
  ) throws(ArchiveError) {
    var reasons: [CodePointString: String] = [:]
    contents = try JournalContents(try JournalReader(path), key: key) { event in
      switch event {
      case .settled(let state, let file, let reason) where listsFiles || state != .unchanged:
        reasons[CodePointString(file)] = reason
      case .intent(let intent): reasons[CodePointString(intent.location.path)] = nil
      default: break
      }
    }
    header = contents.header
    files = contents.files.filter { listsFiles || [.failed, .refused].contains($0.value.state) }
      .sorted { $0.key < $1.key }
      .map { File(path: $0.key.text, state: $0.value.state, reason: reasons[$0.key]) }
  }

  /// The result of the seal check.
  package var seals: SealState { contents.seals?.state ?? .missing }

  /// How far the run came.
  package var progress: Progress {
    if contents.count(.undone) > 0, contents.count(.done) == 0 { return .undone }
    return contents.isFinished ? .finished : .unfinished
  }

  // MARK: As text

  /// The report, a line a fact.
  ///
  /// - Parameter command: the arguments of the run as a command line.
  package func lines(command: String) -> [String] {
    var lines = [
      "run: \(header.run)", "started: \(header.startedSecond)", "directory: \(header.directory)",
      "arguments: \(command)",
      "backups: \(header.backups ?? "none")", "state: \(progress.rawValue)",
    ]
    for state in JournalContents.State.allCases where contents.count(state) > 0 {
      lines.append("\(state.rawValue): \(contents.count(state))")
    }
    lines.append("seals: \(seals.words)")
    if contents.isTorn { lines.append("the last line was cut short; --resume and undo drop it") }
    for file in files {
      lines.append("\(file.path): \(file.state.rawValue)" + (file.reason.map { ": " + $0 } ?? ""))
    }
    return lines
  }

  // MARK: As JSON

  /// The report as one object.
  package var tree: JSONTree {
    .members([
      ("run", .string(header.run.description)), ("started", .string(header.started)),
      ("directory", .string(header.directory)),
      ("arguments", .list(header.arguments.map { .string($0) })),
      ("backups", header.backups.map { .string($0) } ?? .null),
      ("options", .members(header.options.map { ($0.name, $0.value) })),
      ("state", .string(progress.rawValue)), ("torn", .boolean(contents.isTorn)),
      ("seals", .string(seals.words)),
      (
        "counts",
        .members(
          JournalContents.State.allCases.map { ($0.rawValue, .integer(contents.count($0))) })
      ),
      ("files", .list(files.map(Self.tree))),
    ])
  }

  private static func tree(_ file: File) -> JSONTree {
    var members: [(String, JSONTree)] = [
      ("file", .string(file.path)), ("state", .string(file.state.rawValue)),
    ]
    if let reason = file.reason { members.append(("reason", .string(reason))) }
    return .members(members)
  }
}
