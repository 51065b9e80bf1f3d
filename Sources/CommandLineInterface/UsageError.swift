// An error in a command line.

/// A command line that means nothing, and why.
package struct UsageError: Error, Hashable, Sendable {
  /// The error, in one line without a period.
  package let message: String
  /// The name of the command that it happened in, if it came so far.
  package let command: String?

  /// Makes an error.
  package init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  /// The status to exit with.
  package var status: ExitStatus { .usage }

  /// The error as a program writes it on standard error.
  package func line(program: String) -> String { "\(program): error: \(message)" }
}
