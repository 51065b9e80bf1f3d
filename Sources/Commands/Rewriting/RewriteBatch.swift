// A run that rewrites many files: rewritings for the workers, results moved to their destinations, notes.

import Basics
import Batches
import CommandLineInterface
import Migrations
import PropertyLists
import Rendering
import Schemas

/// Rewrites all inputs of a command line.
final class RewriteBatch<Output: BatchOutput> {
  private typealias Rewrite = FileRewrite<Output.Prepared>

  private let session: Session
  private let wording: RewriteWording
  private let output: Output
  private let runner: BatchRunner<Rewrite>
  /// The locations of this batch's results that were not reported yet.
  private var places: ArraySlice<Result<WrittenLocation, ArchiveError>> = []

  /// Whether the remaining files were not processed.
  var isStopped: Bool { runner.isStopped }

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - selection: the inputs.
  ///   - output: the destination of the results.
  ///   - shouldProcess: whether an input should be rewritten; called on the calling thread, in order.
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
        places = commit(results)[...]
        record(results.compactMap { $0.settled() })
      },
      discard: { result in
        if let prepared: Output.Prepared = result.prepared() { output.discard(prepared) }
      },
      take: { [entry(of: $0)] })
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
    // Standard output may share a terminal with the progress bar.
    if isatty(session.streams.output) == 1 { session.progress?.erase() }
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
        try report(unchanged: reason, prepared == nil ? nil : place(), result, &entry)
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
  private func place() throws(ArchiveError) -> WrittenLocation {
    try places.popFirst()?.get() ?? WrittenLocation(name: nil)
  }

  private func report(
    _ changed: RewriteResult, _ result: InputResult<Rewrite>,
    _ entry: inout BatchEntry
  ) throws(ArchiveError) {
    let place = try place()
    if let input = result.input { write(try output.preview(of: input, changed)) }
    for warning in changed.details.warnings { session.warn(warning, file: result.name) }
    for loss in changed.details.losses { session.report(loss, file: result.name) }
    reportWarnings(of: place, result.name)
    entry.outcome = .changed
    entry.summary = changed.summary
    entry.newBytes = changed.newBytes
    entry.members = { changed.details.members }
    guard let name = place.name else { return }
    let sizes = PlanText.sizes(changed.oldBytes, changed.newBytes)
    // A file that was replaced in place has already been named.
    let location = name == result.name ? "" : ", in \(name)"
    note("\(wording.done) \(changed.summary), \(sizes)\(location)", of: result.name)
  }

  private func report(
    unchanged reason: String, _ place: WrittenLocation?,
    _ result: InputResult<Rewrite>, _ entry: inout BatchEntry
  ) {
    if let place { reportWarnings(of: place, result.name) }
    entry.outcome = .unchanged
    entry.summary = reason
    let location = (place?.name).map { "copied to \($0)" } ?? "left alone"
    note("\(reason); \(location)", of: result.name)
  }

  private func report(
    refused reason: String, _ violations: [Diagnostic], _ details: RewriteDetails,
    _ result: InputResult<Rewrite>, _ entry: inout BatchEntry
  ) {
    if let input = result.input { write(output.previewRefusal(of: input, reason, details)) }
    entry.outcome = .refused
    entry.summary = reason
    entry.members = { details.members + Diagnostic.members(ofRefusal: reason, violations) }
    for violation in violations {
      session.printError(violation.line(file: result.name))
    }
    session.printError("\(result.name): error: \(wording.undone): \(reason)")
    session.merge(.answerIsNo)
  }

  private func reportWarnings(of place: WrittenLocation, _ name: String) {
    for warning in place.warnings { session.warn("\(name): warning: \(warning)") }
  }

  /// Writes data to standard output.
  private func write(_ text: String) {
    if text.isEmpty { return }
    // The progress bar may be on the same terminal.
    if isatty(session.streams.output) == 1 { session.progress?.erase() }
    session.output.bytes.append(text)
    session.output.flushIfFull()
  }

  /// Writes a note about a file, unless the progress bar replaces it.
  private func note(_ text: String, of name: String) {
    if session.progress?.replacesNotes != true { session.printNote("\(name): \(text)") }
  }
}
