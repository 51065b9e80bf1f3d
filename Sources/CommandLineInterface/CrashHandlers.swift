// A program that crashes starts no other one.

import Basics

/// What the Swift runtime does when a program crashes.
public enum CrashHandlers {
  private static let signals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  /// Takes away the handlers that the runtime has installed.
  ///
  /// They start the program `swift-backtrace` that lies beside this one, or that a variable of the environment names:
  /// whoever may write there could run code as the user who opens a file.
  public static func remove() {
    for number in signals where sigaction(current: number)?.isFunction == true {
      _ = signal(number, SIG_DFL)
    }
  }
}
