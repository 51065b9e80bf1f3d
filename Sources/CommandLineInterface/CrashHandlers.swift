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
    for number in signals {
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0, isHandled(action) else { continue }
      _ = signal(number, SIG_DFL)
    }
  }

  private static func isHandled(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    // SIG_DFL and SIG_IGN are the numbers 0 and 1 on every system, which are no functions.
    return !(0...1).contains(unsafeBitCast(handler, to: Int.self))
  }
}
