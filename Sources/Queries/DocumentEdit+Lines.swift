// Edits in lines of JSON, one per line.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

extension DocumentEdit {
  /// Reads edits, an object per line: `{"op": "set", "path": "$.title", "value": "A"}`.
  ///
  /// The operations are those of the commands (`set`, `insert`, `append`, `remove`, `rename-key`) and of JSON Patch; a
  /// path may have any notation.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, with the line and column.
  public static func readLines(
    _ storage: ByteStorage, limits: Limits = Limits()
  ) throws(ArchiveError) -> [DocumentEdit] {
    var edits: [DocumentEdit] = []
    var number = 0
    for line in storage.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      let isEmpty = line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
      if isEmpty { continue }
      do throws(ArchiveError) {
        let (document, _, _) = try JSONReader.readWithWarnings(
          UnsafeRawBufferPointer(rebasing: line), fileOffset: 0, limits: limits,
          allowsJSON5: false, keepsPlaces: true, marksWide: true)
        edits.append(try DocumentEdit(line: document, limits))
      } catch {
        // Columns count characters, which the continuation bytes of UTF-8 do not begin.
        let before = line.prefix(error.offset ?? 0)
        throw ArchiveError(error.code, error.message, offset: line.startIndex + before.count)
          .at(
            position: TextPosition(
              line: number, column: before.count { $0 & 0xC0 != 0x80 } + 1))
      }
    }
    return edits
  }

  private init(line document: Document, _ limits: Limits) throws(ArchiveError) {
    let table = document.table
    guard table.marker(of: document.top) >> 4 == Marker.dictionary else {
      throw ArchiveError(.malformed, "must be an object")
    }
    func text(_ name: StaticString) -> String? {
      table.value(name, of: document.top).flatMap { table.text(at: $0)?.string }
    }
    func needed(_ name: StaticString) throws(ArchiveError) -> String {
      guard let text = text(name) else {
        throw ArchiveError(.malformed, "the member '\(name)' must be a string")
      }
      return text
    }
    func value() throws(ArchiveError) -> TypedValue {
      guard let member = table.value("value", of: document.top) else {
        throw ArchiveError(.malformed, "the member 'value' is missing")
      }
      return try TypedValue(document, at: member, limits: limits)
    }
    let path = try ValuePath(parsing: try needed("path"))
    switch try needed("op") {
    case "set": self.init(.set(.typed(try value())), at: path)
    case "insert": self.init(.insert(.typed(try value())), at: path)
    case "append": self.init(.append(.typed(try value())), at: path)
    case "rename-key": self.init(.renameKey(try needed("key")), at: path)
    case "remove": self.init(.remove, at: path)
    case "add": self.init(.add(try value()), at: path)
    case "replace": self.init(.replace(try value()), at: path)
    case "test": self.init(.test(try value()), at: path)
    case "move": self.init(.move(try ValuePath(parsing: try needed("from"))), at: path)
    case "copy": self.init(.copy(try ValuePath(parsing: try needed("from"))), at: path)
    case let name:
      throw ArchiveError(
        .malformed,
        "'\(name)' is not an operation; use set, insert, append, remove, rename-key, add, replace, move, copy or test"
      )
    }
  }
}
