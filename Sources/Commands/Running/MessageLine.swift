// A message that is created while a file is read, and written in the order of the inputs.

import CommandLineInterface

/// A line on standard error.
enum MessageLine: Sendable {
  case error(String)
  case warning(String)
  /// Requested output: excerpts.
  case shown(String)
  /// A note, which can be suppressed.
  case note(String)
}

extension Session {
  /// Writes a line.
  func post(_ line: MessageLine) {
    switch line {
    case .error(let text): printError(text)
    case .warning(let text): warn(text)
    case .shown(let text): show(text)
    case .note(let text): printNote(text)
    }
  }
}
