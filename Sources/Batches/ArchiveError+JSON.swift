// An error as a JSON object, for reports on files and answers to records.

import Basics
import PropertyLists

extension ArchiveError {
  /// The error as a JSON object.
  package var tree: JSONTree {
    .problem(("code", code.rawValue), message, offset: offset, path: path)
  }
}
