// What a command writes of one input: at once, or when the input's turn comes.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import PropertyLists

/// Writes data to standard output and messages to standard error, in the order in which they are made.
///
/// On a worker's thread all of it is kept. One thread at a time uses a writer.
final class ResultWriter {
  /// A piece of what is written.
  enum Piece: Sendable {
    /// What comes is shown: there is an empty line before all but the first.
    case beginning
    /// Data for standard output.
    case data([UInt8])
    /// An element of the one list that the command writes.
    case element(JSONTree)
    /// An element of a list in JSON that is written as it grows.
    case item([UInt8])
    /// A line for standard error.
    case message(MessageLine)
    /// An error of the file.
    case error(ArchiveError, file: String)
  }

  /// The session, where all is written at once.
  private let session: Session?
  private var kept: [Piece] = []
  private var data = OutputBuffer(descriptor: nil)

  /// Keeps what is written.
  init() { session = nil }

  /// Writes through a session.
  init(_ session: Session) { self.session = session }

  /// Separates what is shown of inputs.
  func begin() { put(.beginning) }

  /// Adds an element to the one list that the command writes.
  func add(_ element: JSONTree) { put(.element(element)) }

  /// Adds an element in JSON to the one list that the command writes as it grows.
  func add(item: [UInt8]) { put(.item(item)) }

  /// Writes a message.
  func tell(_ line: MessageLine) { put(.message(line)) }

  /// Writes messages.
  func tell(_ lines: [MessageLine]) { for line in lines { put(.message(line)) } }

  /// Reports an error of a file.
  func report(_ error: ArchiveError, file: String) { put(.error(error, file: file)) }

  /// Writes data to standard output.
  func write<Problem: Error>(
    _ body: (inout OutputBuffer) throws(Problem) -> Void
  ) throws(Problem) {
    if let session { try body(&session.output) } else { try body(&data) }
  }

  private func put(_ piece: Piece) {
    if let session { return session.put(piece) }
    flush()
    kept.append(piece)
  }

  private func flush() {
    if data.bytes.count == 0 { return }
    kept.append(.data(data.bytes.array))
    data = OutputBuffer(descriptor: nil)
  }

  /// What was kept, in order.
  func pieces() -> [Piece] {
    flush()
    return kept
  }
}

extension Session {
  /// Writes a piece of what is shown of an input.
  func put(_ piece: ResultWriter.Piece) {
    switch piece {
    case .beginning:
      if hasShownInput { output.bytes.append("\n") }
      hasShownInput = true
    case .data(let bytes):
      bytes.withUnsafeBytes { output.bytes.append($0) }
      output.flushIfFull()
    case .element(let element): elements.append(element)
    case .item(let bytes):
      output.bytes.append(hasShownInput ? ",\n  " : "[\n  ")
      hasShownInput = true
      bytes.withUnsafeBytes { output.bytes.append($0) }
      output.flushIfFull()
    case .message(let line): tell(line)
    case .error(let error, let file): report(error, file: file)
    }
  }
}

/// What a worker made of an input that is to be shown.
private enum ShownInput: Sendable {
  case pieces([ResultWriter.Piece])
  /// It is large: it is shown when its turn comes, and never as a whole in memory.
  case later(Input, ByteStorage)
}

extension Session {
  /// Shows an input or an archive in it.
  typealias Presenter = (Input, ByteStorage, ResultWriter) throws(ArchiveError) -> Void

  /// The size from which an input is shown on the calling thread.
  private static var largeInput: Int { 1 << 22 }

  /// Shows each input, or the archives in it, on as many threads as `--jobs` says and in the order of the inputs.
  ///
  /// - Parameters:
  ///   - path: where the archives lie in the inputs; nil for the inputs themselves.
  ///   - makePresenter: makes what shows them, once for each worker and on its thread.
  /// - Throws: `UsageError` for a wrong `--jobs`, or `ArchiveError` if a presenter cannot be made.
  func showInputs(
    at path: DataPath?, _ makePresenter: @escaping @Sendable () throws(ArchiveError) -> Presenter
  ) throws {
    let own = Self.presenter(try makePresenter(), at: path)
    let direct = ResultWriter(self)
    if try arguments.workerCount == 1 {
      return forEachInput { (input, storage) throws(ArchiveError) in
        try own(input, storage, direct)
      }
    }
    try examineInputs(
      { () throws(ArchiveError) in
        let present = Self.presenter(try makePresenter(), at: path)
        return { (input, storage) throws(ArchiveError) in
          if storage.bytes.count >= Self.largeInput { return ShownInput.later(input, storage) }
          let writer = ResultWriter()
          do throws(ArchiveError) {
            try present(input, storage, writer)
          } catch {
            writer.report(error.located(in: storage.bytes), file: input.name)
          }
          return .pieces(writer.pieces())
        }
      },
      failed: { report($1, file: $0) },
      take: { shown in
        switch shown {
        case .pieces(let pieces): for piece in pieces { put(piece) }
        case .later(let input, let storage):
          do throws(ArchiveError) {
            try own(input, storage, direct)
          } catch {
            report(error.located(in: storage.bytes), file: input.name)
          }
        }
      })
  }

  /// What shows an input, or each of the archives in it.
  private static func presenter(_ present: @escaping Presenter, at path: DataPath?) -> Presenter {
    guard let path else { return present }
    return { (input, storage, writer) throws(ArchiveError) in
      for part in try EmbeddedArchives(at: path, in: storage).parts {
        let inside = input.within(part.path)
        do throws(ArchiveError) {
          try present(inside, part.storage, writer)
        } catch {
          writer.report(error.located(in: part.storage.bytes), file: inside.name)
        }
      }
    }
  }
}

extension Session {
  /// Ends the list in JSON that grew with its elements.
  func endItems() { output.bytes.append(hasShownInput ? "\n]\n" : "[]\n") }
}
