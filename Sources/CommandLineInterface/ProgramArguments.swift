// The words that the program was started with, as the system has them.

import ArchiveBasics
import CProgramArguments

/// The arguments of this process.
package enum ProgramArguments {
  /// The arguments after the program's name; one may be a path that is not UTF-8.
  package static var words: [String] {
    // CommandLine.arguments replaces each such byte by a character of its own.
    #if canImport(Glibc)
      var count: Int32 = 0
      let arguments = UnsafeBufferPointer(start: program_arguments(&count), count: Int(count))
    #else
      let arguments = UnsafeBufferPointer(
        start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    #endif
    return arguments.dropFirst().compactMap { $0.map { String(path: $0) } }
  }
}
