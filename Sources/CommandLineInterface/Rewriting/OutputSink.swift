// Results that go to standard output, or to one file.

import Migrations
import ObjectGraph

/// Writes results in the order of their inputs, under `--output` and `--force`.
final class OutputSink: FleetSink {
  private let session: Session

  init(_ session: Session) { self.session = session }

  let preparation: Preparation = { (_, _, archive) throws(ArchiveError) in archive }

  func commit(
    _ batch: [(input: Input, prepared: RewrittenArchive)]
  ) throws(ArchiveError) -> [Result<FleetPlace, ArchiveError>] {
    batch.map { input, archive in
      do throws(ArchiveError) {
        return .success(try write(archive))
      } catch {
        return .failure(error)
      }
    }
  }

  private func write(_ archive: RewrittenArchive) throws(ArchiveError) -> FleetPlace {
    let place = OutputPlace(of: session.arguments)
    // Lost values first: the archive without them would be the loss.
    if case .file(let path, let replacing) = place, case .written(let lost) = archive.lost {
      try session.write(
        to: .file(RewrittenArchive.lostFile(of: path), replacing: replacing), lost)
    }
    try session.write(to: place, archive.storage)
    return FleetPlace("in \(place.name)")
  }

  func discard(_ prepared: RewrittenArchive) {}
}

extension Session {
  /// Writes bytes to a place: whole, or not at all.
  func write(to place: OutputPlace, _ storage: ByteStorage) throws(ArchiveError) {
    try write(to: place) { (output) throws(ArchiveError) in output.bytes.append(storage.bytes) }
  }
}
