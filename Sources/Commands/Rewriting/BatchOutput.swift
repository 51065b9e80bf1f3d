// Where the results of a run that rewrites files go.

import Basics
import Batches
import FileTransactions
import Migrations

/// Where a result was written.
public struct WrittenLocation: Sendable {
  /// Where, as a note names it (`Feeds/a`); nil if no note is wanted.
  public var name: String?
  /// What a person should know of it.
  public var warnings: [String]

  /// Makes a location.
  public init(_ name: String?, warnings: [String] = []) {
    self.name = name
    self.warnings = warnings
  }
}

/// What became of a file that stays as it is.
public struct SettledFile: Sendable {
  /// The input; nil if there is none to open.
  let input: Input?
  /// Its name in messages.
  let name: String
  let outcome: FileOutcome
  let reason: String
}

/// Takes results in two steps: what takes long on the workers' threads, what must be in order on the calling thread.
protocol BatchOutput: AnyObject {
  /// A result that is ready to be put in its place.
  associatedtype Prepared: Sendable

  /// What is done on a worker's thread, such as writing a temporary file, with the input, its old bytes and its new ones.
  ///
  /// It throws if that cannot be done; nothing is left behind then.
  typealias Preparation =
    @Sendable (Input, ByteStorage, RewrittenArchive) throws(ArchiveError) -> Prepared

  /// The first step.
  var preparation: Preparation { get }

  /// Whether an archive that needs no change goes to the place of results as it is.
  var copiesUnchanged: Bool { get }

  /// Puts results in their places, on the calling thread and in the order of the inputs.
  ///
  /// - Returns: for each where it is now, or why it is not there.
  /// - Throws: `ArchiveError` if the run cannot go on; none of the results is in its place then.
  func commit(
    _ batch: [(input: Input, prepared: Prepared)]
  ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>]

  /// What is written to standard output of an input that is rewritten; mostly nothing.
  func preview(of input: Input, _ result: RewriteResult) throws(ArchiveError) -> String

  /// What is written to standard output of an input that was refused, beside the message; mostly nothing.
  func previewRefusal(of input: Input, _ reason: String, _ details: RewriteDetails) -> String

  /// Takes down what became of files that are not put anywhere, in the order of the inputs.
  ///
  /// - Throws: `ArchiveError` if the run cannot go on.
  func record(_ settled: [SettledFile]) throws(ArchiveError)

  /// Clears away a result that will not be put in its place.
  func discard(_ prepared: Prepared)
}

extension BatchOutput {
  /// What needs no change is left alone.
  var copiesUnchanged: Bool { false }

  /// Nobody asks later.
  func record(_ settled: [SettledFile]) throws(ArchiveError) {}

  /// The result itself is written.
  func preview(of input: Input, _ result: RewriteResult) throws(ArchiveError) -> String { "" }

  /// Nothing is written of an input that was refused.
  func previewRefusal(of input: Input, _ reason: String, _ details: RewriteDetails) -> String {
    ""
  }
}
