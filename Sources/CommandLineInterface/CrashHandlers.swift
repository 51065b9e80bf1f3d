// A program that crashes starts no other one.

import ArchiveBasics

/// The Swift runtime's reaction to a crash of a program.
package enum CrashHandlers {
  private static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Takes away the handlers that the runtime has installed.
  ///
  /// It starts the program `swift-backtrace` beside this one, or the one named in an environment variable:
  /// anyone who may write there could run code as the user who opens a file.
  package static func remove() {
    for number in signals where sigaction(current: number)?.isFunction == true {
      _ = signal(number, SIG_DFL)
    }
  }
}
