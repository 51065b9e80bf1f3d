// A run over many files: inputs, workers, places, messages, report, progress, and the exit status.

import Basics
import Batches
import CommandLineInterface
import FileTransactions
import Migrations
import Rendering

/// Rewrites all inputs of a command line.
///
/// What is said and counted happens on the calling thread, in the order of the inputs.
public final class FleetRun<Sink: FleetSink> {
  private let session: Session
  private let selection: InputSelection
  private let wording: RewriteWording
  private let sink: Sink
  private let isWanted: (Input) -> Bool
  private let workers: Int
  private let isFailingFast: Bool
  private let report: FleetReport?
  private let start = MonotonicClock.seconds
  private var summary = FleetSummary()
  /// How many inputs there were, wanted or not.
  private var found = 0
  /// Set once the files that are left shall stay as they are.
  public private(set) var isStopped = false

  /// Makes a run under `--jobs`, `--fail-fast`, `--report` and `--no-progress`.
  ///
  /// - Parameters:
  ///   - selection: the inputs.
  ///   - sink: where results go.
  ///   - isWanted: whether an input is to be rewritten; asked on the calling thread, in order.
  /// - Throws: `UsageError`, or `ArchiveError` if the report cannot be created.
  public init(
    _ session: Session, _ selection: InputSelection, wording: RewriteWording, sink: Sink,
    isWanted: @escaping (Input) -> Bool = { _ in true }
  ) throws {
    self.isWanted = isWanted
    self.session = session
    self.selection = selection
    self.wording = wording
    self.sink = sink
    workers = try session.arguments.workerCount
    isFailingFast = session.arguments.has(.failFast)
    report = try session.arguments.value(of: .report).map { path in
      let place = FolderListing.absolute(path)
      if selection.operands.contains(where: { FolderListing.absolute($0) == place }) {
        throw UsageError("the report \(quoted(path)) is an input as well")
      }
      return try FleetReport(path, standardOutput: session.streams.output)
    }
    guard !session.isQuiet, !session.arguments.has(.noProgress) else { return }
    let isBar = isatty(session.streams.error) == 1
    session.progress = ProgressDisplay(
      isBar: isBar, style: session.errorStyle,
      total: isBar ? selection.count(within: 0.5) : selection.count, now: start,
      write: session.streams.write(error:))
  }

  /// Rewrites the inputs.
  ///
  /// - Parameter makeRewriting: makes what rewrites them, once for each worker and on its thread.
  /// - Returns: the counts; messages are written and the session's status is set.
  /// - Throws: `ArchiveError` if the rewriting cannot be made, or the report not be written.
  @discardableResult
  public func run(
    _ makeRewriting: @escaping @Sendable () throws(ArchiveError) -> any ArchiveRewriting
  ) throws(ArchiveError) -> FleetSummary {
    Interruption.listen()
    let inputs = InputSequence(selection)
    let prepare = sink.preparation
    let copiesUnchanged = sink.copiesUnchanged
    let streams = session.streams
    // One at a time, so that the first that fails is the last.
    let pipeline = OrderedPipeline<InputSequence.Entry, FleetResult<Sink.Prepared>>(
      workers: workers, window: isFailingFast ? nil : 512, batch: isFailingFast ? 1 : 256)
    defer { session.progress = nil }
    try pipeline.run(
      next: {
        while Interruption.signal == nil {
          guard let entry = inputs.next() else { return .end }
          self.found += 1
          if case .input(let input) = entry, !self.isWanted(input) { continue }
          return .item(entry)
        }
        return .stop
      },
      makeWorker: { () throws(ArchiveError) in
        var worker = FleetWorker(
          streams: streams,
          rewriting: try makeRewriting(), prepare: prepare, copiesUnchanged: copiesUnchanged)
        return { worker.result(of: $0) }
      },
      consume: take)
    return try finish()
  }

  private func finish() throws(ArchiveError) -> FleetSummary {
    summary.seconds = MonotonicClock.seconds - start
    session.progress?.erase()
    if found == 0 { session.reportNoInputs() }
    session.tellInterruption(after: "\(Counted.text(summary.total, "file")); the rest is unchanged")
    if summary.total > 1 {
      for line in summary.lines(unchanged: wording.unchanged) { session.say(line) }
    }
    try report?.finish(summary)
    return summary
  }

  // MARK: Results

  /// Takes results in order; false if the files that are left shall stay as they are.
  private func take(_ results: [FleetResult<Sink.Prepared>]) -> Bool {
    // A run that is to stop does not put hundreds of files in their places first.
    if Interruption.signal != nil { isStopped = true }
    if isStopped {
      for result in results { discard(result) }
      return false
    }
    var places = commit(results)[...]
    record(results.compactMap(\.settled))
    for result in results {
      if case .passedOver(let kind) = result.outcome {
        found -= 1
        session.say("\(result.name): is \(kind); passed over")
        continue
      }
      let place = result.prepared == nil ? nil : places.popFirst()
      tell(result, place ?? .success(FleetPlace(nil)))
    }
    if isFailingFast, summary.badCount > 0 { isStopped = true }
    summary.seconds = MonotonicClock.seconds - start
    session.progress?.update(summary, now: MonotonicClock.seconds)
    return !isStopped
  }

  /// Takes down what became of files that stay as they are; an error ends the run.
  private func record(_ settled: [SettledFile]) {
    do throws(ArchiveError) {
      try sink.record(settled)
    } catch {
      isStopped = true
      session.report(error, file: "archtool")
    }
  }

  private func discard(_ result: FleetResult<Sink.Prepared>) {
    if let prepared = result.prepared { sink.discard(prepared) }
  }

  /// Puts what was prepared in its place; an error of the whole batch is that of each, and ends the run.
  private func commit(
    _ results: [FleetResult<Sink.Prepared>]
  ) -> [Result<FleetPlace, ArchiveError>] {
    let batch = results.compactMap { result -> (input: Input, prepared: Sink.Prepared)? in
      guard let prepared = result.prepared, let input = result.input else { return nil }
      return (input, prepared)
    }
    if batch.isEmpty { return [] }
    // What the sink writes to standard output may be on the bar's terminal.
    if isatty(session.streams.output) == 1 { session.progress?.erase() }
    do throws(ArchiveError) {
      return try sink.commit(batch)
    } catch {
      isStopped = true
      return batch.map { _ in .failure(error) }
    }
  }

  /// Writes data to standard output.
  private func write(_ text: String) {
    if text.isEmpty { return }
    // The bar may be on the same terminal.
    if isatty(session.streams.output) == 1 { session.progress?.erase() }
    session.output.bytes.append(text)
    session.output.flushIfFull()
  }

  /// Says what a person should know of a file, unless the bar stands for that.
  private func note(_ text: String, of result: FleetResult<Sink.Prepared>) {
    if session.progress?.replacesNotes != true { session.say("\(result.name): \(text)") }
  }

  /// Says where a result is, and what is to be known of it.
  private func tell(
    _ done: FleetResult<Sink.Prepared>.Done, _ place: FleetPlace,
    _ result: FleetResult<Sink.Prepared>
  ) {
    write(place.output)
    for warning in done.details.warnings { session.warn(warning, file: result.name) }
    for warning in place.warnings { session.warn("\(result.name): warning: \(warning)") }
    guard let name = place.name else { return }
    let sizes = PlanText.sizes(result.bytes ?? 0, done.newBytes)
    // A file that was replaced where it is has been named.
    let place = name == result.name ? "" : ", in \(name)"
    note("\(wording.done) \(done.summary), \(sizes)\(place)", of: result)
  }

  /// Says, counts and reports what became of a file.
  private func tell(
    _ result: FleetResult<Sink.Prepared>, _ place: Result<FleetPlace, ArchiveError>
  ) {
    var entry = FleetReportEntry(
      file: result.name, outcome: .failed, summary: wording.undone, bytes: result.bytes)
    switch (result.outcome, place) {
    case (.prepared(_, let done), .success(let place)):
      entry.outcome = .changed
      entry.summary = done.summary
      entry.details = done.details
      entry.newBytes = done.newBytes
      tell(done, place, result)
    case (.unchanged(let reason, _), .success(let place)):
      entry.outcome = .unchanged
      entry.summary = reason
      for warning in place.warnings { session.warn("\(result.name): warning: \(warning)") }
      note("\(reason); \(place.name.map { "copied to \($0)" } ?? "left alone")", of: result)
    case (.refused(let reason, let violations, let details), _):
      entry.outcome = .refused
      entry.details = details
      if let input = result.input { write(sink.account(ofRefused: input, reason, details)) }
      entry.summary = reason
      entry.violations = violations
      for violation in violations {
        session.complain(Diagnostic(violation).line(file: result.name))
      }
      session.complain("\(result.name): error: \(wording.undone): \(reason)")
      session.merge(.answerIsNo)
    case (.failed(let error), _), (.prepared, .failure(let error)),
      (.unchanged, .failure(let error)):
      entry.error = error
      if error.isRefusal { entry.outcome = .refused }
      session.report(error, file: result.name)
    case (.passedOver, _): return
    }
    summary.add(entry.outcome, bytes: result.bytes ?? 0, newBytes: entry.newBytes ?? 0)
    do throws(ArchiveError) {
      try report?.add(entry)
    } catch {
      session.report(error, file: result.name)
    }
  }
}
