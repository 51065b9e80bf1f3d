// Operands and lists turned into inputs, one at a time: files, the files of folders, and standard input.

import Basics

/// What a command line says of its inputs.
public struct InputSelection: Sendable {
  /// Paths, or `-`.
  public var operands: [String]
  /// Whether folders are read.
  public var isRecursive: Bool
  /// Files that hold further paths; `-` for standard input.
  public var lists: [String]
  /// Paths of lists that were read already.
  public var listed: [String] = []
  /// Whether zero bytes separate the paths of lists.
  public var isNullSeparated = false
  /// Which of the files are taken.
  public var filter = InputFilter()

  /// Selects every file that is named, or found in a folder that is.
  public init(operands: [String], isRecursive: Bool, lists: [String] = []) {
    self.operands = operands
    self.isRecursive = isRecursive
    self.lists = lists
  }

  /// How many inputs there are, if that can be said without looking.
  public var count: Int? {
    lists.isEmpty && listed.isEmpty && !isRecursive && filter.included.isEmpty
      && filter.excluded.isEmpty
      ? operands.count : nil
  }
}

extension InputSelection {
  /// How many inputs there are, found by looking for them, for a bar that tells how long it will take.
  ///
  /// - Parameter seconds: how long the search may take.
  /// - Returns: nil if that was not enough, or they come on standard input.
  package func count(within seconds: Double) -> Int? {
    if let count { return count }
    if lists.contains("-") || operands.contains("-") { return nil }
    let end = MonotonicClock.seconds + seconds
    var count = 0
    for _ in InputSequence(self) {
      count += 1
      if count % 256 == 0, MonotonicClock.seconds > end { return nil }
    }
    return count
  }
}

extension InputSelection {
  /// Reads the lists to their ends, so that it is known what they hold before anything is done.
  ///
  /// - Parameter failed: is told of a list, or a line of one, that cannot be read.
  package mutating func readLists(_ failed: (String, ArchiveError) -> Void) {
    var isStandardInputTaken = operands.contains("-")
    for file in lists {
      do throws(ArchiveError) {
        if file == "-" {
          if isStandardInputTaken { throw ArchiveError.takenTwice }
          isStandardInputTaken = true
        }
        let list = try PathList(file, isNullSeparated: isNullSeparated)
        while let element = list.next() {
          switch element {
          case .path(let path): listed.append(path)
          case .failure(let path, let error): failed(path, error)
          }
        }
      } catch {
        failed(file, error)
      }
    }
    lists = []
  }
}

extension ArchiveError {
  /// Standard input is named again.
  fileprivate static let takenTwice = ArchiveError(
    .cannotOpen, "standard input can be read only once")
}

/// The inputs of a command, found as they are asked for: gone through once.
///
/// They come in the order of the operands, then of the lists; the files of a folder in the order of their names' bytes.
/// Of a folder that is read no more than the names in it, and in those above it, is held.
public final class InputSequence: Sequence, IteratorProtocol {
  /// An input, or why there is none.
  public enum Entry: Equatable, Sendable {
    /// An input.
    case input(Input)
    /// A file or folder that cannot be read.
    case failure(path: String, ArchiveError)
  }

  private let selection: InputSelection
  private var operands: ArraySlice<String>
  private var listed: ArraySlice<String>
  private var lists: ArraySlice<String>
  private var walk: FolderWalk?
  private var list: PathList?
  private var isStandardInputTaken = false

  /// Begins.
  public init(_ selection: InputSelection) {
    self.selection = selection
    operands = selection.operands[...]
    listed = selection.listed[...]
    lists = selection.lists[...]
  }

  /// The next input; nil at the end.
  public func next() -> Entry? {
    while true {
      if let entry = walk?.next() { return entry }
      walk = nil
      if let operand = operands.popFirst() {
        if let entry = operand == "-" ? standardInput() : entry(for: operand) { return entry }
      } else if let path = listed.popFirst() {
        if let entry = entry(for: path, keepsFolders: true) { return entry }
      } else if let element = list?.next() {
        switch element {
        case .failure(let path, let error): return .failure(path: path, error)
        case .path(let path): if let entry = entry(for: path, keepsFolders: true) { return entry }
        }
      } else if let next = lists.popFirst() {
        if let failure = open(next) { return failure }
      } else {
        return nil
      }
    }
  }

  private func standardInput() -> Entry {
    if isStandardInputTaken { return Self.takenTwice }
    isStandardInputTaken = true
    return .input(.standard)
  }

  private static let takenTwice = Entry.failure(path: "-", .takenTwice)

  /// Opens a list; a list that cannot be opened is a failure.
  private func open(_ file: String) -> Entry? {
    list = nil
    if file == "-" {
      if isStandardInputTaken { return Self.takenTwice }
      isStandardInputTaken = true
    }
    do throws(ArchiveError) {
      list = try PathList(file, isNullSeparated: selection.isNullSeparated)
      return nil
    } catch {
      return .failure(path: file, error)
    }
  }

  /// The input of a path; nil for a file that is not wanted, or a folder whose files come next.
  private func entry(for path: String, keepsFolders: Bool = false) -> Entry? {
    var status = stat()
    guard retryingInterrupts({ stat(path.asPath, &status) }) == 0 else {
      return failure(path, "cannot open the file: \(systemMessage())")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      guard selection.isRecursive else {
        return failure(path, "is a directory (use -r to read the files in it)")
      }
      walk = FolderWalk(path, filter: selection.filter)
      return nil
    }
    guard selection.filter.takes(path) else { return nil }
    let name = Self.steps(of: path).last ?? path
    let place = keepsFolders ? Self.placeBelow(path) ?? name : name
    return .input(Input(path: path, relativePath: place))
  }

  /// A path of a list as a place in an output folder; nil if it leads out of the current folder.
  private static func placeBelow(_ path: String) -> String? {
    let steps = steps(of: path).filter { $0 != "." }
    return path.utf8.first == UInt8(ascii: "/") || steps.contains("..")
      ? nil : steps.joined(separator: "/")
  }

  /// The names of a path, split by bytes: a combining mark may follow a slash.
  private static func steps(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  private func failure(_ path: String, _ message: String) -> Entry {
    .failure(path: path, ArchiveError(.cannotOpen, message))
  }
}
