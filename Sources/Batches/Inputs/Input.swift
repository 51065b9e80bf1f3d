// One input of a command.

import Basics

/// One input, not yet opened.
package struct Input: Hashable, Sendable {
  /// The path to open; `-` for standard input.
  package let path: String
  /// The path below the named folder, or the file's own name: its path in an output folder.
  package let relativePath: String
  /// The named folder in which the input was found; nil if it was named itself.
  package let folder: String?
  /// Whether it is standard input.
  package let isStandardInput: Bool

  /// The path of an archive inside the input; nil for the entire input.
  package private(set) var part: String?

  /// The name in messages.
  package var name: String {
    let file = isStandardInput ? "<stdin>" : path
    return part.map { "\(file) \($0)" } ?? file
  }

  /// The same input with another extension in an output folder.
  func withOutputExtension(_ name: String) -> Input {
    let parts = relativePath.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let file = parts.last else { return self }
    // A name that begins with its only dot has no extension.
    let end = file.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? file.endIndex
    let stem = relativePath[..<end]
    return Input(path: path, relativePath: "\(stem).\(name)", folder: folder, part: part)
  }

  /// An archive inside the input.
  package func within(_ part: String) -> Input {
    var input = self
    input.part = part
    return input
  }

  /// The input that an operand names: a file, or standard input for `-`.
  package init(operand: String) {
    self = operand == "-" ? .standard : Input(path: operand, relativePath: operand)
  }

  init(path: String, relativePath: String, folder: String? = nil, part: String? = nil) {
    self.path = path
    self.part = part
    self.relativePath = relativePath
    self.folder = folder
    isStandardInput = false
  }

  private init() {
    path = "-"
    relativePath = "-"
    folder = nil
    isStandardInput = true
  }

  /// Standard input.
  package static let standard = Input()

  /// The file's mode, which limits the mode of its output; nil for standard input, or a missing file.
  package var mode: UInt32? {
    var status = stat()
    guard !isStandardInput, stat(path.asPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else {
      return nil
    }
    return UInt32(truncatingIfNeeded: status.st_mode) & 0o777
  }

  /// Opens the input.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput`.
  package func open(
    _ streams: StandardStreams = StandardStreams()
  ) throws(ArchiveError) -> ByteStorage {
    try isStandardInput ? .read(descriptor: streams.input) : .open(path: path)
  }
}
