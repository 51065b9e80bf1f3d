// A column of a database, or one of its rows, as an operand names it: `DATABASE#table.column@ROW`.

import Basics

/// The name of a column or of a row's value.
package struct DatabaseReference: Hashable, Sendable {
  /// The path of the database.
  package let path: String
  /// The name of the table.
  package let table: String
  /// The name of the column.
  package let column: String
  /// The number of the row; nil for all rows.
  package let row: Int64?

  /// Reads an operand; nil if it names no database before a `#`.
  ///
  /// The name of the database ends at the last `#` before which there is one.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if what follows is not a column.
  package init?(_ operand: String) throws(ArchiveError) {
    guard let (path, name) = Self.split(operand) else { return nil }
    var rest = name.unicodeScalars[...]
    guard let table = Self.name(&rest, endsAt: "."), rest.popFirst() == ".",
      let column = Self.name(&rest, endsAt: "@")
    else { throw Self.malformed(name) }
    (self.path, self.table, self.column) = (path, table, column)
    guard rest.popFirst() != nil else {
      row = nil
      return
    }
    guard let row = Int64(String(rest)), String(row) == String(rest) else {
      throw Self.malformed(name)
    }
    self.row = row
  }

  /// Whether an operand names a column rather than a file: no file has the name, and a database precedes a `#`.
  package static func isNamed(by operand: String) -> Bool {
    guard operand.utf8.contains(UInt8(ascii: "#")) else { return false }
    return FileStatus(of: operand, followsLinks: false) == nil && split(operand) != nil
  }

  private static func split(_ operand: String) -> (path: String, name: String)? {
    var end = operand.endIndex
    while let mark = operand[..<end].utf8.lastIndex(of: UInt8(ascii: "#")) {
      let path = String(operand[..<mark])
      if Database.isDatabase(path) {
        return (path, String(operand[operand.utf8.index(after: mark)...]))
      }
      end = mark
    }
    return nil
  }

  /// A name, in quotation marks if it has a character that would end it.
  private static func name(
    _ rest: inout Substring.UnicodeScalarView, endsAt end: Unicode.Scalar
  ) -> String? {
    var name = String.UnicodeScalarView()
    guard rest.first == "\"" else {
      while let scalar = rest.first, scalar != end {
        if ".@\"".unicodeScalars.contains(scalar) { return nil }
        name.append(scalar)
        rest.removeFirst()
      }
      return name.isEmpty ? nil : String(name)
    }
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      if scalar == "\"" {
        guard rest.first == "\"" else {
          return rest.first == nil || rest.first == end ? String(name) : nil
        }
        rest.removeFirst()
      }
      name.append(scalar)
    }
    return nil
  }

  private static func malformed(_ name: String) -> ArchiveError {
    ArchiveError(
      .cannotOpen,
      "'\(name)' names no column; write #TABLE.COLUMN or #TABLE.COLUMN@ROW, and a name with '.', '@', '#' or '\"' in quotation marks, as in #\"my.table\".column"
    )
  }

  /// A table and a column as an operand names them: `table.column`.
  package static func name(table: String, column: String) -> String {
    "\(quotedIfNecessary(table)).\(quotedIfNecessary(column))"
  }

  /// A table as an operand names it.
  package static func name(table: String) -> String { quotedIfNecessary(table) }

  private static func quotedIfNecessary(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.unicodeScalars.allSatisfy { !".@#\"".unicodeScalars.contains($0) }
    return isPlain
      ? name
      : "\""
        + name.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
  }
}
