// Compares the files of two folders by their paths, and the archives of two databases by their places.

import ArchiveBackups
import ArchiveBasics
import ArchiveBatches
import ArchiveQueries
import CommandLineInterface

/// Compares two folders, whose backups are compared by the names that applications gave their files.
struct FolderComparison {
  private let session: Session
  private let comparison: FileComparison
  private let old: String
  private let new: String

  init(_ session: Session, _ comparison: FileComparison, _ old: String, _ new: String) throws {
    (self.session, self.comparison) = (session, comparison)
    (self.old, self.new) = (Self.withoutSlash(old), Self.withoutSlash(new))
    guard session.arguments.has(.recursive) else {
      throw UsageError("folders are compared with -r")
    }
    if comparison.format == .jsonPatch {
      throw UsageError("a JSON Patch is for two files, not for folders")
    }
    guard [old, new].allSatisfy(FolderListing.isFolder) else {
      throw UsageError("a folder can only be compared with a folder")
    }
  }

  private static func withoutSlash(_ path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(Substring(bytes))
  }

  func run() throws {
    let (comparison, old, new, streams) = (comparison, old, new, session.streams)
    let password = session.arguments.password
    let entersDatabases = !session.arguments.has(.noDatabases)
    try session.showInputs(selection(old), at: nil) {
      () throws(ArchiveError) in
      let (olds, news) = (BackupOpener(password), BackupOpener(password))
      return { (input, storage, writer) throws(ArchiveError) in
        guard let other = try news.counterpart(of: input, in: new) else {
          return comparison.tell(Self.onlyIn(old, input), input.name, nil, writer)
        }
        let bytes = try other.open(streams)
        let isSame = storage.bytes.elementsEqual(bytes.bytes)
        let kinds = [(input, storage), (other, bytes)].map {
          ContentKind(of: $1.bytes, name: $0.name)
        }
        if entersDatabases, kinds == [.database, .database] {
          let logs = [try olds.log(of: input, in: old), try news.log(of: other, in: new)]
          if isSame, try Self.areEqual(logs, streams) { return }
          return DatabaseComparison(comparison, streams, writer)
            .run((input, other), (olds, news), differ: true)
        }
        // Files that are the same are not read as archives, whatever they are.
        if isSame { return }
        if entersDatabases, try olds.isPartOfDatabase(input, in: old, storage),
          try news.isPartOfDatabase(other, in: new, bytes)
        {
          return
        }
        let scratch = ResultWriter()
        if !kinds[0].isRead && (try? comparison.read(storage, input, scratch)) == nil
          || !kinds[1].isRead && (try? comparison.read(bytes, other, scratch)) == nil
        {
          let line = "not both archives, and the bytes differ: \(input.name) \(other.name)"
          return comparison.tell(line, input.name, other.name, writer)
        }
        try comparison.compare(
          input, storage, other, streams, writer, header: "\(input.name) \(other.name)")
      }
    }
    showAdded()
    comparison.end(session)
  }

  private func selection(_ folder: String) -> InputSelection {
    var selection = session.arguments.selection
    selection.operands = [folder]
    // Each file is compared, if not by its archives, and a database with that in the same place.
    (selection.isArchivesOnly, selection.entersDatabases) = (false, false)
    return selection
  }

  /// Names the files that only the new folder has.
  private func showAdded() {
    let writer = ResultWriter(session)
    let opener = BackupOpener(session.arguments.password)
    for entry in InputSequence(selection(new)) {
      switch entry {
      case .failure(let path, let error): session.report(error, file: path)
      case .input(let input):
        do throws(ArchiveError) {
          if try opener.counterpart(of: input, in: old) == nil {
            comparison.tell(Self.onlyIn(new, input), nil, input.name, writer)
          }
        } catch {
          session.report(error, file: input.name)
        }
      }
    }
  }

  private static func onlyIn(_ folder: String, _ input: Input) -> String {
    let relative = String(Substring(input.name.utf8.dropFirst(folder.utf8.count)))
    return "only in \(folder): "
      + (relative.hasPrefix("/") && !relative.hasPrefix("//")
        ? String(relative.dropFirst()) : relative)
  }

  private static func areEqual(
    _ logs: [Input?], _ streams: StandardStreams
  ) throws(ArchiveError) -> Bool {
    var contents: [[UInt8]] = []
    for log in logs {
      let storage = try log?.open(streams)
      contents.append(storage.map { Array($0.bytes) } ?? [])
    }
    return contents.allSatisfy { $0 == contents[0] }
  }
}

extension BackupOpener {
  /// The log of a database, in which there may be rows that its file does not have yet; nil without one.
  fileprivate func log(of database: Input, in folder: String) throws(ArchiveError) -> Input? {
    try counterpart(of: database, in: folder) { $0 + "-wal" }
  }

  /// The first bytes of a log, in both orders of bytes, of the index of one, and of a journal: the format of SQLite.
  private static let magics: [[UInt8]] = [
    [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83], [0x18, 0xE2, 0x2D, 0x00],
    [0x00, 0x2D, 0xE2, 0x18], [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7],
  ]

  /// Whether a file belongs to the database beside it, with which it is read.
  fileprivate func isPartOfDatabase(
    _ input: Input, in folder: String, _ storage: ByteStorage
  ) throws(ArchiveError) -> Bool {
    guard Self.magics.contains(where: { storage.bytes.starts(with: $0) }) else { return false }
    for suffix in ["-wal", "-shm", "-journal"] {
      let database = try counterpart(of: input, in: folder) { name in
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
      }
      if database?.isDatabase == true { return true }
    }
    return false
  }
}

// MARK: - Compares the archives of two databases

/// Compares the archives of two databases by their tables, rows and columns, or those of two columns by their rows.
final class DatabaseComparison {
  private let comparison: FileComparison
  private let streams: StandardStreams
  private let writer: ResultWriter
  /// Whether a part of a side could not be read, so that nothing is known to be missing there.
  private var isIncomplete = false
  private var pairsByPosition = false

  init(_ comparison: FileComparison, _ streams: StandardStreams, _ writer: ResultWriter) {
    (self.comparison, self.streams, self.writer) = (comparison, streams, writer)
  }

  /// Compares two columns, by the numbers of their rows.
  func run(columns old: String, _ new: String, _ password: PasswordSource) {
    func rows(_ column: String) -> InputSequence {
      var selection = InputSelection(operands: [column], isRecursive: false)
      (selection.takesAddresses, selection.password) = (true, password)
      return InputSequence(selection)
    }
    merge((old, rows(old)), (new, rows(new))) { $0.row < $1.row }
    endNotes("\(old) \(new)")
  }

  /// Compares two databases.
  ///
  /// - Parameters:
  ///   - openers: open the backups that they are in.
  ///   - differ: whether they are known to differ in anything.
  func run(
    _ databases: (old: Input, new: Input), _ openers: (old: BackupOpener, new: BackupOpener),
    differ: Bool
  ) {
    let names = (databases.old.name, databases.new.name)
    merge(
      (names.0, InputSequence(in: databases.old, openers.old)),
      (names.1, InputSequence(in: databases.new, openers.new))
    ) { $0.precedes($1) }
    let both = "\(names.0) \(names.1)"
    endNotes(both)
    if isIncomplete || !differ { return }
    if writer.hasDifferences {
      writer.note(
        ArchiveError(.unsupported, "of databases only the archives are compared"), file: both)
    } else {
      comparison.tell(
        "the databases differ, though no archive in them: \(both)", names.0, names.1, writer)
    }
  }

  private func endNotes(_ both: String) {
    if isIncomplete {
      writer.note(
        ArchiveError(.unsupported, "archives that only one side has are not told after an error"),
        file: both)
    }
    if pairsByPosition {
      writer.note(
        ArchiveError(
          .unsupported, "rows of a table without row numbers are compared by their positions"),
        file: both)
    }
  }

  private func merge(
    _ old: (name: String, rows: InputSequence), _ new: (name: String, rows: InputSequence),
    _ precedes: (DatabaseCell, DatabaseCell) -> Bool
  ) {
    func isBefore(_ one: Input, _ other: Input) -> Bool {
      guard let first = one.cell, let second = other.cell else { return false }
      return precedes(first, second)
    }
    var (one, two) = (next(old.rows), next(new.rows))
    while one != nil || two != nil {
      let isRemoved = one.map { one in two.map { isBefore(one, $0) } ?? true } ?? false
      let isAdded = two.map { two in one.map { isBefore(two, $0) } ?? true } ?? false
      if let one, let two, !isRemoved, !isAdded {
        compare(one, two)
      } else if let one, isRemoved, !isIncomplete {
        comparison.tell("only in \(old.name): \(one.name)", one.name, nil, writer)
      } else if let two, isAdded, !isIncomplete {
        comparison.tell("only in \(new.name): \(two.name)", nil, two.name, writer)
      }
      if !isAdded { one = next(old.rows) }
      if !isRemoved { two = next(new.rows) }
    }
  }

  /// The next archive; an error is reported.
  private func next(_ rows: InputSequence) -> Input? {
    while let entry = rows.next() {
      switch entry {
      case .input(let input): return input
      case .failure(let path, let error):
        isIncomplete = true
        writer.report(error, file: path)
      }
    }
    return nil
  }

  private func compare(_ old: Input, _ new: Input) {
    if old.cell?.column.isNumbered == false { pairsByPosition = true }
    do throws(ArchiveError) {
      let (storage, other) = (try old.open(streams), try new.open(streams))
      if storage.bytes.elementsEqual(other.bytes) { return }
      try comparison.compare(
        old, storage, new, streams, writer, header: "\(old.name) \(new.name)")
    } catch {
      writer.report(error, file: old.name)
    }
  }
}
