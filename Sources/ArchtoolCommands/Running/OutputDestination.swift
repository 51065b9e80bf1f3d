// The destination of a result: a file or standard output.

import ArchiveBasics
import CommandLineInterface

/// The destination that a command's options specify for its result.
enum OutputDestination: Equatable, Sendable {
  case standardOutput
  /// A complete file; an existing one is replaced only if that was requested.
  case file(String, replacing: Bool)

  /// The destination under `--output` and `--force`.
  init(of arguments: ParsedArguments) {
    if let path = arguments.value(of: .output), path != "-" {
      self = .file(path, replacing: arguments.has(.force))
    } else {
      self = .standardOutput
    }
  }

  func isTerminal(_ streams: StandardStreams) -> Bool {
    self == .standardOutput && streams.isOutputTerminal
  }

  func replaces(_ path: String) -> Bool {
    guard case .file(let own, _) = self, let one = FileStatus(of: own),
      let other = FileStatus(of: path)
    else { return false }
    return one.isSameFile(as: other)
  }

  var name: String {
    switch self {
    case .standardOutput: "standard output"
    case .file(let path, _): path
    }
  }
}

extension Session {
  /// Writes a result to its destination: completely, or not at all.
  ///
  /// A new file is not more readable than any file that the run has read.
  ///
  /// - Parameters:
  ///   - destination: the destination.
  ///   - make: writes the result; if it throws an error, every file is unchanged.
  func write(
    to destination: OutputDestination,
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    switch destination {
    case .standardOutput:
      if destination.isTerminal(streams) { return try writeToTerminal(make) }
      let mark = output.mark
      do {
        try make(&output)
      } catch {
        // A partial result is removed.
        output.rollBack(to: mark)
        throw error
      }
      output.flushIfFull()
    case .file(let path, let replacing):
      try AtomicFile.write(
        to: path, existing: replacing ? .replace : .refuse, allowing: streams.sources.bound, make)
    }
  }

  /// Writes a result to a terminal, which must not receive binary data.
  private func writeToTerminal(
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var result = OutputBuffer(descriptor: nil)
    try make(&result)
    guard let text = String(validating: result.bytes.bytes, as: UTF8.self), !text.utf8.contains(0)
    else {
      throw ArchiveError(
        .cannotCreate, "binary output is not for a terminal; name a file with -o")
    }
    output.bytes.append(text.escapedLines)
    output.flush()
  }
}

// MARK: - Lines of output

extension OutputBuffer {
  /// Appends a text and the end of its line; control characters of a terminal are escaped.
  mutating func append(escapedLine text: String) { bytes.append(text.escapedLine + "\n") }
}

extension ByteBuffer {
  /// Appends bytes and the end of their line.
  mutating func append(line bytes: [UInt8]) {
    bytes.withByteView { append($0) }
    append(UInt8(ascii: "\n"))
  }
}

// MARK: - A message that is created while a file is read, and written in the order of the inputs

enum MessageLine: Sendable {
  /// An error or a warning.
  case problem(String)
  /// Requested output: excerpts.
  case shown(String)
  /// A note, which can be suppressed.
  case note(String)
}

extension Session {
  func post(_ line: MessageLine) {
    switch line {
    case .problem(let text): printProblem(text)
    case .shown(let text): show(text)
    case .note(let text): printNote(text)
    }
  }
}

// MARK: - A temporary file that only the user can read, for other programs

enum PrivateFile {
  /// Writes a file in the folder for temporary files.
  ///
  /// - Parameters:
  ///   - suffix: the end of its name.
  ///   - make: writes the content; if it throws, no file remains.
  /// - Returns: its path.
  static func write(
    suffix: String, _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> String {
    let path = try self.make(suffix: suffix)
    do throws(ArchiveError) {
      try AtomicFile.write(to: path, existing: .replace, allowing: .owner, make)
    } catch {
      unlink(path)
      throw error
    }
    return path
  }

  /// Makes an empty file in the folder for temporary files.
  ///
  /// - Parameter suffix: the end of its name.
  static func make(suffix: String) throws(ArchiveError) -> String {
    let folder = XDGFolder.variable("TMPDIR") ?? "/tmp"
    var name = Array("\(folder)/archtool-XXXXXX\(suffix)".utf8CString)
    // The file can be read by its owner alone (mkstemp(3)).
    let descriptor = mkstemps(&name, Int32(suffix.utf8.count))
    try checkSystem(descriptor >= 0, .cannotCreate, "cannot create a file in \(folder)")
    close(descriptor)
    return name.withUnsafeBufferPointer { bytes in
      String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
