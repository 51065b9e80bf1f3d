// Operands turned into inputs: files, the files of folders, and standard input.

import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One input, not yet opened.
public struct Input: Hashable, Sendable {
  /// The path to open; `-` for standard input.
  public let path: String
  /// The path below the folder that was named, or the file's own name: its place in an output folder.
  public let relativePath: String
  /// Whether it is standard input.
  public let isStandardInput: Bool

  /// The name in messages.
  public var name: String { isStandardInput ? "<stdin>" : path }

  init(path: String, relativePath: String) {
    self.path = path
    self.relativePath = relativePath
    isStandardInput = false
  }

  private init() {
    path = "-"
    relativePath = "-"
    isStandardInput = true
  }

  /// Standard input.
  public static let standard = Input()
}

/// The inputs that operands name, in order, and the operands that name none.
public struct InputList: Sendable {
  /// An input, or why there is none.
  public enum Entry: Equatable, Sendable {
    /// An input.
    case input(Input)
    /// A file or folder that cannot be read.
    case failure(path: String, ArchiveError)
  }

  /// The entries, in the order of the operands; the files of a folder in the order of their names' bytes.
  public private(set) var entries: [Entry] = []

  /// Finds the inputs.
  ///
  /// Folders are listed as a whole now, so that what is written later is no input.
  ///
  /// - Parameters:
  ///   - operands: paths, or `-`.
  ///   - isRecursive: whether folders are read.
  public init(operands: [String], isRecursive: Bool) {
    for operand in operands {
      if operand == "-" {
        appendStandardInput()
      } else {
        append(operand, isRecursive: isRecursive)
      }
    }
  }

  private mutating func appendStandardInput() {
    let isTaken = entries.contains(.input(.standard))
    entries.append(
      isTaken
        ? .failure(path: "-", ArchiveError(.cannotOpen, "standard input can be read only once"))
        : .input(.standard))
  }

  private mutating func append(_ operand: String, isRecursive: Bool) {
    var status = stat()
    guard retryingInterrupts({ stat(operand, &status) }) == 0 else {
      let message = "cannot open the file: \(systemMessage())"
      entries.append(.failure(path: operand, ArchiveError(.cannotOpen, message)))
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      let name = operand.split(separator: "/").last.map(String.init) ?? operand
      entries.append(.input(Input(path: operand, relativePath: name)))
      return
    }
    if isRecursive {
      entries += FolderWalk.entries(in: operand)
    } else {
      let message = "is a directory (use -r to read the files in it)"
      entries.append(.failure(path: operand, ArchiveError(.cannotOpen, message)))
    }
  }
}
