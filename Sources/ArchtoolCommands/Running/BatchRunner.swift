// Runs the inputs of a command line: inputs, workers, ordered results, one output.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import ArchiveWriting
import CommandLineInterface

enum BatchReporting {
  /// Files are changed: progress is always reported, and counts at the end.
  case changes
  /// Results are written: progress is shown only on a terminal, and counts only where it was shown.
  case results
  /// The command reports its results itself.
  case verdicts
  /// The same, and it reports what was passed over.
  case inventory
}

/// Opens inputs, passes them to workers, and receives the results on the calling thread, in the order of the inputs.
///
/// For every command, it handles `--jobs`, `--fail-fast`, `--report`, `--no-progress`, the counts, signals and runs
/// without inputs.
final class BatchRunner<Made: Sendable> {
  typealias Result = InputResult<Made>

  /// How many inputs are processed at a time.
  let workers: Int
  /// Set once the remaining inputs should be skipped.
  private(set) var isStopped = false
  private let session: Session
  private let selection: InputSelection
  private let reporting: BatchReporting
  private let shouldProcess: (Input) -> Bool
  private let isFailingFast: Bool
  private let report: BatchReport?
  /// Whether a signal ends the run cleanly; otherwise, for a single input, it ends immediately.
  private let handlesSignals: Bool
  /// Whether the counts are reported at the end, if there are several inputs.
  private let isCounted: Bool
  private let start = MonotonicClock.seconds
  private var summary: BatchSummary
  /// How many inputs were found, including unwanted ones.
  private var found = 0

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - outcomes: the possible outcomes of an input.
  ///   - isSerial: whether inputs are processed one after another, regardless of `--jobs`.
  ///   - shouldProcess: whether an input should be processed; called on the calling thread, in order.
  /// - Throws: `UsageError`, or `ArchiveError` if the report cannot be created.
  init(
    _ session: Session, _ selection: InputSelection, _ outcomes: [BatchOutcome],
    _ reporting: BatchReporting = .results, isSerial: Bool = false,
    shouldProcess: @escaping (Input) -> Bool = { _ in true }
  ) throws {
    var selection = selection
    if selection.namesColumn, session.arguments.writesOneArchive {
      // There is room for one result: that of the first archive, which is said.
      selection.operands = selection.operands.map { (try? session.input($0).name) ?? $0 }
    }
    self.session = session
    self.selection = selection
    self.reporting = reporting
    self.shouldProcess = shouldProcess
    let arguments = session.arguments
    workers = isSerial ? 1 : try arguments.workerCount
    isFailingFast = arguments.has(.failFast)
    summary = BatchSummary(outcomes)
    handlesSignals = reporting == .changes || selection.count != 1
    report = try arguments.value(of: .report).map { path in
      let absolute = FolderListing.absolute(path)
      if selection.operands.contains(where: { FolderListing.absolute($0) == absolute }) {
        throw UsageError("the report \(quoted(path)) is an input as well")
      }
      if path == "-", reporting != .changes, OutputDestination(of: arguments) == .standardOutput {
        throw UsageError("the results go to standard output; name a file for '--report'")
      }
      return try BatchReport(path, session.outputStyle, session.streams)
    }
    let isBar = isatty(session.streams.error) == 1
    let isWatched =
      reporting == .changes || isBar && arguments.command.offers(.noProgress)
    // Results on the terminal are not followed by counts that nobody asked for.
    isCounted =
      isWatched && reporting != .verdicts && reporting != .inventory
      && (reporting == .changes
        || !OutputDestination(of: arguments).isTerminal(session.streams))
    guard isWatched, !session.isQuiet, !arguments.has(.noProgress) else { return }
    session.startProgress(
      isBar: isBar, total: isBar ? selection.count(within: 0.5) : selection.count, now: start)
  }

  /// Ends the run: the remaining inputs are skipped.
  func stop() { isStopped = true }

  /// Runs.
  ///
  /// - Parameters:
  ///   - unchanged: the summary's name for files that needed no change.
  ///   - makeExaminer: makes the handler of inputs, once for each worker and on its thread.
  ///   - begin: receives results that are ready together, before each of them is handled.
  ///   - discard: removes a result that is not handled.
  ///   - handle: handles a result; its return value is counted and reported.
  /// - Returns: the counts; messages are written and the session's status is set.
  /// - Throws: `ArchiveError` if an examiner cannot be made, or the report cannot be written.
  @discardableResult
  func run(
    unchanged: String = "",
    _ makeExaminer: @escaping @Sendable () throws(ArchiveError) -> Session.Examiner<Made>,
    begin: ([Result]) -> Void = { _ in }, discard: (Result) -> Void = { _ in },
    handle: (Result) -> [BatchEntry]
  ) throws(ArchiveError) -> BatchSummary {
    if handlesSignals { Interruption.listen() }
    let inputs = InputSequence(selection)
    defer { session.progress = nil }
    try pipeline.run(
      next: {
        while signal == nil {
          guard let entry = inputs.next() else { return .end }
          found += 1
          if case .input(let input) = entry, !shouldProcess(input) { continue }
          return .item(entry)
        }
        return .stop
      },
      weight: { $0.byteCount },
      makeWorker: {
        [streams = session.streams, selection] () throws(ArchiveError) in
        let examine = try makeExaminer()
        return { $0.result(streams, selection, examine) }
      },
      consume: { consume($0, begin, discard, handle) })
    return try finish(unchanged, inputs)
  }

  /// One at a time if the first failure ends the run, or if each result is written while it is made.
  private var pipeline: OrderedPipeline<InputSequence.Entry, Result> {
    let isSingle = isFailingFast || reporting != .changes && workers == 1
    return OrderedPipeline(
      workers: workers, window: isFailingFast || reporting != .changes ? nil : 512,
      batch: isSingle ? 1 : reporting == .changes ? 256 : 64, load: Self.mostBytes)
  }

  /// How many bytes of databases' values wait for workers at most, unless one value has more.
  private static var mostBytes: Int { 1 << 27 }

  private var signal: Int32? { handlesSignals ? Interruption.signal : nil }

  /// Handles results in order; false if the remaining inputs should be skipped.
  private func consume(
    _ results: [Result], _ begin: ([Result]) -> Void, _ discard: (Result) -> Void,
    _ handle: (Result) -> [BatchEntry]
  ) -> Bool {
    // A run that must stop does not first write hundreds of files.
    if signal != nil { isStopped = true }
    if isStopped {
      for result in results { discard(result) }
      return false
    }
    begin(results)
    for result in results {
      if isFailingFast, isStopped {
        discard(result)
        continue
      }
      switch result.outcome {
      case .passedOver(let kind):
        found -= 1
        session.printNote("\(result.name): is \(kind); passed over")
        continue
      case .foreign(.other(let kind)):
        summary.passOver(kind)
        continue
      case .foreign(.archive), .made, .failed: break
      }
      for entry in handle(result) { add(entry) }
      if isFailingFast, summary.badCount > 0 { isStopped = true }
    }
    summary.seconds = MonotonicClock.seconds - start
    session.progress?.update(summary, now: MonotonicClock.seconds)
    // If only the report writes to standard output, its lines need not wait for other output.
    if let report, !report.isStandardOutput || session.output.mark == 0 { report.flush() }
    return !isStopped
  }

  private func add(_ entry: BatchEntry) {
    summary.add(entry.outcome, bytes: entry.bytes ?? 0, newBytes: entry.newBytes ?? 0)
    do throws(ArchiveError) {
      try report?.add(entry)
    } catch {
      session.report(error, file: entry.file)
    }
  }

  private func finish(
    _ unchanged: String, _ inputs: InputSequence
  ) throws(ArchiveError) -> BatchSummary {
    summary.seconds = MonotonicClock.seconds - start
    summary.databases = inputs.databaseCount
    for _ in 0..<inputs.passedOverBackups { summary.passOver("iOS backup") }
    session.progress?.erase()
    for note in inputs.columns.compactMap(\.note) { session.printNote(note) }
    if reporting != .inventory, let note = summary.passedOverNote { session.printNote(note) }
    if found == 0, signal == nil { session.reportNoInputs() }
    if signal != nil {
      let rest = reporting == .changes ? "unchanged" : "not looked at"
      session.reportInterruption(
        after: "\(Counted.text(summary.total, "file")); the rest is \(rest)")
    }
    if isCounted || reporting == .results && isStopped, summary.total > 1 {
      for line in summary.lines(unchanged: unchanged) { session.printNote(line) }
    }
    try report?.finish(summary)
    return summary
  }
}

extension Session {
  func startProgress(isBar: Bool, total: Int?, now: Double) {
    let width = TerminalWidth.terminal(streams.error).map { $0 - 1 }
    progress = ProgressDisplay(
      isBar: isBar, style: errorStyle, total: total, width: width, now: now,
      write: streams.write(error:))
    guard isBar, total == 1 else { return }
    progress?.inputBar = InputProgressBar(width: width) { [streams] in streams.write(error: $0) }
  }
}

// MARK: - Inputs processed one after another, on the calling thread

struct OpenInput: Sendable {
  let input: Input
  let storage: ByteStorage
}

extension Session {
  /// The input that an operand names; of a column of a database it is the first archive, which is said.
  ///
  /// - Throws: `ArchiveError` if the operand names no archive in a file.
  ///
  /// - Parameter backups: opens backups; nil for an opener of its own.
  func input(
    _ operand: String, _ backups: BackupOpener? = nil
  ) throws(ArchiveError) -> Input {
    do throws(ArchiveError) {
      return try Input(address: operand, backups ?? BackupOpener(arguments.password)) {
        printNote("\(operand): note: is \($0)")
      }
    } catch {
      throw error.inFile(operand)
    }
  }

  /// Opens the one input that an operand names; an error in it is reported.
  func withInput(_ operand: String, _ body: Examiner<Void>) {
    var name = Input(operand: operand).name
    do throws(ArchiveError) {
      let input = try input(operand)
      name = input.name
      let storage = try input.open(streams)
      do throws(ArchiveError) {
        try body(input, storage)
      } catch {
        throw error.naming(storage).located(in: storage.bytes)
      }
    } catch {
      report(error, file: name)
    }
  }

  /// Processes an input, with the state of one worker.
  typealias Examiner<Made> = (Input, ByteStorage) throws(ArchiveError) -> Made

  /// Opens each input in turn; an error in one is reported and does not stop the others.
  ///
  /// - Throws: `UsageError`, or `ArchiveError` if the report cannot be written.
  func forEachInput(_ body: Examiner<Void>) throws {
    try forEachInput(.ofReading, .verdicts) { (input, storage) throws(ArchiveError) in
      try body(input, storage)
      return BatchEntry(file: input.name, outcome: .shown, summary: "")
    }
  }

  /// Opens each input in turn, and counts and reports the outcomes.
  ///
  /// - Parameter undone: the description of an input that fails.
  func forEachInput(
    _ outcomes: [BatchOutcome], _ reporting: BatchReporting, undone: String = "",
    _ body: Examiner<BatchEntry>
  ) throws {
    let runner = try BatchRunner<OpenInput>(
      self, arguments.selection, outcomes, reporting, isSerial: true)
    try runner.run(
      { OpenInput.init },
      handle: { result in
        do throws(ArchiveError) {
          switch result.outcome {
          case .passedOver, .foreign: return []
          case .failed(let error): throw error
          case .made(let opened):
            do throws(ArchiveError) {
              return [try body(opened.input, opened.storage)]
            } catch {
              throw error.naming(opened.storage).located(in: opened.storage.bytes)
            }
          }
        } catch {
          report(error, file: result.name)
          var entry = BatchEntry(failed: error, result, undone)
          if error.isRefusal, outcomes.contains(.refused) { entry.outcome = .refused }
          return [entry]
        }
      })
  }
}

extension BatchEntry {
  init<Made>(failed error: ArchiveError, _ result: InputResult<Made>, _ summary: String) {
    self.init(
      file: result.name, outcome: .failed, summary: summary, bytes: result.byteCount, error: error)
  }
}

// MARK: - The option --at: the archives in data values of an input

extension Session {
  /// The paths of `--at`; nil for whole files.
  static func dataPath(_ arguments: ParsedArguments) throws(UsageError) -> DataPath? {
    do throws(ArchiveError) {
      var paths: [DataPath] = []
      for text in arguments.values(of: .at) { paths.append(try DataPath(parsing: text)) }
      return DataPath(joining: paths)
    } catch {
      throw UsageError("'--at' needs a path such as '$.name[*]': \(error.message)")
    }
  }
}

extension Input {
  /// The input itself, or the only archive at a path in it.
  ///
  /// - Throws: `ArchiveError` if there is no archive at the path, or there are several.
  func onlyArchive(
    at path: DataPath?, in storage: ByteStorage
  ) throws(ArchiveError) -> (Input, ByteStorage) {
    guard let path else { return (self, storage) }
    let parts = try EmbeddedArchives(at: path, in: storage).parts
    guard parts.count == 1, let part = parts.first else {
      let count = Counted.text(parts.count, "archive")
      throw ArchiveError(.mismatch, "\(count) at \(path); name one, as \(parts[0].path)")
    }
    return (within(part.path.description), part.storage)
  }

  /// Passes on the input, or each of the archives at a path in it.
  ///
  /// - Parameters:
  ///   - path: the path of the archives; nil for the input itself.
  ///   - failed: called for a nested archive in which `body` failed; the others are still processed.
  /// - Throws: `ArchiveError` if there are no archives at the path, or the error of `body` for the input itself.
  func forEachArchive(
    at path: DataPath?, in storage: ByteStorage,
    _ body: (Input, ByteStorage) throws(ArchiveError) -> Void,
    failed: (Input, ArchiveError) -> Void
  ) throws(ArchiveError) {
    guard let path else { return try body(self, storage) }
    for part in try EmbeddedArchives(at: path, in: storage).parts {
      let inside = within(part.path.description)
      do throws(ArchiveError) {
        try body(inside, part.storage)
      } catch {
        failed(inside, error.located(in: part.storage.bytes))
      }
    }
  }
}

extension ByteStorage {
  /// The archive of a record, or the only one at a path in it.
  ///
  /// - Throws: `ArchiveError` if there is no archive at the path, or there are several.
  func onlyArchive(at path: DataPath?) throws(ArchiveError) -> ByteStorage {
    try Input.standard.onlyArchive(at: path, in: self).1
  }
}

// MARK: - Lines and columns for messages about files that are texts

/// Finds lines and columns in the files that messages are about.
///
/// Inputs, schemas, plans and journals are all texts at times, and errors carry offsets. The file is looked at only when
/// there is an error, and the last one is kept, since a file with one error often has more.
final class TextLocator {
  private var known: (path: String, storage: ByteStorage, positions: TextPositions?)?

  /// The line and column of a byte; nil if the file is not a text, or not there.
  func position(at offset: Int, in path: String) -> TextPosition? {
    if known?.path != path {
      // Not a pipe, which opening would disturb.
      guard FolderListing.isFile(path), let storage = try? ByteStorage.open(path: path) else {
        return nil
      }
      known = (path, storage, TextPositions(of: storage.bytes))
    }
    return known?.positions?.position(at: offset)
  }
}

extension Session {
  /// An error with the line and column of its offset, if the file that it is about is a text.
  func located(_ error: ArchiveError, file: String) -> ArchiveError {
    guard let offset = error.offset, error.position == nil else { return error }
    return error.at(position: textLocator.position(at: offset, in: error.file ?? file))
  }
}
