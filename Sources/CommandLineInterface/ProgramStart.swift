// What a program does before anything else.

import ArchiveBasics
import CProgramArguments

/// The start of the program.
package enum ProgramStart {
  private static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Takes away the handlers of crashes that the Swift runtime has installed.
  ///
  /// They start the program `swift-backtrace` beside this one, or the one named in an environment variable:
  /// anyone who may write there could run code as the user who opens a file.
  package static func removeCrashHandlers() {
    for number in signals where sigaction(current: number)?.isFunction == true {
      _ = signal(number, SIG_DFL)
    }
  }

  /// Opens those of the descriptors 0, 1 and 2 that the parent process has closed, so that no other file can get their
  /// numbers and be mistaken for them.
  ///
  /// All are opened for reading: standard input is at its end, and writing to the others fails as it would on
  /// a closed descriptor.
  package static func fillDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free is this one, since those below it are open.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// The arguments after the program's name; one may be a path that is not UTF-8.
  package static var arguments: [String] {
    // CommandLine.arguments replaces each such byte by a character of its own.
    #if canImport(Glibc)
      var count: Int32 = 0
      let arguments = unsafe UnsafeBufferPointer(
        start: program_arguments(&count), count: Int(count))
    #else
      let arguments = unsafe UnsafeBufferPointer(
        start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    #endif
    return unsafe arguments.dropFirst().compactMap { unsafe $0.map { unsafe String(path: $0) } }
  }
}
