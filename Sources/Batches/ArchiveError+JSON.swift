// An error as a member of JSON: in reports of files, and in answers to records.

import Basics
import PropertyLists

extension ArchiveError {
  /// The error as an object.
  package var tree: JSONTree {
    .members([
      ("code", .string(code.rawValue)), ("message", .string(message)),
      ("offset", offset.map { .integer($0) } ?? .null),
      ("path", path.map { .string($0) } ?? .null),
    ])
  }
}
