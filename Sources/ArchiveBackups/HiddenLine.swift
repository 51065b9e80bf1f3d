// A question at a terminal whose answer is not shown; the terminal shows what is typed again, whatever ends the wait.

import ArchiveBasics
import Synchronization
import SystemCryptography

/// Asks at a terminal.
struct HiddenLine {
  let input: Int32
  let error: Int32

  /// The signals that end or stop a program from its terminal, or that a user sends.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  private static let received = Atomic<Int32>(0)
  private static let bell = Atomic<Int32>(-1)

  /// Called by the system at any time: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    let number = errno
    received.store(signal, ordering: .relaxed)
    var byte: UInt8 = 1
    _ = write(bell.load(ordering: .relaxed), &byte, 1)
    errno = number
  }

  /// Asks until a line was typed.
  ///
  /// - Throws: `ArchiveError` if nothing was typed, or a signal came that does not end the program.
  func ask(_ question: String, limit: Int) throws(ArchiveError) -> SecretBytes {
    while true {
      if let answer = try askOnce(question, limit) { return answer }
      // The signal does now what it would have done; if it only stopped the program, the question is asked again.
      let signal = Self.received.load(ordering: .relaxed)
      _ = kill(getpid(), signal)
      guard signal == SIGTSTP else {
        throw ArchiveError(.inputOutput, "a signal came while archtool waited for the password")
      }
    }
  }

  /// The answer; nil if a signal came.
  private func askOnce(_ question: String, _ limit: Int) throws(ArchiveError) -> SecretBytes? {
    var before = termios()
    var ends: [Int32] = [-1, -1]
    try checkSystem(
      tcgetattr(input, &before) == 0 && pipe(&ends) == 0, .inputOutput,
      "cannot ask for the password")
    let (bell, ring) = (OpenFile(descriptor: ends[0]), OpenFile(descriptor: ends[1]))
    Self.received.store(0, ordering: .relaxed)
    Self.bell.store(ring.descriptor, ordering: .relaxed)
    unblock(Self.signals)
    let actions = Self.signals.compactMap { signal -> (Int32, sigaction)? in
      guard let action = sigaction(current: signal), !action.isIgnored else { return nil }
      sigaction(once: Self.handle).install(for: signal)
      return (signal, action)
    }
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO)
    _ = tcsetattr(input, TCSAFLUSH, &hidden)
    InputProgress.hide(true)
    defer {
      InputProgress.hide(false)
      _ = tcsetattr(input, TCSAFLUSH, &before)
      for (signal, action) in actions { action.install(for: signal) }
      Self.bell.store(-1, ordering: .relaxed)
      show("\n")
    }
    // A progress bar may be in the line.
    show("\r\u{1B}[K" + question)
    var line = SecretLine(limit: limit)
    repeat {
      DescriptorPoll.wait(for: [input, bell.descriptor])
      if Self.received.load(ordering: .relaxed) != 0 { return nil }
    } while try line.read(input)
    guard line.isComplete else {
      throw ArchiveError(.cannotOpen, "is an encrypted backup, and no password was typed")
    }
    return line.secret
  }

  private func show(_ text: String) { StandardStreams(error: error).write(error: text) }
}
