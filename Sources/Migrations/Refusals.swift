// Errors that are refusals: the archive can be decoded, but the requested result cannot be made from it.

import Basics

extension ArchiveError {
  /// Why a decoded archive is refused; nil for an error that does not concern its values.
  var refusal: String? {
    guard isRefusal || file == nil && code == .cycle else { return nil }
    return message + (path.map { " (at \($0))" } ?? "")
  }
}
