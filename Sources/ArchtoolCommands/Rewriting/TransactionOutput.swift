// Results that replace files, or are new files in a folder: in transactions, recorded in a journal if there is one.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import ArchivePropertyLists
import FileTransactions
import Synchronization

/// Makes the folders of new files: most go where the one before went.
private final class ResultFolders: Sendable {
  private let latest = Mutex("")

  /// Makes the folder of a new file that an input's result is.
  func make(above path: String, for input: Input) throws(ArchiveError) {
    let folder = AtomicFile.folder(of: path)
    if latest.withLock({ $0.hasSameScalars(as: folder) }) { return }
    try AtomicFile.makeFolder(folder, allowing: input.folderPermissions)
    latest.withLock { $0 = folder }
  }
}

/// Prepares files on the workers' threads, and replaces them on the calling thread.
final class TransactionOutput: BatchOutput {
  enum Destination: Sendable {
    /// Replaces the inputs; the old files are kept beside them with this suffix, if there is one.
    case inPlace(backup: String?)
    /// Files with their own names in this folder.
    case folder(String, replacing: Bool)
  }

  private let destination: Destination
  private let stager: Stager
  let preparation: Preparation
  let copiesUnchanged: Bool
  /// The written paths, since two inputs with one name must not become one file.
  ///
  /// It is nil if no two inputs can have the same path, so that memory does not grow with the number of files.
  private var written: Set<CodePointString>?
  /// How many items were replaced.
  private(set) var count = 0

  /// - Parameter areDistinct: whether no two inputs can have the same path, such as the files in one folder.
  init(_ destination: Destination, areDistinct: Bool, stager: Stager) {
    self.destination = destination
    written = areDistinct ? nil : []
    self.stager = stager
    // Links are resolved now: all files go to one folder, even if a link changes meanwhile.
    var root: String?
    if case .folder(let folder, _) = destination {
      copiesUnchanged = true
      root = FolderListing.resolved(folder)
    } else {
      copiesUnchanged = false
    }
    preparation = { [root, folders = ResultFolders()] (input, old, archive) throws(ArchiveError) in
      try stager.prepare(try Self.item(input, old, archive, destination, root, folders))
    }
  }

  /// The file change for an input's result.
  private static func item(
    _ input: Input, _ old: ByteStorage, _ archive: RewrittenArchive, _ destination: Destination,
    _ root: String?, _ folders: ResultFolders
  ) throws(ArchiveError) -> FileTransaction {
    switch destination {
    case .inPlace(let suffix):
      let location = try self.location(of: input)
      let item = try FileTransaction(location, old: old, rewritten: archive)
      guard let suffix else { return item }
      let backup = FileChange(
        try location.sibling(location.name + suffix), content: old, before: .absent, isBackup: true)
      return FileTransaction(location, changes: item.changes + [backup], facts: item.facts)
    case .folder(let folder, let replacing):
      // The folder itself is there.
      if root == nil || input.relativePath.utf8.contains(UInt8(ascii: "/")) {
        try folders.make(above: folder + "/" + input.relativePath, for: input)
      }
      let location = try self.location(for: input, destination, root)
      return try FileTransaction(
        creating: location, archive, replacing: replacing,
        allowing: old.permissions ?? input.permissions())
    }
  }

  /// The destination of an input's result: the location that the journal records.
  static func location(
    for input: Input, _ destination: Destination, _ root: String? = nil
  ) throws(ArchiveError) -> FileLocation {
    guard case .folder(let folder, _) = destination else { return try location(of: input) }
    let root = if let root { root } else { try FileLocation.resolved(folder) }
    return try FileLocation(root: root, relativePath: input.relativePath)
  }

  /// The location of an input: below the named folder, or the file that an operand leads to.
  static func location(of input: Input) throws(ArchiveError) -> FileLocation {
    guard let folder = input.folder else { return try FileLocation(operand: input.path) }
    return try FileLocation(
      root: try FileLocation.resolved(folder), relativePath: input.relativePath)
  }

  func commit(
    _ batch: [(input: Input, prepared: StagedTransaction)]
  ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>] {
    var results: [Result<WrittenLocation, ArchiveError>?] = []
    var first: [StagedTransaction] = []
    for (_, prepared) in batch {
      let path = prepared.location.path
      if written?.insert(CodePointString(path)).inserted ?? true {
        first.append(prepared)
        results.append(nil)
      } else {
        stager.discard([prepared])
        let message = "several inputs would be written to \(path); the result of the first is kept"
        results.append(.failure(ArchiveError(.cannotCreate, message)))
      }
    }
    var outcomes = try stager.commit(first)[...]
    return zip(batch, results).map { each, result in
      if let result { return result }
      guard let outcome = outcomes.popFirst() else {
        return .failure(ArchiveError(.inputOutput, "the file was not replaced"))
      }
      if let failure = outcome.failure { return .failure(failure) }
      count += 1
      return .success(WrittenLocation(name: name(of: each.input), warnings: outcome.warnings))
    }
  }

  private func name(of input: Input) -> String {
    switch destination {
    case .inPlace: input.path
    case .folder(let folder, _): folder + "/" + input.relativePath
    }
  }

  func discard(_ prepared: StagedTransaction) { stager.discard([prepared]) }

  func record(_ settled: [SettledFile]) throws(ArchiveError) {
    try stager.record(
      settled.map { .settled($0.state, file: path(of: $0), reason: $0.reason) })
  }

  /// The absolute path of a file in the journal.
  private func path(of file: SettledFile) -> String {
    let location = file.input.flatMap { try? Self.location(for: $0, destination) }
    // A file without a location still has a name.
    return location?.path ?? FolderListing.absolute(file.input?.path ?? file.name)
  }
}

// MARK: - Writes results to standard output, or to one file

/// Writes results in the order of their inputs, under `--output` and `--force`.
///
/// A file and the one with its lost values are created together or not at all.
final class StreamOutput: BatchOutput {
  /// A result before it is committed.
  enum Output: Sendable {
    /// Bytes for a stream.
    case poured(RewrittenArchive)
    /// New files beside their final paths.
    case item(StagedTransaction)
  }

  private let session: Session
  private let destination: OutputDestination
  private let stager: Stager
  let preparation: Preparation
  let copiesUnchanged = true

  init(_ session: Session) {
    self.session = session
    let destination = OutputDestination(of: session.arguments)
    let stager = Stager(run: RunIdentifier(), backups: nil, journal: nil)
    self.destination = destination
    self.stager = stager
    preparation = { [sources = session.streams.sources] (_, _, archive) throws(ArchiveError) in
      guard case .file(let path, let replacing) = destination, !AtomicFile.isDevice(path) else {
        if case .standardOutput = destination, case .written = archive.lost {
          throw ArchiveError(
            .unrepresentable,
            "the family keeps lost values beside the result, and standard output has nothing beside it; name a file for --output, or use --keep-lost-inside"
          )
        }
        return .poured(archive)
      }
      if FolderListing.isFolder(path) {
        throw ArchiveError(.cannotCreate, "\(path) is a folder; name a file in it")
      }
      if !replacing, access(path.asPath, F_OK) == 0 {
        throw ArchiveError(.cannotCreate, "\(path) exists; --force replaces it")
      }
      do throws(ArchiveError) {
        return .item(
          try stager.prepare(
            try FileTransaction(
              creating: try Self.location(of: path, replacing), archive, replacing: replacing,
              allowing: sources.bound)))
      } catch {
        guard error.code == .cannotOpen else { throw error }
        throw ArchiveError(.cannotCreate, "cannot create \(path): \(error.message)")
      }
    }
  }

  /// The file to create or replace, with links resolved.
  private static func location(of path: String, _ replacing: Bool) throws(ArchiveError)
    -> FileLocation
  {
    if replacing, access(path.asPath, F_OK) == 0 { return try FileLocation(operand: path) }
    let steps = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return try FileLocation(
      root: try FileLocation.resolved(AtomicFile.folder(of: path)),
      relativePath: String(steps.last.map(Substring.init) ?? ""))
  }

  func commit(
    _ batch: [(input: Input, prepared: Output)]
  ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>] {
    batch.map { _, output in
      do throws(ArchiveError) {
        return .success(WrittenLocation(name: destination.name, warnings: try commit(output)))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Writes a result to its destination.
  ///
  /// - Returns: warnings about it.
  private func commit(_ output: Output) throws(ArchiveError) -> [String] {
    switch output {
    case .item(let item):
      let outcome = try stager.commit([item]).first
      if let failure = outcome?.failure { throw failure }
      return outcome?.warnings ?? []
    case .poured(let archive):
      // Lost values are written first: an archive without them would lose data.
      if case .file(let path, let replacing) = destination, case .written(let lost) = archive.lost {
        try session.write(
          to: .file(SideFile.lostValues(of: path), replacing: replacing), lost)
      }
      try session.write(to: destination, archive.storage)
      return []
    }
  }

  func discard(_ prepared: Output) {
    if case .item(let item) = prepared { stager.discard([item]) }
  }
}

extension Session {
  /// Writes a text under `--output` and `--force`.
  func write(result text: String) throws(ArchiveError) {
    try write(to: OutputDestination(of: arguments)) { (output) in output.bytes.append(text) }
  }

  /// Writes JSON under `--output` and `--force`.
  func write(result tree: JSONTree) throws(ArchiveError) {
    try write(to: OutputDestination(of: arguments)) { (output) throws(ArchiveError) in
      try tree.write(to: &output)
    }
  }

  /// Writes bytes to a destination: completely, or not at all.
  func write(to destination: OutputDestination, _ storage: ByteStorage) throws(ArchiveError) {
    try write(to: destination) { (output) throws(ArchiveError) in output.bytes.append(storage.bytes)
    }
  }
}

// MARK: - Output without results: shows what would be done

/// Shows on standard output what would be done to each file.
final class PreviewOutput: BatchOutput {
  enum Style: Sendable {
    /// One line per file: `would migrate …`, with this verb.
    case brief(String)
    /// Includes operations and losses.
    case plan
    /// A line of JSON per file, sealed if there is a key for it.
    case json(SealChain?)
  }

  private let style: Style

  init(_ style: Style) { self.style = style }

  let preparation: Preparation = { (_, _, _) in }

  func commit(
    _ batch: [(input: Input, prepared: Void)]
  ) -> [Result<WrittenLocation, ArchiveError>] {
    batch.map { _ in .success(WrittenLocation(name: nil)) }
  }

  func preview(of input: Input, _ rewrite: FileRewrite<Void>) -> String {
    switch (rewrite, style) {
    case (.changed(_, let result), .brief(let verb)):
      let sizes = PlanText.sizes(result.oldBytes, result.newBytes)
      return line("\(input.name): would \(verb) \(result.summary), \(sizes)")
    case (.changed(_, let result), .plan):
      let lines = PlanText.lines(
        file: input.name, summary: result.summary, sizes: (result.oldBytes, result.newBytes),
        migration: result.details.migration)
      return lines.map(line).joined()
    case (.changed(_, let result), .json(let seal)):
      let facts: [(String, JSONTree)] = [
        ("summary", .string(result.summary)),
        ("bytes", .integer(result.oldBytes)), ("newBytes", .integer(result.newBytes)),
      ]
      return Self.line(of: input, .changed, facts + result.details.members, seal)
    case (.refused(_, _, let details), .plan):
      guard let migration = details.migration else { return "" }
      let lines = PlanText.lines(
        file: input.name, summary: migration.summary, sizes: nil, migration: migration)
      return lines.map(line).joined()
    case (.refused(let reason, _, let details), .json(let seal)):
      return Self.line(of: input, .refused, [("reason", .string(reason))] + details.members, seal)
    case (.refused, .brief), (.unchanged, _): return ""
    }
  }

  private static func line(
    of input: Input, _ outcome: BatchOutcome, _ members: [(String, JSONTree)], _ seal: SealChain?
  ) -> String {
    let start: [(String, JSONTree)] = [
      ("file", .string(input.path)), ("outcome", .string(outcome.rawValue)),
    ]
    let line = JSONTree.members(start + members).compactText + "\n"
    return seal?.sealed(line) ?? line
  }

  private func line(_ text: String) -> String { text.escapedLine + "\n" }

  func discard(_ prepared: Void) {}
}
