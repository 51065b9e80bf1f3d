// Results that replace values in a copy of a database: all of them, or there is no copy.

import ArchiveBasics
import ArchiveBatches
import ArchiveDatabases
import ArchiveMigrations
import CommandLineInterface

/// Replaces values of columns on the calling thread, and writes the copy at the end.
final class DatabaseOutput: BatchOutput {
  /// The new bytes of a value.
  typealias Prepared = ByteStorage

  private let session: Session
  private let path: String
  private let file: String
  private let database: ChangedDatabase

  let preparation: Preparation = { (_, _, archive) throws(ArchiveError) in archive.storage }

  /// Makes a copy of the database of the operands.
  ///
  /// - Throws: `UsageError` if the operands are not columns of one database, or `ArchiveError` if there is a file at the path
  ///   or the copy cannot be made.
  init(_ session: Session, _ path: String) throws {
    let arguments = session.arguments
    let references = try arguments.inputs.map { operand in
      guard DatabaseReference.isNamed(by: operand), let reference = try DatabaseReference(operand)
      else {
        throw UsageError(
          "'--output-database' needs columns of a database, DATABASE#table.column; found \(quoted(operand))"
        )
      }
      return reference
    }
    guard let first = references.first, let status = FileStatus(of: first.path),
      references.allSatisfy({ FileStatus(of: $0.path)?.isSameFile(as: status) == true })
    else {
      throw UsageError("'--output-database' needs columns of one database")
    }
    if path == "-" || AtomicFile.isDevice(path) {
      throw UsageError("'--output-database' needs a file; found \(quoted(path))")
    }
    if let other = FileStatus(of: path) {
      if other.isSameFile(as: status) {
        throw ArchiveError(
          .cannotCreate, "is the database itself, which is not changed", file: path)
      }
      guard arguments.has(.force) else {
        throw ArchiveError(.cannotCreate, "exists; --force replaces it", file: path)
      }
    }
    (self.session, self.path, file) = (session, path, first.path)
    session.streams.sources.add(FilePermissions(of: first.path))
    Interruption.listen()
    database = try ArchiveError.inFile(first.path) { () throws(ArchiveError) in
      try ChangedDatabase(
        of: first.path, in: AtomicFile.folder(of: path),
        isStopped: { Interruption.signal != nil })
    }
    for (reference, operand) in zip(references, arguments.inputs) {
      try ArchiveError.inFile(operand) { () throws(ArchiveError) in try database.begin(reference) }
    }
  }

  func commit(
    _ batch: [(input: Input, prepared: ByteStorage)]
  ) throws(ArchiveError) -> [Result<WrittenLocation, ArchiveError>] {
    batch.map { input, new in
      guard let cell = input.cell else {
        return .failure(ArchiveError(.cannotOpen, "is not a value of a database"))
      }
      do throws(ArchiveError) {
        try database.replace(
          table: cell.column.table, column: cell.column.column, row: cell.row,
          old: cell.storage.bytes, with: new.bytes)
        withExtendedLifetime((cell, new)) {}
        return .success(WrittenLocation(name: input.name))
      } catch {
        return .failure(error)
      }
    }
  }

  func discard(_ prepared: ByteStorage) {}

  /// Ends the run: writes the copy if all archives were rewritten.
  ///
  /// - Throws: `ArchiveError` if a row of the copy is not as it was written, or the copy cannot be written.
  func finish(isWhole: Bool) throws(ArchiveError) {
    guard isWhole, Interruption.signal == nil else {
      session.printProblem(
        "\(path): error: not written, because not every archive of \(file) is migrated")
      return
    }
    if session.status == .cannotOpen { return }
    try ArchiveError.inFile(file) { () throws(ArchiveError) in try database.finish() }
    try ArchiveError.inFile(path) { () throws(ArchiveError) in
      try database.write(
        to: path, replacing: session.arguments.has(.force), allowing: session.streams.sources.bound)
    }
    let count = Counted.text(database.changeCount, "value")
    session.printNote("archtool: \(path) is \(file) with \(count) changed, each row compared")
  }

  func discard() { database.discard() }
}
