// The words that the program was started with, as the system has them.

import ArchiveBasics

/// The arguments of this process.
package enum ProgramArguments {
  /// The arguments after the program's name; one may be a path that is not UTF-8.
  package static var words: [String] {
    // CommandLine.arguments replaces each such byte by a character of its own.
    let arguments = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return arguments.dropFirst().compactMap { $0.map { String(path: $0) } }
  }
}
