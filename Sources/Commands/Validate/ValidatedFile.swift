// What `archtool validate` has to say of one file, made on a worker's thread and said in order.

import Basics
import CommandLineInterface
import Rendering

/// A file that was looked at.
struct ValidatedFile: Sendable {
  /// What is to be known of the file whatever the report says.
  var messages: [MessageLine] = []
  /// What was found.
  let report: FileReport
  /// The report as lines, where it goes to a person.
  let lines: [MessageLine]
  /// What the file makes of the exit status.
  let status: ExitStatus
  /// Its size; nil if it could not be opened.
  var byteCount: Int?
  /// Why it cannot be read; nil if it can.
  var error: ArchiveError?
}
