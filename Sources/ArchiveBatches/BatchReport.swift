// A report on each file of a run: one line of JSON per file.

import ArchiveBasics
import ArchivePropertyLists
import FileTransactions

/// Writes a report during the run: complete lines only, in the order of the inputs.
///
/// The last line has the one member `counts`.
package final class BatchReport {
  private let path: String
  /// Whether the lines are written to standard output, where results may be as well.
  package var isStandardOutput: Bool { path == "-" }
  private let descriptor: Int32
  /// The mode of the file before; nil for a new file.
  private let oldMode: mode_t?
  private let sources: SourcePermissions
  private var output: OutputBuffer

  /// Creates the file, or empties it; until the report is complete, only its owner can read it.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard output.
  ///   - style: whether lines on standard output are colored.
  ///   - streams: standard output, and the permissions of what is read.
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  package init(
    _ path: String, _ style: TerminalStyle = .plain,
    _ streams: StandardStreams = StandardStreams()
  ) throws(ArchiveError) {
    var descriptor = path == "-" ? streams.output : -1
    if descriptor < 0 {
      descriptor = retryingInterrupts { unsafe open(path.asPath, O_WRONLY | O_TRUNC | O_CLOEXEC) }
    }
    let isNew = descriptor < 0 && errno == ENOENT
    if isNew { descriptor = FilePermissions.owner.createFile(path, flags: O_WRONLY) }
    try checkSystem(descriptor >= 0, .cannotCreate, "cannot create \(path)")
    oldMode = isNew ? nil : FileStatus(of: descriptor).map { $0.st_mode & 0o7777 }
    if path != "-" { FilePermissions.owner.apply(to: descriptor, oldMode) }
    sources = streams.sources
    self.path = path
    self.descriptor = descriptor
    output = OutputBuffer(descriptor: descriptor)
    if path == "-", style.isOn { output.painter = JSONPainter() }
  }

  deinit {
    if !isStandardOutput { _ = close(descriptor) }
  }

  /// Adds a file.
  ///
  /// - Throws: `ArchiveError` if its line cannot be produced.
  package func add(_ entry: BatchEntry) throws(ArchiveError) {
    try entry.tree.write(isCompact: true, to: &output)
  }

  /// Writes out the added lines, so that a reader can follow the report.
  package func flush() { output.flush() }

  /// Adds the counts, and writes out the remaining lines.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if any line could not be written.
  package func finish(_ summary: BatchSummary) throws(ArchiveError) {
    try JSONTree.members([("counts", summary.tree)]).write(isCompact: true, to: &output)
    try ArchiveError.inFile(path) { () throws(ArchiveError) in try output.finish() }
    // Without any file that was read, nobody knows who may read the names of the others.
    if !isStandardOutput { (sources.common ?? .owner).apply(to: descriptor, oldMode) }
  }
}

// MARK: - One input in the report of a run

/// The result for one input.
package struct BatchEntry {
  /// The input's name.
  package var file: String
  /// The outcome.
  package var outcome: BatchOutcome
  /// What was done, or why nothing was done.
  package var summary: String
  /// Its size; nil if it cannot be opened.
  package var bytes: Int?
  /// Its new size, if it was rewritten.
  package var newBytes: Int?
  /// The error, if there was one.
  package var error: ArchiveError?
  /// Further members of the entry; computed only if a report is written.
  package var members: () -> [(String, JSONTree)] = { [] }

  /// Makes an entry.
  package init(
    file: String, outcome: BatchOutcome, summary: String, bytes: Int? = nil, newBytes: Int? = nil,
    error: ArchiveError? = nil
  ) {
    self.file = file
    self.outcome = outcome
    self.summary = summary
    self.bytes = bytes
    self.newBytes = newBytes
    self.error = error
  }

  /// The entry as a line of the report.
  var tree: JSONTree {
    var tree: [(String, JSONTree)] = [
      ("file", .string(file.shownPath)), ("outcome", .string(outcome.rawValue)),
      ("summary", .string(summary)),
    ]
    if let bytes { tree.append(("bytes", .integer(bytes))) }
    if let newBytes { tree.append(("newBytes", .integer(newBytes))) }
    tree += members()
    if let error { tree.append(("error", error.tree)) }
    return .members(tree)
  }
}

// MARK: - The outcome of one input, as a single word

/// The outcome of one input.
package enum BatchOutcome: String, CaseIterable, Sendable {
  /// It was rewritten.
  case changed
  /// Nothing needed to be done.
  case unchanged
  /// It was not valid, and is unchanged.
  case refused
  /// It was displayed.
  case shown
  /// It fits its schema.
  case valid
  /// It is well formed, and no known schema is for it.
  case noSchema
  /// It does not fit its schema.
  case invalid
  /// It could not be read, or the result could not be written.
  case failed

  /// Whether `--fail-fast` ends the run here.
  package var isBad: Bool { self == .refused || self == .invalid || self == .failed }
}

extension [BatchOutcome] {
  /// The possible outcomes of runs that undo others, in the order in which they are reported.
  package static let ofUndoing: [BatchOutcome] = [.changed, .failed]
  /// Of runs that rewrite files.
  package static let ofRewriting: [BatchOutcome] = [.changed, .unchanged, .refused, .failed]
  /// Of runs that display files.
  package static let ofReading: [BatchOutcome] = [.shown, .failed]
  /// Of runs that check files.
  package static let ofValidation: [BatchOutcome] = [.valid, .noSchema, .invalid, .failed]
}

// MARK: - The counts of the outcomes of many files

/// Counts of a run over many files.
package struct BatchSummary: Hashable, Sendable {
  private let outcomes: [BatchOutcome]
  private var counts: [BatchOutcome: Int] = [:]
  /// The total size of the rewritten files before.
  package private(set) var bytesBefore = 0
  /// The total size of the rewritten files now.
  package private(set) var bytesAfter = 0
  /// How many bytes were read.
  package private(set) var bytesRead = 0
  /// How many files were passed over because they are no archives, by kind.
  package private(set) var passedOver: [String: Int] = [:]
  /// How many databases were read.
  package var databases = 0
  /// The duration of the run.
  package var seconds = 0.0

  /// Makes an empty summary.
  ///
  /// - Parameter outcomes: the possible outcomes of the run's files.
  package init(_ outcomes: [BatchOutcome] = .ofRewriting) { self.outcomes = outcomes }

  /// How many files had an outcome.
  package func count(_ outcome: BatchOutcome) -> Int { counts[outcome, default: 0] }

  /// How many files there were.
  package var total: Int { counts.values.reduce(0, +) }

  /// How many files were invalid or refused, or failed.
  package var badCount: Int {
    counts.reduce(0) { $0 + ($1.key.isBad ? $1.value : 0) }
  }

  /// How many files were passed over.
  package var passedOverCount: Int { passedOver.values.reduce(0, +) }

  /// What was passed over, for people; nil if nothing was.
  package var passedOverNote: String? {
    if passedOverCount == 0 { return nil }
    let kinds = passedOver.sorted {
      $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
    }
    let list = kinds.map { "\(Counted.number($0.value)) \($0.key)" }.joined(separator: ", ")
    return "\(Counted.text(passedOverCount, "file")) passed over: \(list)"
  }

  /// How many files were looked at.
  var seenCount: Int { total + passedOverCount }

  /// How many files were processed per second.
  package var rate: Double { seconds > 0 ? Double(seenCount) / seconds : 0 }

  /// Counts a file that was passed over.
  package mutating func passOver(_ kind: String) { passedOver[kind, default: 0] += 1 }

  /// Counts a file.
  ///
  /// - Parameters:
  ///   - bytes: its size.
  ///   - newBytes: its size after it was rewritten.
  package mutating func add(_ outcome: BatchOutcome, bytes: Int = 0, newBytes: Int = 0) {
    counts[outcome, default: 0] += 1
    bytesRead &+= bytes
    guard outcome == .changed else { return }
    bytesBefore &+= bytes
    bytesAfter &+= newBytes
  }

  /// The summary as text for people.
  ///
  /// - Parameter unchanged: the name of the files that needed no change.
  package func lines(unchanged: String = "already current") -> [String] {
    let parts = outcomes.filter { count($0) > 0 }.map { outcome in
      "\(Counted.number(count(outcome))) \(outcome == .unchanged ? unchanged : outcome.rawValue)"
    }
    let files = Counted.text(total, "file")
    let first = parts.isEmpty ? files : "\(files): \(parts.joined(separator: ", "))"
    let time = "in \(Quantity.decimal(seconds)) s"
    guard count(.changed) > 0 else { return ["\(first), \(time)"] }
    return [
      first, "\(Quantity.bytes(bytesBefore)) became \(Quantity.bytes(bytesAfter)), \(time)",
    ]
  }

  /// The summary for other programs.
  var tree: JSONTree {
    let rewrites = outcomes.contains(.changed)
    var members = [("files", JSONTree.integer(total))]
    members += outcomes.map { ($0.rawValue, .integer(count($0))) }
    if passedOverCount > 0 { members.append(("passedOver", .integer(passedOverCount))) }
    members.append(("bytes", .integer(rewrites ? bytesBefore : bytesRead)))
    if rewrites { members.append(("newBytes", .integer(bytesAfter))) }
    members.append(("seconds", .real((seconds * 1000).rounded() / 1000)))
    return .members(members)
  }
}
