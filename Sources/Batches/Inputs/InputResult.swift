// Opens an input and processes it, in the same way for all commands.

import Basics
import FileTransactions
import PropertyLists

/// The result of processing an input.
package struct InputResult<Made> {
  /// The outcome of processing.
  package enum Outcome {
    /// The result.
    case made(Made)
    /// It is a file that archtool wrote itself, such as `a plan of archtool`, and not an input.
    case passedOver(String)
    /// It cannot be opened or processed.
    case failed(ArchiveError)
  }

  /// The input; nil if there is none to open.
  package let input: Input?
  /// Its name in messages.
  package let name: String
  /// Its size; nil if it could not be opened.
  package let byteCount: Int?
  /// The outcome.
  package let outcome: Outcome
}

extension InputResult: Sendable where Made: Sendable {}
extension InputResult.Outcome: Sendable where Made: Sendable {}

extension InputSequence.Entry {
  /// Opens the input and processes it.
  ///
  /// An error gets a line and column if the input is text.
  ///
  /// - Parameters:
  ///   - streams: the stream of standard input.
  ///   - make: receives the input and its bytes.
  package func result<Made>(
    _ streams: StandardStreams, _ make: (Input, ByteStorage) throws(ArchiveError) -> Made
  ) -> InputResult<Made> {
    switch self {
    case .failure(let path, let error):
      return InputResult(input: nil, name: path, byteCount: nil, outcome: .failed(error))
    case .input(let input):
      var opened: ByteStorage?
      let outcome: InputResult<Made>.Outcome
      do throws(ArchiveError) {
        let storage = try input.open(streams)
        opened = storage
        // A named folder may contain files that earlier runs wrote.
        if input.folder != nil, let kind = SideFile.kind(of: storage) {
          outcome = .passedOver(kind)
        } else {
          outcome = .made(try make(input, storage))
        }
      } catch {
        outcome = .failed(opened.map { error.located(in: $0.bytes) } ?? error)
      }
      return InputResult(
        input: input, name: input.name, byteCount: opened?.bytes.count, outcome: outcome)
    }
  }
}
