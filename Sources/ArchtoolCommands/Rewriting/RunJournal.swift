// The journal of a run that replaces files: its location, and its fate at the end.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import CommandLineInterface
import FileTransactions

struct RunJournal {
  let run: RunIdentifier
  /// The journal; nil if none is written.
  let journal: Journal?
  let backups: BackupStore?
  /// Whether no option requested the journal, so that it is deleted if nothing was recorded.
  private let isUnasked: Bool

  /// Begins a journal under `--journal`, `--no-journal`, `--backup-dir` and `--in-place`.
  ///
  /// A run in place without these options writes its journal to the user's state folder (XDG Base Directory
  /// Specification, `XDG_STATE_HOME`).
  ///
  /// - Parameters:
  ///   - command: the command line that continues the run.
  ///   - roots: the folders in which files are replaced.
  ///   - listed: the paths from lists, which are not read again when the run continues.
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`.
  init(
    _ arguments: ParsedArguments, of command: RunOrigin.Command,
    roots: [JournalHeader.Root], listed: [String]
  ) throws(ArchiveError) {
    run = RunIdentifier()
    let named = arguments.value(of: .journal)
    guard Self.isRequested(arguments) else {
      (journal, backups, isUnasked) = (nil, nil, true)
      return
    }
    isUnasked = named == nil
    let chosen: String
    if let named { chosen = named } else { chosen = try Self.usualPath(run) }
    let path = FolderListing.absolute(chosen)
    let folder = arguments.value(of: .backupDirectory) ?? path + ".backup"
    let key = try StateFolder.madeKey()
    try AtomicFile.makeFolder(above: path)
    let journal = try Journal.create(
      path,
      header: JournalHeader(
        run: run, directory: command.folder, arguments: command.words,
        backups: FolderListing.absolute(folder), roots: roots, inputs: listed.count), key: key)
    do throws(ArchiveError) {
      // Created only once the journal belongs to this run: a refused one leaves nothing behind.
      backups = try BackupStore(folder: folder, run: run)
    } catch {
      _ = unlink(path.asPath)
      throw error
    }
    if named != nil, let folder = StateFolder.path {
      RecordedRuns.link(path, in: folder, as: StateFolder.name(of: run))
    }
    if !listed.isEmpty {
      try journal.append(listed.map { .input($0) })
      try journal.synchronise()
    }
    self.journal = journal
  }

  static func isRequested(_ arguments: ParsedArguments) -> Bool {
    arguments.has(.journal) || (arguments.has(.inPlace) && !arguments.has(.noJournal))
  }

  /// The journal of a continued run.
  init(_ recovery: Recovery) throws(ArchiveError) {
    run = recovery.header.run
    journal = recovery.journal
    let run = run
    backups = try recovery.header.backups.map { (folder) throws(ArchiveError) in
      try BackupStore(folder: folder, run: run)
    }
    isUnasked = false
  }

  /// For example `~/.local/state/archtool/20190406T035000Z-RUN.journal`.
  private static func usualPath(_ run: RunIdentifier) throws(ArchiveError) -> String {
    guard let folder = StateFolder.path else {
      throw ArchiveError(
        .cannotCreate,
        "no folder for the journal: neither XDG_STATE_HOME nor HOME is set; use --journal or --no-journal"
      )
    }
    let path = "\(folder)/\(StateFolder.name(of: run))\(RecordedRuns.suffix)"
    try AtomicFile.makeFolder(above: path)
    return path
  }

  /// Ends the journal.
  ///
  /// - Parameters:
  ///   - command: the command of the run.
  ///   - replaced: how many files were replaced.
  ///   - isWhole: whether no files remain.
  ///   - name: formats a path for display.
  /// - Returns: a note on how to undo or continue the run; nil if there is nothing to undo.
  /// - Throws: `ArchiveError` if the journal cannot be written.
  func finish(
    _ summary: BatchSummary, of command: String, replaced: Int, isWhole: Bool,
    name: (String) -> String
  ) throws(ArchiveError) -> String? {
    guard let journal else { return nil }
    if isWhole {
      let counts = [BatchOutcome].ofRewriting.map {
        (name: $0.rawValue, count: summary.count($0))
      }
      try journal.append([.end(at: Timestamp.now, counts: counts)])
      try journal.synchronise()
    }
    if replaced == 0, isUnasked, isWhole {
      _ = unlink(journal.path.asPath)
      backups?.removeIfEmpty()
      return nil
    }
    let path = name(journal.path).shellWord
    let undo = "undo with: archtool undo \(path)"
    if !isWhole { return "resume with: archtool \(command) --resume \(path); \(undo)" }
    return replaced == 0 ? nil : undo
  }
}

// MARK: - The origin of a run: a new run, an interrupted run's journal, or a plan

/// Decisions made before a run.
struct RunOrigin: Sendable {
  /// A command line as a journal stores it.
  struct Command: Sendable {
    let words: [String]
    let folder: String

    /// Stores a command line that was entered in the working folder.
    ///
    /// - Throws: `ArchiveError` with code `cannotOpen` if the folder has no name.
    init(_ arguments: ParsedArguments) throws(ArchiveError) {
      words = arguments.words
      folder = try FileLocation.resolved(".")
    }
  }

  /// The interrupted run to continue.
  var recovery: Recovery?
  var plan: Plan?
  /// The command line that the user entered, if another one is executed.
  var command: Command?

  func journal(
    _ arguments: ParsedArguments, roots: [JournalHeader.Root], listed: [String]
  ) throws(ArchiveError) -> RunJournal {
    if let recovery { return try RunJournal(recovery) }
    let command = if let command { command } else { try Command(arguments) }
    return try RunJournal(arguments, of: command, roots: roots, listed: listed)
  }

  /// The inputs of the run; paths from lists are in the journal, those from standard input in the plan.
  func selection(_ selection: InputSelection) -> InputSelection {
    var selection = selection
    if let recovery {
      (selection.lists, selection.listed) = ([], recovery.contents.inputs)
    } else if let plan, selection.lists.contains("-") {
      (selection.lists, selection.listed) = ([], plan.files)
    }
    return selection
  }
}
