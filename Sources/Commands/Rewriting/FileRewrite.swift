// The result of a worker for a file to be rewritten.

import Basics
import Batches
import FileTransactions
import Migrations
import PropertyLists
import Schemas

/// A rewritten file, without its bytes.
struct RewriteResult: Sendable {
  /// What was done, in one phrase.
  let summary: String
  let details: RewriteDetails
  let oldBytes: Int
  let newBytes: Int
}

/// The outcome for a file.
enum FileRewrite<Prepared: Sendable>: Sendable {
  /// It is rewritten.
  case changed(Prepared, RewriteResult)
  /// Nothing needs to be done; with the unchanged archive if it must be copied to a destination.
  case unchanged(String, Prepared?)
  /// The file is refused.
  case refused(String, [Diagnostic], RewriteDetails)

  /// The prepared output; nil if there is none.
  var prepared: Prepared? {
    switch self {
    case .changed(let prepared, _): prepared
    case .unchanged(_, let prepared): prepared
    case .refused: nil
    }
  }

  /// Rewrites a file, and does all the work that a worker's thread can do.
  ///
  /// - Parameter isInPlace: whether the file itself is replaced.
  init<Output: BatchOutput>(
    _ input: Input, _ storage: ByteStorage, by rewriting: inout any ArchiveRewriting,
    for output: Output.Type, copiesUnchanged: Bool, isInPlace: Bool, _ prepare: Output.Preparation
  ) throws(ArchiveError) where Output.Prepared == Prepared {
    let path = input.isStandardInput ? nil : input.path
    let source = RewriteInput(storage: storage, name: input.name, path: path)
    switch try rewriting.rewrite(source) {
    case .unchanged(let reason, _):
      let copy = RewrittenArchive(storage: storage, summary: reason)
      self = .unchanged(reason, copiesUnchanged ? try prepare(input, storage, copy) : nil)
    case .refused(let reason, let violations, let details):
      let positions = violations.isEmpty ? nil : TextPositions(of: storage.bytes)
      self = .refused(
        reason,
        violations.map { violation in
          var violation = violation
          violation.position = violation.offset.flatMap { positions?.position(at: $0) }
          return violation
        }, details)
    case .changed(var archive):
      archive.details.warnings =
        archive.lostText(of: storage, isReplaced: isInPlace) + archive.details.warnings
      self = .changed(
        try prepare(input, storage, archive),
        RewriteResult(
          summary: archive.summary, details: archive.details.located(in: storage.bytes),
          oldBytes: storage.bytes.count, newBytes: archive.storage.bytes.count))
    }
  }
}

extension InputResult {
  /// The outcome of a file that is unchanged; nil if there is output for it.
  func settled<Prepared>() -> SettledFile? where Made == FileRewrite<Prepared> {
    let (outcome, reason): (FileOutcome, String)
    switch self.outcome {
    case .made(.changed), .made(.unchanged(_, .some)), .passedOver, .foreign: return nil
    case .made(.unchanged(let words, nil)): (outcome, reason) = (.unchanged, words)
    case .made(.refused(let words, _, _)): (outcome, reason) = (.refused, words)
    case .failed(let error):
      (outcome, reason) = (error.isRefusal ? .refused : .failed, error.message)
    }
    return SettledFile(input: input, name: name, outcome: outcome, reason: reason)
  }

  /// The prepared output for a file; nil if there is none.
  func prepared<Prepared>() -> Prepared? where Made == FileRewrite<Prepared> {
    if case .made(let rewrite) = outcome { rewrite.prepared } else { nil }
  }
}
