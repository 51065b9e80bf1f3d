// What became of each file, a line of JSON a file.

import Basics
import Batches
import FileTransactions
import PropertyLists
import Schemas

/// One file as a report tells of it.
public struct FleetReportEntry: Sendable {
  /// The file's name.
  public var file: String
  /// What became of it.
  public var outcome: FileOutcome
  /// What was done, or why nothing was.
  public var summary: String
  /// Its size; nil if it cannot be opened.
  public var bytes: Int?
  /// Its size now, if it was rewritten.
  public var newBytes: Int?
  /// What else was done.
  public var details = RewriteDetails()
  /// What is wrong.
  public var error: ArchiveError?
  /// What does not fit its version.
  public var violations: [Violation] = []

  /// Makes an entry.
  public init(
    file: String, outcome: FileOutcome, summary: String, bytes: Int? = nil, newBytes: Int? = nil
  ) {
    self.file = file
    self.outcome = outcome
    self.summary = summary
    self.bytes = bytes
    self.newBytes = newBytes
  }

  /// The entry's line.
  var tree: JSONTree {
    var members: [(String, JSONTree)] = [
      ("file", .string(file.shownPath)), ("outcome", .string(outcome.rawValue)),
      ("summary", .string(summary)),
    ]
    if let bytes { members.append(("bytes", .integer(bytes))) }
    if let newBytes { members.append(("newBytes", .integer(newBytes))) }
    members += details.members
    if let error {
      members.append(("error", error.tree))
    } else if outcome == .refused {
      members.append(("error", Violation.refusal(summary, violations)))
    }
    if !violations.isEmpty {
      members.append(("violations", .list(violations.prefix(10).map(\.tree))))
      members.append(("violationCount", .integer(violations.count)))
    }
    return .members(members)
  }
}

/// Writes a report while the run goes on: whole lines only, in the order of the inputs.
///
/// The last line has the one member `counts`.
public final class FleetReport {
  private let path: String
  private let descriptor: Int32
  private var output: OutputBuffer

  /// Creates the file, or empties it.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard output.
  ///   - standardOutput: the descriptor of that.
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  public init(
    _ path: String, standardOutput: Int32 = STDOUT_FILENO
  ) throws(ArchiveError) {
    let descriptor =
      path == "-"
      ? standardOutput
      : retryingInterrupts { open(path.asPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot create \(path): \(systemMessage())")
    }
    self.path = path
    self.descriptor = descriptor
    output = OutputBuffer(descriptor: descriptor)
  }

  deinit {
    if path != "-" { _ = close(descriptor) }
  }

  /// Adds a file.
  ///
  /// - Throws: `ArchiveError` if its line cannot be made.
  public func add(_ entry: FleetReportEntry) throws(ArchiveError) {
    try entry.tree.write(isCompact: true, to: &output)
  }

  /// Adds the counts, and writes out what is left.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if any line could not be written.
  public func finish(_ summary: FleetSummary) throws(ArchiveError) {
    try JSONTree.members([("counts", summary.tree)]).write(isCompact: true, to: &output)
    do throws(ArchiveError) {
      try output.finish()
    } catch {
      throw error.inFile(path)
    }
  }
}
