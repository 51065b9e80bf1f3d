// The result of `archtool validate` for one file, created on a worker's thread and written in order.

import Basics
import CommandLineInterface
import Rendering

/// A checked file.
struct ValidatedFile: Sendable {
  /// Messages that are written regardless of the report.
  var messages: [MessageLine] = []
  /// The report.
  let report: FileReport
  /// The report as lines, if it is for people.
  let lines: [MessageLine]
  /// The exit status of the file.
  let status: ExitStatus
  /// Its size; nil if it could not be opened.
  var byteCount: Int?
  /// Why it cannot be read; nil if it can.
  var error: ArchiveError?
}
