// Whether an archive comes back from what was kept of it, tried before it is given out.

import Basics
import KeyedArchives
import Schemas

extension MigrationRun {
  /// Takes the new archive back, by the lenses and what is kept for it, as a later migration would.
  ///
  /// - Parameters:
  ///   - bytes: the new archive.
  ///   - companion: the file beside it.
  /// - Returns: why it does not become the archive that it was, in class, storage, identity and value; nil if it does.
  /// - Throws: `ArchiveError` for what is no refusal.
  func returnFailure(
    of bytes: ByteStorage, _ companion: RewrittenArchive.Companion
  ) throws(ArchiveError) -> String? {
    guard travel.oneWay.isEmpty else { return nil }
    var lost: ByteStorage?
    if case .written(let record) = companion { lost = record }
    var migration = Migration(
      catalog: archives.catalog, family: travel.family,
      Migration.Request(
        from: travel.target.name, to: travel.source.name, via: request.stations.reversed(),
        className: request.className == nil ? nil : travel.model.className?.stored),
      limits: limits)
    migration.depth = archives.depth
    let input = RewriteInput(storage: bytes, name: travel.target.label, path: nil, lost: lost)
    let result: Rewritten
    do throws(ArchiveError) {
      result = try migration.rewrite(input)
    } catch {
      guard let reason = error.refusal else { throw error }
      return reason
    }
    switch result {
    case .refused(let reason, let violations, _):
      return violations.first.map { "\($0.message) (at \($0.path))" }
        ?? Losses.withoutRemedy(reason)
    case .unchanged(let reason, _): return reason
    case .changed(let archive): return try difference(from: archive.storage)
    }
  }

  /// What is not in the archive that came back as it was in the one that was taken.
  private func difference(from bytes: ByteStorage) throws(ArchiveError) -> String? {
    guard isSourceOfObjects, travel.model.lost == nil else { return nil }
    let again = try ArchiveReader(limits: limits).read(bytes)
    guard let model = UnwrappedModel(again), model.lost == nil else { return nil }
    return ObjectDifference.first(
      travel.model.stored, of: graph, model.stored, of: again, comparingValues: keepsStructure
    ).map { "\($0.what) (at \($0.path))" }
  }
}
