// The file of `--allow-classes`: one class or pattern per line.

import Basics

/// Reads lists of classes.
enum AllowedClasses {
  /// The names and patterns in a file; empty lines and those that begin with `#` are ignored.
  ///
  /// - Throws: `ArchiveError` that names the file if it cannot be read.
  static func read(_ path: String) throws(ArchiveError) -> Set<String> {
    do throws(ArchiveError) {
      let storage = try ByteStorage.open(path: path)
      guard let text = String(validating: storage.bytes, as: UTF8.self) else {
        throw ArchiveError(.malformed, "the list of classes is not UTF-8")
      }
      let lines = text.split(whereSeparator: \.isNewline)
      let names = lines.map { line in
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
      return Set(names.filter { !$0.isEmpty && !$0.hasPrefix("#") })
    } catch {
      throw error.inFile(path)
    }
  }
}
