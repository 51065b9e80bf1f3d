// Bookmarks as a format.

import Basics
import ObjectGraph

extension Encoding {
  /// A bookmark of a file, or an alias file.
  public static let bookmark = Encoding("bookmark", .translated)
}

/// Bookmark data, and the alias files of Finder; opened within other archives, too.
enum BookmarkFormat: PropertyListFormat {
  static let encoding = Encoding.bookmark
  static let word = "bookmark"

  static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    opensContent(beginning.bytes)
  }

  /// `book` or `alis` with a version as the third word, or with `mark`.
  static func opensContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 16, bytes.starts(with: "book") || bytes.starts(with: "alis") else {
      return false
    }
    let third = UnsafeRawBufferPointer(rebasing: bytes[8..<12])
    return third.starts(with: "mark") || third[0] == 0 && third[1] == 0 && third[3] == 0x10
  }

  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading {
    FormatReading(try BookmarkReader.read(input.bytes, fileOffset: input.fileOffset))
  }
}
