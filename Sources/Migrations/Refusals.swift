// Errors that mean no: the archive is decoded, and what is asked for cannot be made of it.

import Basics

extension ArchiveError {
  /// Why an archive that is decoded is refused; nil for an error that is none of its values.
  var refusal: String? {
    guard isRefusal || file == nil && code == .cycle else { return nil }
    return message + (path.map { " (at \($0))" } ?? "")
  }
}
