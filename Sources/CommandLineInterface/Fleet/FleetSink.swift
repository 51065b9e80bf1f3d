// Where the results of a run over many files go.

import Migrations
import ObjectGraph

/// Takes results in two steps: what takes long on the workers' threads, what must be in order on the calling thread.
public protocol FleetSink: AnyObject {
  /// A result that is ready to be put in its place.
  associatedtype Prepared: Sendable

  /// What is done on a worker's thread, such as writing a temporary file.
  ///
  /// It throws if that cannot be done; nothing is left behind then.
  typealias Preparation = @Sendable (Input, RewrittenArchive) throws(ArchiveError) -> Prepared

  /// The first step.
  var preparation: Preparation { get }

  /// Puts results in their places, on the calling thread and in the order of the inputs.
  ///
  /// - Returns: for each where it is now, as a note says it (`in Feeds/a`); nil if no note is wanted. Or why it is not there.
  /// - Throws: `ArchiveError` if the run cannot go on; none of the results is in its place then.
  func commit(
    _ batch: [(input: Input, prepared: Prepared)]
  ) throws(ArchiveError) -> [Result<String?, ArchiveError>]

  /// Clears away a result that will not be put in its place.
  func discard(_ prepared: Prepared)
}
