// Compares the files of two folders by their paths, and the archives of two databases by their places.

import ArchiveBackups
import ArchiveBasics
import ArchiveBatches
import ArchiveQueries
import CommandLineInterface

/// Opens the backups of both sides of a comparison.
private struct SideOpeners {
  let password: PasswordSource
  let old: BackupOpener
  let new: BackupOpener

  init(_ password: PasswordSource) {
    self.password = password
    (old, new) = (BackupOpener(password), BackupOpener(password))
  }
}

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
      throw UsageError("folders are compared with -r", command: Diff.name)
    }
    if comparison.format == .jsonPatch {
      throw UsageError("a JSON Patch is for two files, not for folders", command: Diff.name)
    }
    guard [old, new].allSatisfy(FolderListing.isFolder) else {
      throw UsageError("a folder can only be compared with a folder", command: Diff.name)
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
      let openers = SideOpeners(password)
      return { (input, storage, writer) throws(ArchiveError) in
        let place = Self.place(of: input, in: old)
        guard let other = try openers.new.file(at: new + place) else {
          return comparison.tell(Self.onlyIn(old, place), input.name, nil, writer)
        }
        let bytes = try other.open(streams)
        let kinds = [(input, storage), (other, bytes)].map {
          ContentKind(of: $1.bytes, name: $0.name)
        }
        let areDatabases = entersDatabases && kinds == [.database, .database]
        // Files that are the same are not read as archives, whatever they are; but a database has a log beside it.
        if storage.bytes.elementsEqual(bytes.bytes) {
          guard areDatabases, try Self.haveLog(input, other, openers) else { return }
        }
        if areDatabases {
          return DatabaseComparison(comparison, streams, writer)
            .run(
              (input.name, other.name), openers,
              haveSameBytes: storage.bytes.elementsEqual(bytes.bytes))
        }
        if entersDatabases, try Self.isPartOfDatabase(input.name, openers.old) { return }
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
      do throws(ArchiveError) {
        switch entry {
        case .failure(let path, let error): session.report(error, file: path)
        case .input(let input):
          let place = Self.place(of: input, in: new)
          if try opener.file(at: old + place) != nil { continue }
          comparison.tell(Self.onlyIn(new, place), nil, input.name, writer)
        }
      } catch {
        session.report(error, file: old)
        return
      }
    }
  }

  private static func onlyIn(_ folder: String, _ place: String) -> String {
    "only in \(folder): \(place.hasPrefix("//") ? place : String(place.dropFirst()))"
  }

  /// What follows the folder in the name of an input: `/file`, or `//DOMAIN/path` of a backup.
  private static func place(of input: Input, in folder: String) -> String {
    let rest = String(Substring(input.name.utf8.dropFirst(folder.utf8.count)))
    return rest.hasPrefix("/") ? rest : "/" + rest
  }

  /// Whether one of two databases may have rows in a log that its file does not have yet.
  private static func haveLog(
    _ one: Input, _ other: Input, _ openers: SideOpeners
  ) throws(ArchiveError) -> Bool {
    if try openers.old.file(at: one.name + "-wal") != nil { return true }
    return try openers.new.file(at: other.name + "-wal") != nil
  }

  /// Whether a file is the log, the index of the log or the journal of a database beside it.
  private static func isPartOfDatabase(
    _ name: String, _ opener: BackupOpener
  ) throws(ArchiveError) -> Bool {
    for suffix in ["-wal", "-shm", "-journal"] where name.hasSuffix(suffix) {
      if try opener.file(at: String(name.dropLast(suffix.count)))?.isDatabase == true {
        return true
      }
    }
    return false
  }
}

// MARK: - Compares the archives of two databases

/// Compares the archives of two databases by their tables, rows and columns, or those of two columns by their rows.
struct DatabaseComparison {
  private let comparison: FileComparison
  private let streams: StandardStreams
  private let writer: ResultWriter

  init(_ comparison: FileComparison, _ streams: StandardStreams, _ writer: ResultWriter) {
    (self.comparison, self.streams, self.writer) = (comparison, streams, writer)
  }

  /// Compares what two operands name, if both are databases or may be columns.
  ///
  /// - Returns: whether they are.
  static func run(
    _ old: String, _ new: String, _ comparison: FileComparison, _ session: Session
  ) throws -> Bool {
    let openers = SideOpeners(session.arguments.password)
    let areColumns = [old, new].allSatisfy(Address.mayBeColumn)
    let files = areColumns ? [] : [try openers.old.file(at: old), try openers.new.file(at: new)]
    guard files.allSatisfy({ $0?.isDatabase == true }) else { return false }
    if comparison.format == .jsonPatch {
      if areColumns { return false }
      throw UsageError("a JSON Patch is for two archives, not for databases", command: Diff.name)
    }
    var isSame = false
    if let one = files.first, let two = files.last, let one = try one?.open(session.streams),
      let two = try two?.open(session.streams)
    {
      isSame = one.bytes.elementsEqual(two.bytes)
    }
    DatabaseComparison(comparison, session.streams, ResultWriter(session))
      .run((old, new), openers, haveSameBytes: isSame)
    comparison.end(session)
    return true
  }

  /// Compares two databases, or two columns.
  fileprivate func run(
    _ names: (old: String, new: String), _ openers: SideOpeners, haveSameBytes: Bool
  ) {
    let areColumns = [names.old, names.new].allSatisfy(Address.mayBeColumn)
    let olds = rows(of: names.old, openers.old, openers.password)
    let news = rows(of: names.new, openers.new, openers.password)
    var (one, two) = (next(olds), next(news))
    while let first = one ?? two {
      if let one, let two, !Self.precedes(one, two, areColumns),
        !Self.precedes(two, one, areColumns)
      {
        compare(one, two)
      } else if two.map({ Self.precedes(first, $0, areColumns) }) ?? true {
        comparison.tell("only in \(names.old): \(first.name)", first.name, nil, writer)
        one = next(olds)
        continue
      } else {
        let added = two ?? first
        comparison.tell("only in \(names.new): \(added.name)", nil, added.name, writer)
        two = next(news)
        continue
      }
      (one, two) = (next(olds), next(news))
    }
    if !areColumns, !haveSameBytes {
      let note = ArchiveError(
        .unsupported, "the databases differ in their bytes, and only archives in them are compared")
      writer.note(note, file: "\(names.old) \(names.new)")
    }
  }

  /// Whether an archive comes before another of the other side: by its table, its row and its column, or by its row.
  private static func precedes(_ one: Input, _ other: Input, _ areColumns: Bool) -> Bool {
    guard let first = one.cell, let second = other.cell else { return false }
    if areColumns { return first.row < second.row }
    let (left, right) = (first.column, second.column)
    if left.table.utf8.elementsEqual(right.table.utf8) {
      return first.row != second.row
        ? first.row < second.row
        : left.column.utf8.lexicographicallyPrecedes(right.column.utf8)
    }
    return left.table.utf8.lexicographicallyPrecedes(right.table.utf8)
  }

  private func rows(
    of place: String, _ opener: BackupOpener, _ password: PasswordSource
  ) -> InputSequence {
    var selection = InputSelection(operands: [place], isRecursive: false)
    (selection.takesAddresses, selection.entersDatabases) = (true, true)
    (selection.ordersTables, selection.password) = (true, password)
    return InputSequence(selection, opener)
  }

  /// The next archive; an error is reported.
  private func next(_ rows: InputSequence) -> Input? {
    while let entry = rows.next() {
      switch entry {
      case .input(let input): return input
      case .failure(let path, let error): writer.report(error, file: path)
      }
    }
    return nil
  }

  private func compare(_ old: Input, _ new: Input) {
    do throws(ArchiveError) {
      let storage = try old.open(streams)
      if try new.open(streams).bytes.elementsEqual(storage.bytes) { return }
      try comparison.compare(
        old, storage, new, streams, writer, header: "\(old.name) \(new.name)")
    } catch {
      writer.report(error, file: old.name)
    }
  }
}
