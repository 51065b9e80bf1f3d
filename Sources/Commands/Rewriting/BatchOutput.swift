// The destination of the results of a run that rewrites files.

import Basics
import Batches
import FileTransactions
import Migrations

/// The location where a result was written.
struct WrittenLocation: Sendable {
  /// Its name in a note (`Feeds/a`); nil if no note is wanted.
  var name: String?
  /// Warnings about it.
  var warnings: [String] = []
}

/// The outcome of a file that is unchanged.
struct SettledFile: Sendable {
  /// The input; nil if there is none to open.
  let input: Input?
  /// Its name in messages.
  let name: String
  let outcome: FileOutcome
  let reason: String
}

/// Accepts results in two steps: slow work on the workers' threads, ordered work on the calling thread.
protocol BatchOutput: AnyObject {
  /// A result that is ready to be moved to its destination.
  associatedtype Prepared: Sendable

  /// The work on a worker's thread, such as writing a temporary file, for an input, its old bytes and its new ones.
  ///
  /// It throws an error if that fails, and leaves nothing behind.
  typealias Preparation =
    @Sendable (Input, ByteStorage, RewrittenArchive) throws(ArchiveError) -> Prepared

  /// The first step.
  var preparation: Preparation { get }

  /// Whether an archive that needs no change is copied to the destination unchanged.
  var copiesUnchanged: Bool { get }

  /// Moves results to their destinations, on the calling thread and in the order of the inputs.
  ///
  /// - Returns: for each one, its location, or the error that prevented it.
  /// - Throws: `ArchiveError` if the run cannot continue; none of the results is at its destination then.
  func commit(
    _ batch: [(input: Input, prepared: Prepared)]
  ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>]

  /// Writes a preview of a rewritten input to standard output; by default nothing.
  func preview(of input: Input, _ result: RewriteResult) throws(ArchiveError) -> String

  /// Writes a preview of a refused input to standard output, in addition to the message; by default nothing.
  func previewRefusal(of input: Input, _ reason: String, _ details: RewriteDetails) -> String

  /// Records the outcomes of files without a destination, in the order of the inputs.
  ///
  /// - Throws: `ArchiveError` if the run cannot continue.
  func record(_ settled: [SettledFile]) throws(ArchiveError)

  /// Removes a result that will not be moved to its destination.
  func discard(_ prepared: Prepared)
}

extension BatchOutput {
  /// An archive that needs no change is not copied.
  var copiesUnchanged: Bool { false }

  /// Nothing is recorded.
  func record(_ settled: [SettledFile]) throws(ArchiveError) {}

  /// Nothing is previewed, because the result itself is written.
  func preview(of input: Input, _ result: RewriteResult) throws(ArchiveError) -> String { "" }

  /// Nothing is written for a refused input.
  func previewRefusal(of input: Input, _ reason: String, _ details: RewriteDetails) -> String {
    ""
  }
}
