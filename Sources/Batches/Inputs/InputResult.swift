// Where an input is opened, and what is made of it: the one place for all commands.

import Basics
import FileTransactions
import PropertyLists

/// What was made of an input.
public struct InputResult<Made> {
  /// How it went.
  public enum Outcome {
    /// This was made of it.
    case made(Made)
    /// It is what archtool wrote itself, such as `a plan of archtool`, and no input.
    case passedOver(String)
    /// It cannot be opened, or nothing can be made of it.
    case failed(ArchiveError)
  }

  /// The input; nil if there is none to open.
  public let input: Input?
  /// Its name in messages.
  public let name: String
  /// Its size; nil if it could not be opened.
  public let byteCount: Int?
  /// How it went.
  public let outcome: Outcome
}

extension InputResult: Sendable where Made: Sendable {}
extension InputResult.Outcome: Sendable where Made: Sendable {}

extension InputSequence.Entry {
  /// Opens the input and makes something of it.
  ///
  /// An error has its line and column, where the input is a text.
  ///
  /// - Parameters:
  ///   - streams: where standard input is.
  ///   - make: gets the input and its bytes.
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
        // A folder that was named may hold what earlier runs wrote.
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
