// Paths in a file, or on standard input, one per line.

import Basics

/// Reads paths one by one.
final class PathList {
  /// A path, or the error of an invalid line.
  enum Element {
    case path(String)
    case failure(String, ArchiveError)
  }

  /// The name in messages.
  let name: String
  private let descriptor: Int32
  private let isNullSeparated: Bool
  private var lines: LineReader
  private var hasFailed = false

  /// No file system allows longer paths.
  private static let longestPath = 1 << 16

  /// Opens a list.
  ///
  /// - Parameters:
  ///   - file: its path; `-` for standard input.
  ///   - isNullSeparated: whether paths end at a zero byte instead of the end of a line.
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  init(_ file: String, isNullSeparated: Bool) throws(ArchiveError) {
    name = file == "-" ? "<stdin>" : file
    let descriptor =
      file == "-" ? STDIN_FILENO : retryingInterrupts { open(file.asPath, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotOpen, "cannot open the list: \(systemMessage())")
    }
    self.descriptor = descriptor
    self.isNullSeparated = isNullSeparated
    lines = LineReader(
      descriptor: descriptor, delimiter: isNullSeparated ? 0 : UInt8(ascii: "\n"),
      limit: Self.longestPath)
  }

  deinit {
    if descriptor != STDIN_FILENO { _ = close(descriptor) }
  }

  /// The next path, without empty lines; nil at the end.
  func next() -> Element? {
    while !hasFailed {
      do throws(ArchiveError) {
        switch try lines.next() {
        case .end, .nothingYet: return nil
        case .tooLong: return .failure(name, fault("is too long for a path"))
        case .line(let storage): if let element = element(storage.bytes) { return element }
        }
      } catch {
        hasFailed = true
        return .failure(name, error)
      }
    }
    return nil
  }

  private func element(_ line: UnsafeRawBufferPointer) -> Element? {
    var bytes = line[...]
    if !isNullSeparated, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if bytes.isEmpty { return nil }
    guard !bytes.contains(0) else {
      return .failure(name, fault("contains a NUL byte (use -0 for lists separated by NUL)"))
    }
    return .path(String(pathBytes: bytes))
  }

  private func fault(_ problem: String) -> ArchiveError {
    ArchiveError(.cannotOpen, "\(isNullSeparated ? "entry" : "line") \(lines.number) \(problem)")
  }
}
