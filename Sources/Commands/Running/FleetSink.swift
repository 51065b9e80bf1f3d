// Where the results of a run over many files go.

import Basics
import Batches
import FileTransactions
import Migrations

/// Where a result is.
public struct FleetPlace: Sendable {
  /// Where, as a note names it (`Feeds/a`); nil if no note is wanted.
  public var name: String?
  /// What a person should know of it.
  public var warnings: [String]
  /// What is written to standard output when it is the file's turn.
  public var output: String

  /// Makes a place.
  public init(_ name: String?, warnings: [String] = [], output: String = "") {
    self.output = output
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
public protocol FleetSink: AnyObject {
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
  ) throws(ArchiveError) -> [Result<FleetPlace, ArchiveError>]

  /// What is written to standard output of an input that was refused, beside the message; mostly nothing.
  func account(
    ofRefused input: Input, _ reason: String, _ details: RewriteDetails
  ) -> String

  /// Takes down what became of files that are not put anywhere, in the order of the inputs.
  ///
  /// - Throws: `ArchiveError` if the run cannot go on.
  func record(_ settled: [SettledFile]) throws(ArchiveError)

  /// Clears away a result that will not be put in its place.
  func discard(_ prepared: Prepared)
}

extension FleetSink {
  /// What needs no change is left alone.
  public var copiesUnchanged: Bool { false }

  /// Nobody asks later.
  public func record(_ settled: [SettledFile]) throws(ArchiveError) {}

  /// Nothing is written of an input that was refused.
  public func account(
    ofRefused input: Input, _ reason: String, _ details: RewriteDetails
  ) -> String { "" }
}
