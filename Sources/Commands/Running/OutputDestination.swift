// Where the result for an input goes: a file, standard output, or the input's own place.

import Basics
import Batches
import CommandLineInterface
import FileTransactions

/// The place that the options of a command name for the result of an input.
public enum OutputDestination: Equatable, Sendable {
  /// Standard output.
  case standardOutput
  /// A file, made whole; replaced only if that was asked for.
  case file(String, replacing: Bool)
  /// The input's own place; the old file stays under the second path if there is one.
  case input(String, backup: String?)

  /// The place for an input under `--output`, `--in-place`, `--backup` and `--force`.
  public init(for input: Input, _ arguments: ParsedArguments) {
    let replacing = arguments.has(.force)
    if let path = arguments.value(of: .output), path != "-" {
      self = .file(path, replacing: replacing)
    } else if arguments.has(.inPlace) {
      self = .input(input.path, backup: arguments.value(of: .backup).map { input.path + $0 })
    } else {
      self = .standardOutput
    }
  }

  /// The place under `--output` and `--force` for a result of all inputs.
  public init(of arguments: ParsedArguments) {
    if let path = arguments.value(of: .output), path != "-" {
      self = .file(path, replacing: arguments.has(.force))
    } else {
      self = .standardOutput
    }
  }

  /// Whether it is standard output and that is a terminal.
  public func isTerminal(_ streams: StandardStreams) -> Bool {
    self == .standardOutput && isatty(streams.output) == 1
  }

  /// The place as a note names it.
  public var name: String {
    switch self {
    case .standardOutput: "standard output"
    case .file(let path, _), .input(let path, _): path
    }
  }
}

extension Session {
  /// Writes the result for an input to its place: whole, or not at all.
  ///
  /// - Parameters:
  ///   - place: where it goes.
  ///   - most: what a file may allow at most: the mode of the input; nil for no such bound.
  ///   - make: writes the result; what it throws leaves every file as it was.
  public func write(
    to place: OutputDestination, allowing most: UInt32? = nil,
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    switch place {
    case .standardOutput:
      if place.isTerminal(streams) { return try writeToTerminal(make) }
      let mark = output.mark
      do {
        try make(&output)
      } catch {
        // Half a result is none.
        output.rollBack(to: mark)
        throw error
      }
      output.flushIfFull()
    case .file(let path, let replacing):
      try AtomicFile.write(
        to: path, existing: replacing ? .replace : .refuse, allowing: most, make)
    case .input(let path, let backup):
      try AtomicFile.write(to: path, existing: .replace, backup: backup, make)
      guard let backup, !SideFile.markBackup(backup) else { return }
      warn(ArchiveError(.unsupported, SideFile.unmarkedBackup(backup)), file: path)
    }
  }

  /// Writes a result to a terminal, which is no place for binary data.
  private func writeToTerminal(
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var result = OutputBuffer(descriptor: nil)
    try make(&result)
    if String(validating: result.bytes.bytes, as: UTF8.self)?.utf8.contains(0) != false {
      throw ArchiveError(
        .cannotCreate, "binary output is not for a terminal; name a file with -o")
    }
    output.bytes.append(result.bytes.bytes)
    output.flush()
  }
}
