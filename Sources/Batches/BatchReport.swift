// What became of each file of a run, a line of JSON a file.

import Basics
import PropertyLists

/// Writes a report while the run goes on: whole lines only, in the order of the inputs.
///
/// The last line has the one member `counts`.
public final class BatchReport {
  private let path: String
  /// Whether the lines go to standard output, where results may be as well.
  package var isStandardOutput: Bool { path == "-" }
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
    if !isStandardOutput { _ = close(descriptor) }
  }

  /// Adds a file.
  ///
  /// - Throws: `ArchiveError` if its line cannot be made.
  public func add(_ entry: BatchEntry) throws(ArchiveError) {
    try entry.tree.write(isCompact: true, to: &output)
  }

  /// Writes out what was added, so that whoever follows the report sees it.
  public func flush() { output.flush() }

  /// Adds the counts, and writes out what is left.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if any line could not be written.
  public func finish(_ summary: BatchSummary) throws(ArchiveError) {
    try JSONTree.members([("counts", summary.tree)]).write(isCompact: true, to: &output)
    do throws(ArchiveError) {
      try output.finish()
    } catch {
      throw error.inFile(path)
    }
  }
}
