// Where a run reads and writes what no file is named for.

/// The descriptors of standard input, output and error: those of the process, or replacements; and what was read.
public struct StandardStreams: Sendable {
  /// Standard input.
  package let input: Int32
  /// Standard output.
  package let output: Int32
  /// Standard error.
  package let error: Int32
  /// Whether standard output is a terminal, also while a pager stands before it.
  package let isOutputTerminal: Bool
  /// What the files that the run has read allow, and so its results.
  package let sources = SourcePermissions()

  /// Names the descriptors of a run.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO
  ) {
    self.input = input
    self.output = output
    self.error = error
    isOutputTerminal = isatty(output) == 1
  }

  /// Whether standard input is a pipe, which somebody has connected for the program to read.
  package var isInputPiped: Bool { FileStatus(of: input)?.isPipe == true }

  /// Writes text to standard error.
  package func write(error text: String) {
    var text = text
    text.withByteView { _ = OutputBuffer.writeAll($0, error) }
  }
}
