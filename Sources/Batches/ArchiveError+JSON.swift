// An error as a member of JSON: in reports of files, and in answers to records.

import Basics
import PropertyLists

extension ArchiveError {
  /// The error as an object.
  package var tree: JSONTree {
    .problem(("code", code.rawValue), message, offset: offset, path: path)
  }
}
