// Questions to the person at a terminal.

import Basics
import Batches

extension Session {
  /// Asks a question, if a person can answer it: both standard input and standard error are terminals.
  ///
  /// - Returns: the answer without its line end and blanks, in small letters; nil without a person, and at the end of the input.
  func ask(_ question: String) -> String? {
    guard isatty(streams.input) == 1, isatty(streams.error) == 1 else { return nil }
    progress?.erase()
    output.flush()
    streams.write(error: question.escapedLine + " ")
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while retryingInterrupts({ read(streams.input, &byte, 1) }) == 1 {
      if byte == UInt8(ascii: "\n") {
        return String(decoding: answer.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
      }
      // Nobody types a longer answer.
      if answer.count < 100 { answer.append(byte) }
    }
    return nil
  }
}
