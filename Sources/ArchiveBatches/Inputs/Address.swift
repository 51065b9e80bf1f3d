// What an operand names if no file has its name: a column of a database, or one of its rows.

import ArchiveBasics
import ArchiveDatabases

/// A place in a file, as `scan` prints it and every command reads it.
package enum Address {
  /// The archives of a column, or that of a row: `DATABASE#table.column` and `DATABASE#table.column@ROW`.
  case column(DatabaseReference, of: Input)

  /// Reads an operand; nil if it names nothing but a file.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if what follows the database is no column.
  init?(_ operand: String) throws(ArchiveError) {
    guard let reference = try DatabaseReference(operand) else { return nil }
    let name = InputSequence.lastStep(of: reference.path) ?? reference.path
    self = .column(reference, of: Input(path: reference.path, relativePath: name))
  }

  /// Whether an operand that is no file is an address.
  package static func isNamed(by operand: String) -> Bool {
    ((try? Address(operand)) ?? nil) != nil
  }

  /// Whether an operand may name several archives: it has a `#`, no row after it, and no file has its name.
  package static func mayBeColumn(_ operand: String) -> Bool {
    guard let mark = operand.utf8.lastIndex(of: UInt8(ascii: "#")) else { return false }
    let row = operand.utf8.lastIndex(of: UInt8(ascii: "@")).map { operand.utf8[$0...].dropFirst() }
    let namesRow = row.map { $0.startIndex > mark && Int64(String(Substring($0))) != nil } ?? false
    return !namesRow && FileStatus(of: operand, followsLinks: false) == nil
  }

  /// The error of a command that changes files.
  static let unchangeable = ArchiveError(
    .unsupported,
    "is not a file, and only files are changed in place; 'archtool extract '$' ADDRESS -o FILE' makes a file of it, and 'migrate --output-database COPY' a changed copy of a database"
  )
}

extension Input {
  /// The only input that an operand names, or the first archive of a column.
  ///
  /// - Parameter noted: receives a note if the operand names more than one archive.
  /// - Throws: `ArchiveError` if there is no archive in the row or the column.
  package init(
    address operand: String, noted: (String) -> Void
  ) throws(ArchiveError) {
    guard operand != "-", FileStatus(of: operand, followsLinks: false) == nil,
      let address = try Address(operand)
    else {
      self.init(operand: operand)
      return
    }
    switch address {
    case .column(let reference, let file):
      var rows = try DatabaseInputs(reference, of: file)
      switch rows.next() {
      case .input(let input)?:
        self = input
        if reference.row == nil {
          noted("a column; this is its first archive, \(input.name)")
        }
      case .failure(_, let error)?: throw error
      case nil: throw ArchiveError(.cannotOpen, "no archive in this column")
      }
    }
  }
}

// MARK: - Addresses that continue one that is half typed

extension Address {
  /// The columns of a database whose name and a `#` are typed.
  package static func candidates(for text: String) -> [String] {
    guard let (path, _) = DatabaseReference.split(text, isDatabase: Database.isDatabase),
      let database = try? Database(path), let tables = try? database.tableNames()
    else { return [] }
    return tables.flatMap { name in
      let columns = (try? database.table(name).columns) ?? []
      return columns.map { "\(path)#\(DatabaseReference.name(table: name, column: $0))" }
    }
  }
}
