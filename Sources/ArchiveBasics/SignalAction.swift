// Signals in one notation: each C library names the members of sigaction(2) in its own way.

extension sigaction {
  /// Calls a function for the first signal; those after it do what they always did.
  ///
  /// The system calls the function at any moment: it may do only what signal-safety(7) allows.
  package init(once handler: @escaping @convention(c) (Int32) -> Void) {
    self.init()
    sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
    #if canImport(Darwin)
      __sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
      __sa_handler.sa_handler = handler
    #else
      __sigaction_handler.sa_handler = handler
    #endif
  }

  /// What is installed for a signal; nil if the system does not say.
  package init?(current signal: Int32) {
    self.init()
    guard readAction(of: signal, into: &self) else { return nil }
  }

  /// The number 0 is the default action and 1 ignores the signal, on every system; others are functions.
  private var number: Int {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
    #elseif canImport(Musl)
      unsafeBitCast(__sa_handler.sa_handler, to: Int.self)
    #else
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
    #endif
  }

  package var isDefault: Bool { number == 0 }
  package var isIgnored: Bool { number == 1 }
  package var isFunction: Bool { !isDefault && !isIgnored }

  /// Makes this the action of a signal; false if the system refuses.
  @discardableResult
  package func install(for signal: Int32) -> Bool {
    var action = self
    return setAction(&action, of: signal)
  }
}

// The function and the structure have one name, which within the structure is the structure's.
private func readAction(of signal: Int32, into action: inout sigaction) -> Bool {
  sigaction(signal, nil, &action) == 0
}

private func setAction(_ action: inout sigaction, of signal: Int32) -> Bool {
  sigaction(signal, &action, nil) == 0
}

/// Lets signals through on this thread.
///
/// A program that was started on a thread that blocks signals inherits that, and could not be stopped.
package func unblock(_ signals: some Sequence<Int32>) {
  var unblocked = sigset_t()
  _ = sigemptyset(&unblocked)
  for signal in signals { _ = sigaddset(&unblocked, signal) }
  _ = pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
}
