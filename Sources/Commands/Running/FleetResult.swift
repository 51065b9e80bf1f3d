// One file on its way through a run.

import Basics
import Batches
import FileTransactions
import Migrations
import PropertyLists
import Schemas

/// What a worker made of an input.
struct FleetResult<Prepared: Sendable>: Sendable {
  enum Outcome: Sendable {
    case prepared(Prepared, Done)
    /// Nothing is to be done; with the archive as it is, if it goes somewhere nevertheless.
    case unchanged(String, Prepared?)
    case refused(String, [Violation], RewriteDetails)
    case failed(ArchiveError)
    /// It is what archtool wrote itself, and no input.
    case passedOver(String)
  }

  /// What is to be said of a result.
  struct Done: Sendable {
    let summary: String
    let details: RewriteDetails
    let newBytes: Int
  }

  /// The input; nil if there is none to open.
  let input: Input?
  /// Its name in messages.
  let name: String
  /// Its size; nil if it could not be opened.
  let bytes: Int?
  let outcome: Outcome

  /// What became of the file if it stays as it is; nil if something is to be put in its place.
  var settled: SettledFile? {
    let (outcome, reason): (FileOutcome, String)
    switch self.outcome {
    case .prepared, .unchanged(_, .some), .passedOver: return nil
    case .unchanged(let words, nil): (outcome, reason) = (.unchanged, words)
    case .refused(let words, _, _): (outcome, reason) = (.refused, words)
    case .failed(let error):
      (outcome, reason) = (error.isRefusal ? .refused : .failed, error.message)
    }
    return SettledFile(input: input, name: name, outcome: outcome, reason: reason)
  }

  /// What is to be put in its place; nil if nothing is.
  var prepared: Prepared? {
    switch outcome {
    case .prepared(let prepared, _): prepared
    case .unchanged(_, let prepared): prepared
    case .refused, .failed, .passedOver: nil
    }
  }
}

/// Makes results, with the state of one worker.
struct FleetWorker<Prepared: Sendable> {
  let streams: StandardStreams
  var rewriting: any ArchiveRewriting
  let prepare: @Sendable (Input, ByteStorage, RewrittenArchive) throws(ArchiveError) -> Prepared

  /// Whether archives that need no change are prepared as they are.
  let copiesUnchanged: Bool

  mutating func result(of entry: InputSequence.Entry) -> FleetResult<Prepared> {
    let result = entry.result(streams) { (input, storage) throws(ArchiveError) in
      try outcome(input, storage)
    }
    let whole: FleetResult<Prepared>.Outcome =
      switch result.outcome {
      case .made(let made): made
      case .passedOver(let kind): .passedOver(kind)
      case .failed(let error): .failed(error)
      }
    return FleetResult(
      input: result.input, name: result.name, bytes: result.byteCount, outcome: whole)
  }

  private mutating func outcome(
    _ input: Input, _ storage: ByteStorage
  ) throws(ArchiveError) -> FleetResult<Prepared>.Outcome {
    let path = input.isStandardInput ? nil : input.path
    let source = RewriteInput(storage: storage, name: input.name, path: path)
    switch try rewriting.rewrite(source) {
    case .unchanged(let reason, _):
      if !copiesUnchanged { return .unchanged(reason, nil) }
      let copy = RewrittenArchive(storage: storage, summary: reason)
      return .unchanged(reason, try prepare(input, storage, copy))
    case .refused(let reason, let violations, let details):
      let positions = TextPositions(of: storage.bytes)
      return .refused(
        reason,
        violations.map { violation in
          var violation = violation
          violation.position = violation.offset.flatMap { positions?.position(at: $0) }
          return violation
        }, details)
    case .changed(let result):
      return .prepared(
        try prepare(input, storage, result),
        FleetResult.Done(
          summary: result.summary, details: result.details.located(in: storage.bytes),
          newBytes: result.storage.bytes.count))
    }
  }
}
