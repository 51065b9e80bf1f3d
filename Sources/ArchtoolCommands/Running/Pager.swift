// A pager for output that is longer than the terminal's screen.

import ArchiveBasics
import ArchiveBatches
import CommandLineInterface

/// Passes output to a pager once it has more lines than the screen.
///
/// What fits is written as if there were none. The pager gets the standard error as well if that is the same terminal, so
/// that messages do not run across its screen.
final class Pager {
  private let streams: StandardStreams
  private let columns: Int
  private let mostLines: Int
  private var lines = 0
  private var process: pid_t?
  /// The descriptors that the pager's pipe stands in for, each with a copy of what it was.
  private var replaced: [(descriptor: Int32, original: Int32)] = []
  private var isTried = false

  /// Prepares for a pager; nil if standard output is no terminal that has pages, or `PAGER` is empty or `cat`.
  init?(_ streams: StandardStreams) {
    guard streams.isOutputTerminal, XDGFolder.variable("TERM") != "dumb",
      let columns = TerminalWidth.terminal(streams.output),
      let lines = TerminalWidth.lines(streams.output)
    else { return nil }
    if let named = getenv("PAGER").map({ String(cString: $0) }), ["", "cat"].contains(named) {
      return nil
    }
    self.streams = streams
    self.columns = max(columns, 1)
    // The last line is that of the prompt.
    mostLines = max(lines - 1, 1)
  }

  var isRunning: Bool { process != nil }

  /// Takes note of output that is about to be written, and starts the pager if it does not fit the screen.
  func willWrite(_ bytes: ByteView) {
    guard !isTried else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      let width = TerminalCells.count(ofLine: ByteView(rebasing: line))
      lines += max(1, (width + columns - 1) / columns)
      if lines > mostLines { return start() }
    }
  }

  // MARK: The process

  private func start() {
    isTried = true
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { for end in ends { _ = close(end) } }
    for command in Self.commands {
      guard let started = Self.spawn(command, input: ends[0]) else { continue }
      process = started
      break
    }
    guard process != nil else { return }
    redirect(to: ends[1])
    // The keys of the terminal are the pager's. A pager that quits early has shown enough.
    _ = signal(SIGINT, SIG_IGN)
    _ = signal(SIGPIPE) { _ in _exit(0) }
  }

  /// The commands to try, in words: that of `PAGER`, then `less`.
  private static var commands: [[String]] {
    let usual = ["less", "-FRX"]
    guard let named = XDGFolder.variable("PAGER") else { return [usual] }
    let isPlain = named.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || " /._-+,:@%=".unicodeScalars.contains($0)
    }
    let words = named.split(separator: " ").map(String.init)
    return [isPlain ? words : ["/bin/sh", "-c", named], usual]
  }

  /// Starts a program that reads a descriptor; nil if there is none of that name.
  private static func spawn(_ words: [String], input: Int32) -> pid_t? {
    guard let program = words.first else { return nil }
    // Colors need -R, and a text that fits the screen after all needs no key to leave it.
    if getenv("LESS") == nil { setenv("LESS", "FRX", 1) }
    // Output is UTF-8 in every locale; less shows its bytes in others unless the environment says so.
    if getenv("LESSCHARSET") == nil, getenv("LESSUTFCHARDEF") == nil {
      setenv("LESSCHARSET", "utf-8", 1)
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    var arguments = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    return posix_spawnp(&process, program, &actions, nil, arguments, environment) == 0
      ? process : nil
  }

  private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }

  private func redirect(to pipe: Int32) {
    var descriptors = [streams.output]
    if isatty(streams.error) == 1 { descriptors.append(streams.error) }
    for descriptor in descriptors {
      let original = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard original >= 0 else { continue }
      guard dup2(pipe, descriptor) >= 0 else {
        _ = close(original)
        continue
      }
      replaced.append((descriptor, original))
    }
  }

  /// Ends the output, and waits until the user has left the pager.
  func finish() {
    for (descriptor, original) in replaced {
      _ = dup2(original, descriptor)
      _ = close(original)
    }
    replaced = []
    guard let process else { return }
    self.process = nil
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    _ = signal(SIGINT, SIG_DFL)
    _ = signal(SIGPIPE, SIG_DFL)
  }

  deinit { finish() }
}

extension Session {
  /// Prepares for output to standard output: JSON gets color, a progress bar goes, and a pager may come.
  func watchOutput() {
    paintJSON(arguments.printsJSON)
    guard streams.isOutputTerminal else { return }
    if arguments.command.offers(.noPager), !arguments.has(.noPager) { pager = Pager(streams) }
    output.willWrite = { [unowned self] bytes in
      progress?.erase()
      // It would come back in the middle of a line.
      progress?.inputBar = nil
      pager?.willWrite(bytes)
      if pager?.isRunning == true { progress = nil }
    }
  }
}
