// A violation as it is written on standard error.

import Basics
import Schemas

extension Violation {
  /// `FILE:OFFSET: error: MESSAGE (at PATH)`.
  func line(file: String) -> String {
    ArchiveError(.malformed, message, offset: offset, path: path).at(position: position)
      .line(file: file)
  }
}
