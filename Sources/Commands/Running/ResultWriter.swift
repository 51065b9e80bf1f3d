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
  /// The first error that was reported; nil if all is well.
  private(set) var error: ArchiveError?
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
  func report(_ error: ArchiveError, file: String) {
    self.error = self.error ?? error
    put(.error(error, file: file))
  }

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
  /// What is written, and what is wrong.
  case pieces([ResultWriter.Piece], ArchiveError?)
  /// It is shown when its turn comes, and never as a whole in memory.
  case later(OpenInput)
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
    let own = try makePresenter()
    let runner = try BatchRunner<ShownInput>(self, arguments.selection, BatchOutcome.ofReading)
    let isSerial = runner.workers == 1
    try runner.run(
      { () throws(ArchiveError) in
        if isSerial { return { .later(OpenInput(input: $0, storage: $1)) } }
        let present = try makePresenter()
        return { (input, storage) in
          let opened = OpenInput(input: input, storage: storage)
          if storage.bytes.count >= Self.largeInput { return .later(opened) }
          let writer = ResultWriter()
          writer.show(opened, at: path, present)
          return .pieces(writer.pieces(), writer.error)
        }
      },
      take: { result in
        let error: ArchiveError?
        switch result.outcome {
        case .passedOver: return []
        case .failed(let failure):
          report(failure, file: result.name)
          error = failure
        case .made(.pieces(let pieces, let failure)):
          for piece in pieces { put(piece) }
          error = failure
        case .made(.later(let opened)):
          let writer = ResultWriter(self)
          writer.show(opened, at: path, own)
          error = writer.error
        }
        if let error { return [BatchEntry(failed: error, result, "not shown, or not as a whole")] }
        return [
          BatchEntry(file: result.name, outcome: .shown, summary: "shown", bytes: result.byteCount)
        ]
      })
  }
}

extension ResultWriter {
  /// Shows an input, or each of the archives in it; what is wrong with it is reported.
  fileprivate func show(_ opened: OpenInput, at path: DataPath?, _ present: Session.Presenter) {
    do throws(ArchiveError) {
      try opened.input.forEachArchive(
        at: path, in: opened.storage,
        { (input, storage) throws(ArchiveError) in try present(input, storage, self) },
        failed: { report($1, file: $0.name) })
    } catch {
      report(error.located(in: opened.storage.bytes), file: opened.input.name)
    }
  }
}

extension Session {
  /// Ends the list in JSON that grew with its elements.
  func endItems() { output.bytes.append(hasShownInput ? "\n]\n" : "[]\n") }
}
