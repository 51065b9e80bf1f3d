// A command that rewrites archives: its inputs, destinations, journal, locks and plan, according to its options.

import ArchiveBasics
import ArchiveBatches
import ArchiveDatabases
import ArchiveMigrations
import ArchivePropertyLists
import CommandLineInterface
import FileTransactions

struct RewriteRun {
  /// Makes a rewriting for one worker, on its thread.
  typealias Maker = @Sendable () throws(ArchiveError) -> any ArchiveRewriting

  let session: Session
  let wording: RewriteWording

  private var arguments: ParsedArguments { session.arguments }
  private var origin: RunOrigin { session.origin }

  /// Rewrites all inputs.
  ///
  /// - Returns: whether all files of the command line were processed in this run.
  /// - Throws: `UsageError`, or `ArchiveError` for an error that concerns the run and no single file.
  @discardableResult
  func run(_ make: @escaping Maker) throws -> Bool {
    try rewrite(make)
    let mayHaveStopped = arguments.has(.failFast) && session.status != .done
    return Interruption.signal == nil && !mayHaveStopped && origin.recovery == nil
  }

  private func rewrite(_ make: @escaping Maker) throws {
    if arguments.has(.records) {
      return try session.answerRecords(RecordFormat(arguments)) { () throws(ArchiveError) in
        RewritingRecords(try make())
      }
    }
    if arguments.has(.plan) { return try plan(make) }
    if arguments.has(.dryRun) {
      try batch(PreviewOutput(.brief(wording.verb)), selection).run(layered(make))
    } else if let destination {
      try replace(destination, make)
    } else if let copy = arguments.value(of: .outputDatabase) {
      try change(copy, make)
    } else {
      try batch(StreamOutput(session), selection).run(make)
    }
  }

  private func batch<Output: BatchOutput>(
    _ output: Output, _ selection: InputSelection,
    shouldProcess: @escaping (Input) -> Bool = { _ in true }
  ) throws -> RewriteBatch<Output> {
    try RewriteBatch(
      session, selection, wording: wording, output: output, shouldProcess: shouldProcess)
  }

  private var selection: InputSelection {
    var selection = arguments.selection
    selection.filter.refusesBackups = true
    if let recovery = origin.recovery, let suffix = arguments.value(of: .backup) {
      selection.filter.replaced = (
        suffix,
        { path in (try? FileLocation(operand: path)).map { recovery.settled($0.path) } == .done }
      )
    }
    return selection
  }

  // MARK: Databases

  /// The same for values of a database, which may be in layers.
  private func layered(_ make: @escaping Maker) -> Maker {
    guard arguments.operands.contains(where: { DatabaseReference.isNamed(by: $0) }) else {
      return make
    }
    return { () throws(ArchiveError) in try make().inLayers() }
  }

  /// Rewrites the archives of columns in a copy of their database.
  private func change(_ copy: String, _ make: @escaping Maker) throws {
    let output = try DatabaseOutput(session, copy)
    defer { output.discard() }
    let batch = try batch(output, selection)
    let summary = try batch.run(layered(make))
    try output.finish(isWhole: summary.badCount == 0 && !batch.isStopped)
  }

  // MARK: Plans

  private func plan(_ make: @escaping Maker) throws {
    let isJSON = arguments.reportsJSON
    var seal: SealChain?
    if isJSON {
      // A plan can be applied later only to files.
      if arguments.operands.contains("-") {
        throw UsageError("a plan in JSON cannot be about standard input ('-')")
      }
      seal = planSeal()
      let header = PlanHeader(
        directory: try FileLocation.resolved("."), arguments: arguments.words,
        roots: operandRoots(), key: seal?.key.name)
      let line = header.tree.compactText + "\n"
      let sealed = seal?.seal(line.utf8)
      session.output.bytes.append(sealed.map { String(decoding: $0, as: UTF8.self) } ?? line)
    }
    let makeLayered = layered(make)
    try batch(PreviewOutput(isJSON ? .json(seal) : .plan), selection).run {
      () throws(ArchiveError) in
      try makeLayered().recordingHashes()
    }
  }

  /// The seal of a plan; nil if there is no key for it, which is reported: such a plan can still be read.
  private func planSeal() -> SealChain? {
    do throws(ArchiveError) {
      return SealChain(try StateFolder.madeKey())
    } catch {
      session.printProblem(
        "archtool: warning: the plan is not sealed, and --apply needs --trust: \(error.message)")
      return nil
    }
  }

  // MARK: Replacing

  private var destination: TransactionOutput.Destination? {
    if let folder = arguments.value(of: .outputDirectory) {
      return .folder(folder, replacing: arguments.has(.force))
    }
    return arguments.has(.inPlace) ? .inPlace(backup: arguments.value(of: .backup)) : nil
  }

  /// The folders in which files are replaced, with links resolved.
  private func roots() -> [JournalHeader.Root] {
    if let folder = arguments.value(of: .outputDirectory) {
      let path = FolderListing.resolved(folder) ?? FolderListing.absolute(folder)
      return [JournalHeader.Root(path: path, isRecursive: true)]
    }
    return operandRoots()
  }

  private func operandRoots() -> [JournalHeader.Root] {
    arguments.operands.compactMap(Self.root)
  }

  /// A folder, or that of a file; nil if it is not found, which is reported when the input is opened.
  private static func root(of path: String) -> JournalHeader.Root? {
    if let folder = FolderListing.resolved(path), FolderListing.isFolder(folder) {
      return JournalHeader.Root(path: folder, isRecursive: true)
    }
    return (try? FileLocation(operand: path)).map { .init(path: $0.root, isRecursive: false) }
  }

  /// The folders of listed files, unless there are too many to lock all of them.
  private func folders(of listed: [String]) -> [String] {
    guard arguments.has(.inPlace) else { return [] }
    var found: Set<String> = []
    for root in listed.lazy.compactMap(Self.root) {
      found.insert(root.path)
      if found.count > Self.mostLocks { return [] }
    }
    return found.sorted()
  }

  private static let mostLocks = 64

  private func replace(
    _ destination: TransactionOutput.Destination, _ make: @escaping Maker
  ) throws {
    if case .folder(let folder, _) = destination {
      try AtomicFile.makeFolder(folder, allowing: selection.folderPermissions)
    }
    let roots = roots()
    var selection = origin.selection(selection)
    if RunJournal.isRequested(arguments) {
      selection.readLists { session.report($1, file: $0) }
    }
    // No signal leaves a lock.
    Interruption.listen()
    // Released when it is destroyed.
    let lock = try RunLock(
      roots.map(\.path) + folders(of: selection.listed),
      journal: arguments.value(of: .journal), waits: arguments.has(.wait))
    let journal = try origin.journal(arguments, roots: roots, listed: selection.listed)
    let stager = Stager(
      run: journal.run, backups: journal.backups, keepsTimes: arguments.has(.keepTimes),
      journal: journal.journal)
    let areDistinct =
      selection.operands.count == 1 && selection.lists.isEmpty && selection.listed.isEmpty
    let output = TransactionOutput(
      destination,
      areDistinct: areDistinct || arguments.has(.inPlace), stager: stager)
    if let journal = journal.journal { selection.filter.passedOver.append(journal.path) }
    if let backups = journal.backups { selection.filter.passedOverFolders.append(backups.folder) }
    let tracker = InputTracker(
      session, lock, destination, areDistinct: areDistinct)
    let plan = origin.plan
    let batch = try batch(output, selection, shouldProcess: tracker.shouldProcess)
    let summary = try batch.run { () throws(ArchiveError) in
      let rewriting = try make()
      return plan.map { rewriting.enforcing($0) } ?? rewriting
    }
    let isWhole = Interruption.signal == nil && !batch.isStopped
    if isWhole { tracker.finish() }
    let note = try journal.finish(
      summary, of: arguments.command.name, replaced: output.count, isWhole: isWhole,
      name: session.shortened)
    if let note { session.printNote("archtool: \(note)") }
    lock.release()
    for path in lock.left { session.warnOfLeft(path) }
  }
}

// MARK: - The wording of a command that rewrites archives

struct RewriteWording: Sendable {
  /// For a file that was rewritten: `migrated`.
  let done: String
  /// For a file that was not: `not migrated`.
  let undone: String
  /// For a file that would be: `migrate`.
  let verb: String
  /// For files that need no change, in the summary: `already current`.
  var unchanged = "already current"
}

// MARK: - Decides which inputs a run accepts, and records them before they are rewritten

/// Called for each input, in order, on the calling thread.
final class InputTracker {
  private let session: Session
  private let lock: RunLock
  private let destination: TransactionOutput.Destination
  /// The last folder that was checked, and the run that has locked it.
  private var folder: (path: String, holder: String?) = ("", nil)
  /// The files of the plan that have not appeared yet.
  private var missing: Set<CodePointString> = []

  /// The locations of the inputs so far.
  ///
  /// It is nil if no file can be named twice, so that memory does not grow with their number.
  private var seenPaths: Set<CodePointString>?

  /// - Parameters:
  ///   - destination: the destination of the results.
  ///   - areDistinct: whether no file can be named twice.
  init(
    _ session: Session, _ lock: RunLock,
    _ destination: TransactionOutput.Destination, areDistinct: Bool
  ) {
    self.destination = destination
    // The second occurrence of a file must be skipped only if files are replaced.
    if !areDistinct, case .inPlace = destination { seenPaths = [] }
    self.session = session
    self.lock = lock
    missing = Set((session.origin.plan?.files ?? []).map { CodePointString($0) })
  }

  func shouldProcess(_ input: Input) -> Bool {
    if session.origin.plan != nil, missing.remove(CodePointString(input.path)) == nil {
      return false
    }
    if isRepeated(input) {
      session.printNote("\(input.name): was named twice")
      return false
    }
    // What archtool itself wrote is never replaced, even if it is named.
    if case .inPlace = destination, let kind = SideFile.kind(ofFile: input.path) {
      session.printNote("\(input.name): is \(kind); left alone")
      return false
    }
    // An error is reported when the file is opened.
    if let recovery = session.origin.recovery,
      let location = try? TransactionOutput.location(for: input, destination),
      recovery.settled(location.path) == .done
    {
      return false
    }
    if let holder = holder(of: input) {
      session.report(ArchiveError(.cannotCreate, holder), file: input.name)
      return false
    }
    return true
  }

  private func isRepeated(_ input: Input) -> Bool {
    // An error is reported when the file is opened.
    guard seenPaths != nil, let location = try? TransactionOutput.location(of: input) else {
      return false
    }
    return seenPaths?.insert(CodePointString(location.path)).inserted == false
  }

  /// Another run that has locked the folder of an input.
  private func holder(of input: Input) -> String? {
    guard input.folder != nil else { return nil }
    let path = AtomicFile.folder(of: input.path)
    if folder.path != path { folder = (path, lock.isLocked(folder: path)) }
    return folder.holder
  }

  /// Reports the files of the plan that are missing.
  func finish() {
    for file in missing.sorted().map(\.text) {
      session.report(
        ArchiveError(.cannotOpen, "the plan names the file, and it is not there"), file: file)
    }
  }
}
