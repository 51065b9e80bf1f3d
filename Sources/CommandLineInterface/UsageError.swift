// What is wrong with a command line.

/// A command line that means nothing, and why.
public struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, in one line without a full stop.
  public let message: String
  /// The name of the command that it happened in, if it came so far.
  public let command: String?

  /// Makes an error.
  public init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  /// The status to exit with.
  public var status: ExitStatus { .usage }

  /// The error as a program writes it on standard error.
  public func line(program: String) -> String { "\(program): error: \(message)" }
}
