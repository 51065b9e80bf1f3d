// A run that rewrites many files: rewritings for the workers, results moved to their destinations, notes.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import ArchivePropertyLists
import CommandLineInterface
import FileTransactions

final class RewriteBatch<Output: BatchOutput> {
  private typealias Rewrite = FileRewrite<Output.Prepared>

  private let session: Session
  private let wording: RewriteWording
  private let output: Output
  private let runner: BatchRunner<Rewrite>
  /// The locations of this batch's results that were not reported yet.
  private var locations: ArraySlice<Result<WrittenLocation, ArchiveError>> = []

  /// Whether the remaining files were not processed.
  var isStopped: Bool { runner.isStopped }

  /// Makes a run.
  ///
  /// - Throws: `UsageError`, or `ArchiveError` if the report cannot be created.
  init(
    _ session: Session, _ selection: InputSelection, wording: RewriteWording, output: Output,
    shouldProcess: @escaping (Input) -> Bool = { _ in true }
  ) throws {
    self.session = session
    self.wording = wording
    self.output = output
    runner = try BatchRunner(
      session, selection, .ofRewriting, .changes, shouldProcess: shouldProcess)
  }

  /// Rewrites the inputs.
  ///
  /// - Parameter makeRewriting: makes the rewriting, once for each worker and on its thread.
  /// - Returns: the counts; messages are written and the session's status is set.
  /// - Throws: `ArchiveError` if the rewriting cannot be made, or the report cannot be written.
  @discardableResult
  func run(_ makeRewriting: @escaping RewriteRun.Maker) throws(ArchiveError) -> BatchSummary {
    let (prepare, copiesUnchanged) = (output.preparation, output.copiesUnchanged)
    let isInPlace = session.arguments.has(.inPlace)
    return try runner.run(
      unchanged: wording.unchanged,
      { () throws(ArchiveError) in
        var rewriting = try makeRewriting()
        return { (input, storage) throws(ArchiveError) in
          try FileRewrite(
            input, storage, by: &rewriting, for: Output.self, copiesUnchanged: copiesUnchanged,
            isInPlace: isInPlace, prepare)
        }
      },
      begin: { results in
        locations = commit(results)[...]
        record(results.compactMap { $0.settled() })
      },
      discard: { result in
        if let prepared: Output.Prepared = result.prepared() { output.discard(prepared) }
      },
      handle: { [entry(of: $0)] })
  }

  // MARK: Destinations

  /// Records the outcomes of unchanged files; an error ends the run.
  private func record(_ settled: [SettledFile]) {
    do throws(ArchiveError) {
      try output.record(settled)
    } catch {
      runner.stop()
      session.report(error, file: "archtool")
    }
  }

  /// Moves prepared results to their destinations; an error of the batch is reported for each, and ends the run.
  private func commit(
    _ results: [InputResult<Rewrite>]
  ) -> [Result<WrittenLocation, ArchiveError>] {
    let batch = results.compactMap { result -> (input: Input, prepared: Output.Prepared)? in
      guard let prepared: Output.Prepared = result.prepared(), let input = result.input else {
        return nil
      }
      return (input, prepared)
    }
    if batch.isEmpty { return [] }
    eraseProgress()
    do throws(ArchiveError) {
      return try output.commit(batch)
    } catch {
      runner.stop()
      return batch.map { _ in .failure(error) }
    }
  }

  // MARK: Messages and reports

  /// Reports the outcome of a file, and makes its entry in the report.
  private func entry(of result: InputResult<Rewrite>) -> BatchEntry {
    var entry = BatchEntry(
      file: result.name, outcome: .failed, summary: wording.undone, bytes: result.byteCount)
    do throws(ArchiveError) {
      switch result.outcome {
      case .made(.changed(_, let changed)): try report(changed, result, &entry)
      case .made(.unchanged(let reason, let prepared)):
        try report(unchanged: reason, prepared == nil ? nil : location(), result, &entry)
      case .made(.refused(let reason, let violations, let details)):
        report(refused: reason, violations, details, result, &entry)
      case .failed(let error): throw error
      case .passedOver, .foreign: break
      }
    } catch {
      entry.error = error
      if error.isRefusal { entry.outcome = .refused }
      session.report(error, file: result.name)
    }
    return entry
  }

  /// The location of the next result that was written.
  private func location() throws(ArchiveError) -> WrittenLocation {
    try locations.popFirst()?.get() ?? WrittenLocation(name: nil)
  }

  private func report(
    _ changed: RewriteResult, _ result: InputResult<Rewrite>,
    _ entry: inout BatchEntry
  ) throws(ArchiveError) {
    let location = try location()
    preview(result)
    for warning in changed.details.warnings { session.warn(warning, file: result.name) }
    for loss in changed.details.losses { session.report(loss, file: result.name) }
    reportWarnings(of: location, result.name)
    entry.outcome = .changed
    entry.summary = changed.summary
    entry.newBytes = changed.newBytes
    entry.members = { changed.details.members }
    guard let name = location.name else { return }
    let sizes = PlanText.sizes(changed.oldBytes, changed.newBytes)
    // A file that was replaced in place has already been named.
    let ending = name == result.name ? "" : ", in \(name)"
    note("\(wording.done) \(changed.summary), \(sizes)\(ending)", of: result.name)
  }

  private func report(
    unchanged reason: String, _ location: WrittenLocation?,
    _ result: InputResult<Rewrite>, _ entry: inout BatchEntry
  ) {
    if let location { reportWarnings(of: location, result.name) }
    entry.outcome = .unchanged
    entry.summary = reason
    let ending = (location?.name).map { "copied to \($0)" } ?? "left alone"
    note("\(reason); \(ending)", of: result.name)
  }

  private func report(
    refused reason: String, _ violations: [Diagnostic], _ details: RewriteDetails,
    _ result: InputResult<Rewrite>, _ entry: inout BatchEntry
  ) {
    preview(result)
    entry.outcome = .refused
    entry.summary = reason
    entry.members = { details.members + Diagnostic.members(ofRefusal: reason, violations) }
    for violation in violations {
      session.printProblem(violation.line(file: result.name))
    }
    session.printProblem("\(result.name): error: \(wording.undone): \(reason)")
    session.merge(.answerIsNo)
  }

  private func reportWarnings(of location: WrittenLocation, _ name: String) {
    for warning in location.warnings { session.printProblem("\(name): warning: \(warning)") }
  }

  private func preview(_ result: InputResult<Rewrite>) {
    guard let input = result.input, case .made(let rewrite) = result.outcome else { return }
    let text = output.preview(of: input, rewrite)
    if text.isEmpty { return }
    eraseProgress()
    session.output.bytes.append(text)
    session.output.flushIfFull()
  }

  /// Erases the progress bar, if standard output may be on the same terminal.
  private func eraseProgress() {
    if let progress = session.progress, isatty(session.streams.output) == 1 { progress.erase() }
  }

  /// Writes a note about a file, unless the progress bar replaces it.
  private func note(_ text: String, of name: String) {
    if session.progress?.replacesNotes != true { session.printNote("\(name): \(text)") }
  }
}

// MARK: - The destination of the results of a run that rewrites files

struct WrittenLocation: Sendable {
  /// Its name in a note (`Feeds/a`); nil if no note is wanted.
  var name: String?
  var warnings: [String] = []
}

/// The outcome of a file that is unchanged.
struct SettledFile: Sendable {
  /// The input; nil if there is none to open.
  let input: Input?
  /// Its name in messages.
  let name: String
  let state: JournalContents.State
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

  /// What standard output shows of an input that is rewritten or refused, beside messages; by default nothing.
  func preview(of input: Input, _ rewrite: FileRewrite<Prepared>) -> String

  /// Records the outcomes of files without a destination, in the order of the inputs.
  ///
  /// - Throws: `ArchiveError` if the run cannot continue.
  func record(_ settled: [SettledFile]) throws(ArchiveError)

  /// Removes a result that will not be moved to its destination.
  func discard(_ prepared: Prepared)
}

extension BatchOutput {
  var copiesUnchanged: Bool { false }

  func record(_ settled: [SettledFile]) throws(ArchiveError) {}

  /// Nothing is previewed, because the result itself is written.
  func preview(of input: Input, _ rewrite: FileRewrite<Prepared>) -> String { "" }
}

// MARK: - The result of a worker for a file to be rewritten

/// A rewritten file, without its bytes.
struct RewriteResult: Sendable {
  /// What was done, in one phrase.
  let summary: String
  let details: RewriteDetails
  let oldBytes: Int
  let newBytes: Int
}

enum FileRewrite<Prepared: Sendable>: Sendable {
  case changed(Prepared, RewriteResult)
  /// Nothing needs to be done; with the unchanged archive if it must be copied to a destination.
  case unchanged(String, Prepared?)
  case refused(String, [Diagnostic], RewriteDetails)

  var prepared: Prepared? {
    switch self {
    case .changed(let prepared, _): prepared
    case .unchanged(_, let prepared): prepared
    case .refused: nil
    }
  }

  /// Rewrites a file, and does all the work that a worker's thread can do.
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
    let (state, reason): (JournalContents.State, String)
    switch self.outcome {
    case .made(.changed), .made(.unchanged(_, .some)), .passedOver, .foreign: return nil
    case .made(.unchanged(let words, nil)): (state, reason) = (.unchanged, words)
    case .made(.refused(let words, _, _)): (state, reason) = (.refused, words)
    case .failed(let error):
      (state, reason) = (error.isRefusal ? .refused : .failed, error.message)
    }
    return SettledFile(input: input, name: name, state: state, reason: reason)
  }

  func prepared<Prepared>() -> Prepared? where Made == FileRewrite<Prepared> {
    if case .made(let rewrite) = outcome { rewrite.prepared } else { nil }
  }
}
