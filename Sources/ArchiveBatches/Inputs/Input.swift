// One input of a command.

import ArchiveBackups
import ArchiveBasics
import ArchiveDatabases
import ArchivePropertyLists
import FileTransactions

/// One input, not yet opened, or a value of a database.
package struct Input: Hashable, Sendable {
  /// The path to open; `-` for standard input.
  package let path: String
  /// The path below the named folder, or the file's own name: its path in an output folder.
  package private(set) var relativePath: String
  /// The named folder in which the input was found; nil if it was named itself.
  package let folder: String?
  /// Whether it is standard input.
  package let isStandardInput: Bool

  /// What messages call the file, if that is not its path: the name of an application's file in a backup.
  package private(set) var title: String?
  /// The file of a backup that the input is, or is in; nil for others.
  package private(set) var backupFile: BackupFile?
  private(set) var backupFolder: String?
  /// The value of a database that the input is; nil for a file.
  package private(set) var cell: DatabaseCell?

  /// Whether it is a database whose archives are inputs, and that is none itself.
  var isEntered = false

  /// The path of an archive inside the input; nil for the entire input.
  package private(set) var part: String?

  /// The name in messages.
  package var name: String {
    let file = isStandardInput ? "<stdin>" : title ?? path
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
    var input = self
    input.relativePath = "\(stem).\(name)"
    return input
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

  init(path: String, relativePath: String, folder: String? = nil, title: String? = nil) {
    self.path = path
    self.relativePath = relativePath
    self.folder = folder
    self.title = title
    isStandardInput = false
  }

  /// A file of a backup, under the name `BACKUP//DOMAIN/path`.
  init(_ file: BackupFile, in backup: Backup, relativePath: String, folder: String?) {
    self.init(
      path: file.storedPath, relativePath: Self.harmless(relativePath), folder: folder,
      title: "\(backup.folder)//\(file.name)")
    (backupFile, backupFolder) = (file, backup.folder)
  }

  /// Whether it is a file that begins as a database.
  package var isDatabase: Bool {
    if isStandardInput || cell != nil { return false }
    return backupFile.map { Backup.isDatabase($0) } ?? Database.isDatabase(path)
  }

  /// A path that stays in its folder: a backup may name its files as it likes.
  private static func harmless(_ path: String) -> String {
    let steps = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return steps.map { $0 == "." ? "%2E" : $0 == ".." ? "%2E%2E" : $0 }.joined(separator: "/")
  }

  init(_ cell: DatabaseCell, of file: Input) {
    self = file
    title = "\(cell.column.name)@\(cell.row)"
    relativePath += "#\(cell.column.referenceName)@\(cell.row)"
    self.cell = cell
  }

  private init() {
    path = "-"
    relativePath = "-"
    folder = nil
    isStandardInput = true
  }

  /// Standard input.
  package static let standard = Input()

  /// The file's permissions, which limit those of what is made of it.
  package func permissions(_ streams: StandardStreams = StandardStreams()) -> FilePermissions {
    if let backupFile { return backupFile.permissions }
    return isStandardInput ? FilePermissions(of: streams.input) : FilePermissions(of: path)
  }

  /// The permissions of the folder that the file is in, which limit those of a folder for what is made of it.
  package var folderPermissions: FilePermissions {
    isStandardInput ? .any : FilePermissions(of: AtomicFile.folder(of: path))
  }

  /// Opens the input.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput`.
  package func open(
    _ streams: StandardStreams = StandardStreams()
  ) throws(ArchiveError) -> ByteStorage {
    if cell == nil, backupFile == nil, !isStandardInput {
      return try .open(path: path, addingTo: streams.sources)
    }
    streams.sources.add(permissions(streams))
    if let cell { return cell.storage }
    if let backupFile { return try backupFile.open() }
    return try .read(descriptor: streams.input)
  }
}

extension DatabaseReference {
  var missingRow: ArchiveError {
    ArchiveError(.cannotOpen, "no row \(row.map(String.init) ?? "") in the table '\(table)'")
  }
}

// MARK: - Opens an input and processes it, in the same way for all commands

/// The result of processing an input.
package struct InputResult<Made> {
  /// The outcome of processing.
  package enum Outcome {
    /// The result.
    case made(Made)
    /// It is a file that archtool wrote itself, such as `a plan of archtool`, and not an input.
    case passedOver(String)
    /// It is no archive, and only archives are inputs.
    case foreign(ContentKind)
    /// It cannot be opened or processed.
    case failed(ArchiveError)
  }

  /// The input; nil if there is none to open.
  package let input: Input?
  /// Its name in messages.
  package let name: String
  /// Its size; nil if it could not be opened.
  package let byteCount: Int?
  /// The outcome.
  package let outcome: Outcome
}

extension InputResult: Sendable where Made: Sendable {}
extension InputResult.Outcome: Sendable where Made: Sendable {}

extension InputSequence.Entry {
  /// How many bytes it holds in memory before it is opened.
  package var byteCount: Int {
    if case .input(let input) = self { input.cell?.storage.bytes.count ?? 0 } else { 0 }
  }

  /// Opens the input and processes it.
  ///
  /// An error gets a line and column if the input is text.
  ///
  /// - Parameters:
  ///   - streams: the stream of standard input.
  ///   - selection: whether anything but an archive is passed over.
  ///   - make: receives the input and its bytes.
  package func result<Made>(
    _ streams: StandardStreams, _ selection: InputSelection,
    _ make: (Input, ByteStorage) throws(ArchiveError) -> Made
  ) -> InputResult<Made> {
    switch self {
    case .failure(let path, let error):
      return InputResult(input: nil, name: path, byteCount: nil, outcome: .failed(error))
    case .input(let input):
      var opened: ByteStorage?
      let outcome: InputResult<Made>.Outcome
      do throws(ArchiveError) {
        let storage: ByteStorage
        if selection.isArchivesOnly {
          let (archive, kind) = try input.openArchive(
            streams, orJSON: selection.keepsJSON(of: input))
          guard let archive else {
            if kind == .database, selection.entersDatabases, input.cell == nil {
              throw ArchiveError(
                .malformed,
                "the database is damaged: its size is not that of whole pages; name a column, FILE#table.column, to read what is left"
              )
            }
            return InputResult(
              input: input, name: input.name, byteCount: nil, outcome: .foreign(kind))
          }
          storage = archive
        } else {
          storage = try input.open(streams)
        }
        opened = storage
        // A named folder may contain files that earlier runs wrote.
        if input.folder != nil, input.cell == nil, let kind = SideFile.kind(of: storage) {
          outcome = .passedOver(kind)
        } else {
          outcome = .made(try make(input, storage))
        }
      } catch {
        outcome = .failed(opened.map { error.located(in: $0.bytes) } ?? error)
      }
      return InputResult(
        input: input, name: input.name, byteCount: opened?.bytes.count, outcome: outcome)
    }
  }
}
