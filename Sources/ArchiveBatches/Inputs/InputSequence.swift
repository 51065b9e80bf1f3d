// Operands and lists turned into inputs, one at a time: files, the files of folders, and standard input.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases
import FileTransactions

/// The inputs that a command line selects.
package struct InputSelection: Sendable {
  /// Paths, or `-`.
  package var operands: [String]
  /// Whether folders are read.
  package var isRecursive: Bool
  /// Files that list further paths; `-` for standard input.
  package var lists: [String]
  /// Paths from lists that were already read.
  package var listed: [String] = []
  /// Whether the paths in lists are separated by zero bytes.
  package var isNullSeparated = false
  /// The extension of the inputs' paths in an output folder; nil for their own.
  package var outputExtension: String?
  /// A filter for the files.
  package var filter = InputFilter()
  /// Whether an operand may be an address in a file; otherwise only files are inputs.
  package var takesAddresses = false
  /// Which other values of a column are inputs: JSON, or what encodes an archive; nil for none.
  package var acceptsValue: (@Sendable (ByteView) -> Bool)?
  /// Whether files that are no archives are passed over.
  package var isArchivesOnly = false
  /// Which JSON is not passed over with them.
  package var keptJSON = KeptJSON.none
  /// Whether the command can read the files in a folder, if its user asks for that.
  package var mayBeRecursive = true
  /// Whether the archives in all databases that are found are inputs.
  package var entersDatabases = false
  /// Whether the tables of a database, and the columns of a table, come in the order of their names.
  package var ordersTables = false
  /// Whether every file may be a database, even one that is damaged at its end; otherwise its size is looked at first.
  package var checksEachFile = false
  /// Whether the files of the backups that are found are inputs under the names that applications gave them; otherwise
  /// backups are folders like others.
  package var entersBackups = false

  /// The password of encrypted backups.
  package var password = PasswordSource()

  /// Selects every file that is named, or found in a named folder.
  package init(operands: [String], isRecursive: Bool, lists: [String] = []) {
    self.operands = operands
    self.isRecursive = isRecursive
    self.lists = lists
  }

  /// The permissions of the folders of all inputs, or of the lists of them: no folder of results is more readable.
  package var folderPermissions: FilePermissions {
    let folders = operands.map {
      FolderListing.isFolder($0)
        ? FilePermissions(of: $0) : Input(operand: $0).folderPermissions
    }
    return (folders + lists.map { FilePermissions(of: $0) }).reduce(.any) { $0.intersection($1) }
  }

  /// How many inputs there are, if that is known without a search.
  package var count: Int? {
    !entersDatabases && lists.isEmpty && listed.isEmpty && !isRecursive && filter.included.isEmpty
      && filter.excluded.isEmpty && !namesColumn
      ? operands.count : nil
  }
}

/// Which JSON is an input where only archives are.
package enum KeptJSON: Sendable {
  /// None.
  case none
  /// Files that are named themselves.
  case named
  /// Every file.
  case all
}

extension InputSelection {
  /// Whether an input is read even if it is JSON.
  func keepsJSON(of input: Input) -> Bool {
    switch keptJSON {
    case .none: false
    case .named: input.folder == nil
    case .all: true
    }
  }

  /// Whether an operand names a column of a database, which may be many inputs.
  package var namesColumn: Bool {
    takesAddresses && operands.contains(where: Address.mayBeColumn)
  }

  /// Whether there is one file, without a search: its results need no name.
  package var isOneFile: Bool {
    operands.count == 1 && lists.isEmpty && listed.isEmpty && !isRecursive && !namesColumn
  }

  /// Counts the inputs by searching for them, so that a progress bar can estimate the duration.
  ///
  /// - Parameter seconds: the time limit of the search.
  /// - Returns: nil if the search took too long, or the inputs are on standard input.
  package func count(within seconds: Double) -> Int? {
    if let count { return count }
    if entersDatabases || namesColumn || lists.contains("-") || operands.contains("-") {
      return nil
    }
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
  /// Reads the lists completely, so that their contents are known before any work begins.
  ///
  /// - Parameter failed: called with a list, or a line of one, that cannot be read.
  package mutating func readLists(_ failed: (String, ArchiveError) -> Void) {
    var paths = PathLists(self)
    while let element = paths.next() {
      switch element {
      case .path(let path): listed.append(path)
      case .failure(let path, let error): failed(path, error)
      }
    }
    lists = []
  }
}

extension ArchiveError {
  fileprivate static let repeatedStandardInput = ArchiveError(
    .cannotOpen, "standard input can be read only once")
}

/// The inputs of a command, found on demand in a single pass.
///
/// They come in the order of the operands, then of the lists; the files of a folder in the order of their names' bytes.
/// Only the names in the current folder, and in those above it, are in memory.
package final class InputSequence: Sequence, IteratorProtocol {
  /// An input, or the reason why it is not available.
  package enum Entry: Equatable, Sendable {
    /// An input.
    case input(Input)
    /// A file or folder that cannot be read.
    case failure(path: String, ArchiveError)

    /// What cannot be opened, and why.
    static func unopened(_ path: String, _ message: String) -> Entry {
      .failure(path: path, ArchiveError(.cannotOpen, message))
    }
  }

  private let selection: InputSelection
  private var operands: ArraySlice<String>
  private var listed: ArraySlice<String>
  private var lists: PathLists
  private var walk: FolderWalk?
  private var database: DatabaseInputs?
  /// A database whose archives come first.
  private var firstDatabase: Input?
  private let opener: BackupOpener
  /// The columns that were named, with the counts of their rows.
  package private(set) var columns: [ColumnCounts] = []
  /// How many backups were passed over.
  package private(set) var passedOverBackups = 0
  /// How many databases were opened.
  package private(set) var databaseCount = 0
  private var isStandardInputTaken = false

  /// Makes a sequence of the selected inputs.
  ///
  /// - Parameter opener: opens the backups that are named; nil for one of its own.
  package init(_ selection: InputSelection, _ opener: BackupOpener? = nil) {
    self.selection = selection
    self.opener = opener ?? BackupOpener(selection.password)
    operands = selection.operands[...]
    listed = selection.listed[...]
    lists = PathLists(selection)
  }

  /// Makes a sequence of the archives in a database, by the names of tables, the numbers of rows and the names of columns.
  package convenience init(in database: Input, _ opener: BackupOpener) {
    var selection = InputSelection(operands: [], isRecursive: false)
    selection.ordersTables = true
    self.init(selection, opener)
    firstDatabase = database
    firstDatabase?.isEntered = true
  }

  /// The next input; nil at the end.
  package func next() -> Entry? {
    guard let entry = find() else { return nil }
    guard let name = selection.outputExtension, case .input(let input) = entry else { return entry }
    return .input(input.withOutputExtension(name))
  }

  /// The next input with its own path.
  private func find() -> Entry? {
    while true {
      if let entry = database?.next() { return entry }
      database = nil
      let first = firstDatabase.map { Entry.input($0) }
      firstDatabase = nil
      guard let step = first.map(Optional.some) ?? step() else { return nil }
      guard case .input(let input) = step, input.isEntered else {
        if let step { return step }
        continue
      }
      do throws(ArchiveError) { try enter(input) } catch {
        return .failure(path: input.name, error)
      }
    }
  }

  /// Goes on by a file, an operand or a path; nil at the end.
  ///
  /// - Returns: the entry, which may be a database; nil if there is none yet.
  private func step() -> Entry?? {
    if let entry = walk?.next() { return entry }
    passedOverBackups += walk?.passedOver ?? 0
    walk = nil
    if let operand = operands.popFirst() {
      return .some(operand == "-" ? standardInput() : entry(for: operand))
    }
    if let path = listed.popFirst() { return .some(entry(for: path, keepsFolders: true)) }
    switch lists.next() {
    case .failure(let path, let error)?: return .failure(path: path, error)
    case .path(let path)?: return .some(entry(for: path, keepsFolders: true))
    case nil: return nil
    }
  }

  private func standardInput() -> Entry {
    if isStandardInputTaken { return .failure(path: "-", .repeatedStandardInput) }
    isStandardInputTaken = true
    return .input(.standard)
  }

  /// The input at a path; nil for a file that is filtered out, or a folder whose files come next.
  private func entry(for path: String, keepsFolders: Bool = false) -> Entry? {
    guard let status = FileStatus(of: path) else {
      let message = systemMessage()
      do throws(ArchiveError) {
        if let address = try Address(path, opener) { return try open(address) }
      } catch {
        return .failure(path: path, error)
      }
      return .unopened(path, "cannot open the file: \(message)\(Address.hint(for: path))")
    }
    if status.isFolder {
      guard selection.isRecursive else {
        let remedy =
          selection.mayBeRecursive ? " (use -r to read the files in it)" : "; name a file in it"
        return .unopened(path, "is a directory\(remedy)")
      }
      walk = FolderWalk(path, selection)
      return nil
    }
    guard selection.filter.accepts(path) else { return nil }
    let name = Self.lastStep(of: path) ?? path
    let relativePath = keepsFolders ? Self.pathBelow(path) ?? name : name
    var input = Input(path: path, relativePath: relativePath)
    input.isEntered = selection.entersDatabases && status.isFile && Database.isDatabase(path)
    return .input(input)
  }

  /// Opens what an operand names in a file.
  private func open(_ address: Address) throws(ArchiveError) -> Entry? {
    guard selection.takesAddresses else { throw Address.unchangeable }
    switch address {
    case .file(var input):
      input.isEntered = selection.entersDatabases && input.isDatabase
      return .input(input)
    case .column(let reference, let file, let backup):
      let inputs = try DatabaseInputs(
        reference, of: file, in: backup, accepting: selection.acceptsValue)
      database = inputs
      columns += inputs.columns
      databaseCount += 1
      return nil
    }
  }

  /// Begins to read all archives of a database.
  private func enter(_ file: Input) throws(ArchiveError) {
    databaseCount += 1
    var backup = walk?.backup
    if let folder = file.backupFolder, backup?.folder != folder {
      backup = try opener.backup(in: folder)
    }
    database = try DatabaseInputs(all: file, in: backup, inOrder: selection.ordersTables)
  }

  /// The path in an output folder for a listed path; nil if it leads out of the current folder.
  private static func pathBelow(_ path: String) -> String? {
    // Split by bytes: a combining mark may follow a slash.
    let steps = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
    return path.utf8.first == UInt8(ascii: "/") || steps.contains("..")
      ? nil : steps.joined(separator: "/")
  }

  /// The last of the names in a path; nil if there are only slashes.
  static func lastStep(of path: String) -> String? {
    let (bytes, slash) = (path.utf8, UInt8(ascii: "/"))
    guard let last = bytes.lastIndex(where: { $0 != slash }) else { return nil }
    let first = bytes[..<last].lastIndex(of: slash).map { bytes.index(after: $0) }
    return String(Substring(bytes[(first ?? bytes.startIndex)...last]))
  }
}

// MARK: - Paths in a file, or on standard input, one per line

/// Reads lists of paths, without their empty lines.
private struct PathLists: ~Copyable {
  /// A path, or the error of a list or of a line.
  enum Element {
    case path(String)
    case failure(String, ArchiveError)
  }

  /// No file system allows longer paths.
  private static let longestPath = 1 << 16

  private let isNullSeparated: Bool
  private var lines: SourceLines

  init(_ selection: InputSelection) {
    isNullSeparated = selection.isNullSeparated
    var isTaken = selection.operands.contains("-")
    let sources = selection.lists.map { list -> RecordStream.Source in
      if list != "-" { return .file(list) }
      defer { isTaken = true }
      return isTaken
        ? .unavailable(list, .repeatedStandardInput) : .descriptor(STDIN_FILENO)
    }
    lines = SourceLines(
      sources, delimiter: isNullSeparated ? 0 : UInt8(ascii: "\n"), limit: Self.longestPath
    ) { (path) throws(ArchiveError) in
      try OpenFile(path).orSystemError(.cannotOpen, "cannot open the list")
    }
  }

  /// The next path, or the error of a list or of a line; nil at the end.
  mutating func next() -> Element? {
    while true {
      do throws(ArchiveError) {
        switch try lines.next(waits: true) {
        case .end, .nothingYet: return nil
        case .tooLong: throw fault("is too long for a path")
        case .line(let storage):
          if let path = try path(storage.bytes) { return .path(path) }
        }
      } catch {
        return .failure(lines.name ?? "<stdin>", error)
      }
    }
  }

  private func path(_ line: ByteView) throws(ArchiveError) -> String? {
    var bytes = line[...]
    if !isNullSeparated, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.contains(0) else {
      throw fault("contains a NUL byte (use -0 for lists separated by NUL)")
    }
    return bytes.isEmpty ? nil : String(pathBytes: bytes)
  }

  private func fault(_ problem: String) -> ArchiveError {
    ArchiveError(.cannotOpen, "\(isNullSeparated ? "entry" : "line") \(lines.number) \(problem)")
  }
}

// MARK: - Selects the files that are inputs

/// Filters the files that were named or found.
package struct InputFilter: Sendable {
  /// The prefix of the program's own files: temporary files, locks, files of a run.
  static let ownPrefix = Array(".archtool-".utf8)

  /// Patterns, one of which a file must match; empty for every file.
  package var included: [Glob] = []
  /// Patterns that exclude files, and folders from the search.
  package var excluded: [Glob] = []
  /// Files and folders that are skipped if they are found in a folder.
  package var passedOver: [String] = []
  /// The same of what is certainly a folder, or does not exist yet.
  package var passedOverFolders: [String] = []
  /// The suffix of an interrupted run's backups, and a test whether it replaced a file.
  ///
  /// Where a file system cannot mark backups, the resumed run recognizes them by its journal.
  package var replaced: (suffix: String, contains: @Sendable (String) -> Bool)?

  /// Whether iOS backups that are found are passed over.
  package var passesOverBackups = false

  /// Whether a folder of backups is refused even if it was named itself.
  package var refusesBackups = false

  /// Makes a filter that accepts every file.
  package init() {}

  /// Whether a file is accepted.
  ///
  /// - Parameters:
  ///   - path: its path below the named folder, or as it was named itself.
  ///   - shownPath: its path as it is printed; nil if that is the same.
  func accepts(_ path: String, _ shownPath: String? = nil) -> Bool {
    func fits(_ glob: Glob) -> Bool {
      glob.matches(path) || shownPath.map { glob.matches(printed: $0) } == true
    }
    return (included.isEmpty || included.contains(where: fits)) && !excluded.contains(where: fits)
  }

  /// Whether to visit a file or folder that was found in a folder.
  ///
  /// Files with the lost values of another file, and copies that `--backup` made, are never visited.
  ///
  /// - Parameters:
  ///   - relativePath: its path below the named folder.
  ///   - path: its path.
  ///   - status: its file status.
  func enters(_ relativePath: String, _ path: String, _ status: FileStatus) -> Bool {
    if let replaced, path.hasSuffix(replaced.suffix),
      replaced.contains(String(path.dropLast(replaced.suffix.count)))
    {
      return false
    }
    if SideFile.isLostValues(path) { return false }
    if status.isFile, SideFile.isBackup(path) { return false }
    if status.isFolder,
      excluded.contains(where: {
        $0.matches(relativePath) || $0.matches(printed: path)
      })
    {
      return false
    }
    // A missing file cannot be an input.
    for other in passedOver where FileStatus(of: other)?.isSameFile(as: status) == true {
      return false
    }
    guard status.isFolder else { return true }
    return !passedOverFolders.contains { FileStatus(of: $0)?.isSameFile(as: status) == true }
  }
}
