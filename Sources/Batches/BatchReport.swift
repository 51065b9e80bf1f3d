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
  /// The mode of the file before; nil for a new file.
  private let oldMode: mode_t?
  private let sources: SourcePermissions
  private var output: OutputBuffer

  /// Creates the file, or empties it; until the report is complete, only its owner can read it.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard output.
  ///   - streams: standard output, and the permissions of what is read.
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  package init(
    _ path: String, _ streams: StandardStreams = StandardStreams()
  ) throws(ArchiveError) {
    var descriptor = path == "-" ? streams.output : -1
    if descriptor < 0 {
      descriptor = retryingInterrupts { open(path.asPath, O_WRONLY | O_TRUNC | O_CLOEXEC) }
    }
    let isNew = descriptor < 0 && errno == ENOENT
    if isNew { descriptor = FilePermissions.owner.createFile(path, flags: O_WRONLY) }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot create \(path): \(systemMessage())")
    }
    var status = stat()
    oldMode = !isNew && fstat(descriptor, &status) == 0 ? status.st_mode & 0o7777 : nil
    if path != "-" { FilePermissions.owner.apply(to: descriptor, oldMode) }
    sources = streams.sources
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
    // Without any file that was read, nobody knows who may read the names of the others.
    if !isStandardOutput { (sources.common ?? .owner).apply(to: descriptor, oldMode) }
  }
}
