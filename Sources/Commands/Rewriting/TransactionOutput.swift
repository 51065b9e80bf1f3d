// Results that replace files, or are new files in a folder: in transactions, recorded in a journal if there is one.

import Basics
import Batches
import FileTransactions
import Migrations
import Schemas

/// Prepares files on the workers' threads, and replaces them on the calling thread.
final class TransactionOutput: BatchOutput {
  /// The destination of the results.
  enum Destination: Sendable {
    /// Replaces the inputs; the old files are kept beside them with this suffix, if there is one.
    case inPlace(backup: String?)
    /// Files with their own names in this folder.
    case folder(String, replacing: Bool)
  }

  private let destination: Destination
  private let committer: Committer
  let preparation: Preparation
  let copiesUnchanged: Bool
  /// The written paths, since two inputs with one name must not become one file.
  ///
  /// It is nil if no two inputs can have the same path, so that memory does not grow with the number of files.
  private var written: Set<CodePointString>?
  /// How many items were replaced.
  private(set) var count = 0

  /// - Parameter areDistinct: whether no two inputs can have the same path, such as the files in one folder.
  init(_ destination: Destination, areDistinct: Bool, preparer: Stager) {
    self.destination = destination
    written = areDistinct ? nil : []
    committer = preparer.makeCommitter()
    if case .folder = destination { copiesUnchanged = true } else { copiesUnchanged = false }
    let root = Self.root(of: destination)
    let folders = OutputFolders()
    preparation = { (input, old, archive) throws(ArchiveError) in
      try preparer.prepare(try Self.item(input, old, archive, destination, root, folders))
    }
  }

  /// The folder of new files with its links resolved: all files go to one folder, even if a link changes meanwhile.
  private static func root(of destination: Destination) -> String? {
    guard case .folder(let folder, _) = destination else { return nil }
    return FolderListing.resolved(folder)
  }

  /// The file change for an input's result.
  private static func item(
    _ input: Input, _ old: ByteStorage, _ archive: RewrittenArchive, _ destination: Destination,
    _ root: String?, _ folders: OutputFolders
  ) throws(ArchiveError) -> FileTransaction {
    switch destination {
    case .inPlace(let suffix):
      let place = try self.place(of: input)
      let item = try FileTransaction(place, old: old, rewritten: archive)
      guard let suffix else { return item }
      let backup = FileChange(
        try place.sibling(place.name + suffix), content: old, before: .absent, isBackup: true)
      return FileTransaction(place, changes: item.changes + [backup], facts: item.facts)
    case .folder(let folder, let replacing):
      // The folder itself is there.
      if root == nil || input.relativePath.utf8.contains(UInt8(ascii: "/")) {
        try folders.makeFolder(above: folder + "/" + input.relativePath, for: input)
      }
      let place = try self.place(of: input, in: folder, root)
      return try FileTransaction(
        creating: place, archive, replacing: replacing, allowing: input.permissions())
    }
  }

  /// The destination of an input's result: the location that the journal records.
  static func place(
    for input: Input, _ destination: Destination
  ) throws(ArchiveError) -> FileLocation {
    switch destination {
    case .inPlace: try place(of: input)
    case .folder(let folder, _): try place(of: input, in: folder)
    }
  }

  private static func place(
    of input: Input, in folder: String, _ root: String? = nil
  ) throws(ArchiveError) -> FileLocation {
    let root = if let root { root } else { try FileLocation.resolved(folder) }
    return try FileLocation(root: root, relativePath: input.relativePath)
  }

  /// The location of an input: below the named folder, or the file that an operand leads to.
  static func place(of input: Input) throws(ArchiveError) -> FileLocation {
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
      let path = prepared.place.path
      if written?.insert(CodePointString(path)).inserted ?? true {
        first.append(prepared)
        results.append(nil)
      } else {
        committer.discard([prepared])
        let message = "several inputs would be written to \(path); the result of the first is kept"
        results.append(.failure(ArchiveError(.cannotCreate, message)))
      }
    }
    var outcomes = try committer.commit(first)[...]
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

  func discard(_ prepared: StagedTransaction) { committer.discard([prepared]) }

  func record(_ settled: [SettledFile]) throws(ArchiveError) {
    try committer.record(
      settled.map { file in
        let path = path(of: file)
        return switch file.outcome {
        case .unchanged: .unchanged(file: path, reason: file.reason)
        case .refused: .refused(file: path, reason: file.reason)
        case .changed, .failed: .failed(file: path, reason: file.reason)
        }
      })
  }

  /// The absolute path of a file in the journal.
  private func path(of file: SettledFile) -> String {
    do throws(ArchiveError) {
      if let input = file.input { return try Self.place(for: input, destination).path }
    } catch {
      // A file without a location still has a name.
    }
    return FolderListing.absolute(file.input?.path ?? file.name)
  }
}
