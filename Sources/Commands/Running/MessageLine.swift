// A message that is made where a file is read, and written when its turn comes.

import CommandLineInterface

/// A line on standard error.
enum MessageLine: Sendable {
  case error(String)
  case warning(String)
  /// What was asked for: excerpts.
  case shown(String)
  /// What nobody need know.
  case note(String)
}

extension Session {
  /// Says a line.
  func tell(_ line: MessageLine) {
    switch line {
    case .error(let text): complain(text)
    case .warning(let text): warn(text)
    case .shown(let text): show(text)
    case .note(let text): say(text)
    }
  }
}
