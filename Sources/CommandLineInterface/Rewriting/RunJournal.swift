// The journal of a run that replaces files: where it lies, and what becomes of it at the end.

import Migrations
import ObjectGraph
import PropertyLists

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A run's journal and its store of old files.
struct RunJournal {
  let run: RunIdentifier
  /// Nil if none is written.
  let journal: Journal?
  let backups: BackupStore?
  /// The journal as messages name it.
  private let name: String
  private let command: String
  /// Whether nobody named the journal, so that it goes if there was nothing to tell.
  private let isUnasked: Bool

  /// Begins a journal under `--journal`, `--no-journal`, `--backup-dir` and `--in-place`.
  ///
  /// A run in place that no option speaks of writes its journal into the user's state folder (XDG Base Directory
  /// Specification, `XDG_STATE_HOME`).
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`.
  init(
    _ arguments: ParsedArguments, roots: [JournalHeader.Root],
    options: [(name: String, value: JSONTree)] = []
  ) throws(ArchiveError) {
    run = RunIdentifier()
    command = arguments.command.name
    let named = arguments.value(of: .journal)
    guard named != nil || (arguments.has(.inPlace) && !arguments.has(.noJournal)) else {
      (journal, backups, isUnasked, name) = (nil, nil, true, "")
      return
    }
    isUnasked = named == nil
    let chosen: String
    if let named { chosen = named } else { chosen = try Self.usualPath(run) }
    name = chosen
    let path = FolderListing.absolute(chosen)
    let folder = arguments.value(of: .backupDirectory) ?? path + ".backup"
    let store = try BackupStore(folder: folder, run: run)
    backups = store
    journal = try Journal.create(
      path,
      header: JournalHeader(
        run: run, directory: try FilePlace.resolved("."), arguments: arguments.words,
        backups: store.folder, roots: roots, options: options))
  }

  /// The journal of a run that goes on.
  init(_ recovery: Recovery) throws(ArchiveError) {
    run = recovery.header.run
    name = recovery.journal.path
    command = recovery.header.arguments.first ?? ""
    journal = recovery.journal
    let run = run
    backups = try recovery.header.backups.map { (folder) throws(ArchiveError) in
      try BackupStore(folder: folder, run: run)
    }
    isUnasked = false
  }

  /// As in `~/.local/state/archtool/20190406T035000Z-RUN.journal`.
  private static func usualPath(_ run: RunIdentifier) throws(ArchiveError) -> String {
    guard let state = XDGFolder.state else {
      throw ArchiveError(
        .cannotCreate,
        "there is no folder for the journal: neither XDG_STATE_HOME nor HOME is set; give --journal or --no-journal"
      )
    }
    let moment = Moment.now.filter { $0 != "-" && $0 != ":" }
    let path = "\(state)/archtool/\(moment)-\(run).journal"
    try AtomicFile.makeFolder(above: path)
    return path
  }

  /// Ends the journal.
  ///
  /// - Returns: how the run is taken back, or goes on, as a note; nil if there is nothing to take back.
  /// - Throws: `ArchiveError` if the journal cannot be written.
  func finish(_ summary: FleetSummary, replaced: Int, isWhole: Bool) throws(ArchiveError) -> String?
  {
    guard let journal else { return nil }
    if isWhole {
      try journal.append(
        .end(
          at: Moment.now,
          counts: FleetOutcome.allCases.map { ($0.rawValue, summary.count($0)) }))
      try journal.synchronise()
    }
    if replaced == 0, isUnasked, isWhole {
      _ = unlink(journal.path)
      if let folder = backups?.folder {
        _ = rmdir(folder + "/sha256")
        _ = rmdir(folder)
      }
      return nil
    }
    let path = name.shellWord
    if !isWhole {
      return "archtool \(command) --resume \(path) goes on; archtool undo \(path) takes it back"
    }
    return replaced == 0 ? nil : "archtool undo \(path) takes it back"
  }
}
