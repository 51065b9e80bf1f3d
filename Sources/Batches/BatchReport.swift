// A report on each file of a run: one line of JSON per file.

import Basics
import PropertyLists

/// Writes a report during the run: complete lines only, in the order of the inputs.
///
/// The last line has the one member `counts`.
package final class BatchReport {
  private let path: String
  /// Whether the lines are written to standard output, where results may be as well.
  package var isStandardOutput: Bool { path == "-" }
  private let descriptor: Int32
  private var output: OutputBuffer

  /// Creates the file, or empties it.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard output.
  ///   - standardOutput: the descriptor of standard output.
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  package init(
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
    do throws(ArchiveError) {
      try output.finish()
    } catch {
      throw error.inFile(path)
    }
  }
}
