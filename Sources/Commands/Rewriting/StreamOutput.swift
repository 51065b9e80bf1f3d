// Writes results to standard output, or to one file.

import Basics
import Batches
import FileTransactions
import Migrations

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
  private let place: OutputDestination
  private let committer: Committer
  let preparation: Preparation
  let copiesUnchanged = true

  init(_ session: Session) {
    self.session = session
    let place = OutputDestination(of: session.arguments)
    let preparer = Stager(run: RunIdentifier(), backups: nil, journal: nil)
    self.place = place
    committer = preparer.makeCommitter()
    preparation = { [sources = session.streams.sources] (_, _, archive) throws(ArchiveError) in
      guard case .file(let path, let replacing) = place, !AtomicFile.isDevice(path) else {
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
          try preparer.prepare(
            try FileTransaction(
              creating: try Self.place(of: path, replacing), archive, replacing: replacing,
              allowing: sources.bound)))
      } catch {
        guard error.code == .cannotOpen else { throw error }
        throw ArchiveError(.cannotCreate, "cannot create \(path): \(error.message)")
      }
    }
  }

  /// The file to create or replace, with links resolved.
  private static func place(of path: String, _ replacing: Bool) throws(ArchiveError) -> FileLocation
  {
    if replacing, access(path.asPath, F_OK) == 0 { return try FileLocation(operand: path) }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let above = parts.dropLast().joined(separator: "/")
    let folder = parts.count == 1 ? "." : above.isEmpty ? "/" : above
    return try FileLocation(
      root: try FileLocation.resolved(folder), relativePath: parts.last.map(String.init) ?? "")
  }

  func commit(
    _ batch: [(input: Input, prepared: Output)]
  ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>] {
    batch.map { _, output in
      do throws(ArchiveError) {
        return .success(WrittenLocation(name: place.name, warnings: try commit(output)))
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
      let outcome = try committer.commit([item]).first
      if let failure = outcome?.failure { throw failure }
      return outcome?.warnings ?? []
    case .poured(let archive):
      // Lost values are written first: an archive without them would lose data.
      if case .file(let path, let replacing) = place, case .written(let lost) = archive.lost {
        try session.write(
          to: .file(SideFile.lostValues(of: path), replacing: replacing), lost)
      }
      try session.write(to: place, archive.storage)
      return []
    }
  }

  func discard(_ prepared: Output) {
    if case .item(let item) = prepared { committer.discard([item]) }
  }
}

extension Session {
  /// Writes bytes to a destination: completely, or not at all.
  func write(to place: OutputDestination, _ storage: ByteStorage) throws(ArchiveError) {
    try write(to: place) { (output) throws(ArchiveError) in output.bytes.append(storage.bytes) }
  }
}
