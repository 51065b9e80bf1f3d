// The output of a command for one input: written immediately, or in the order of the inputs.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

/// Writes data to standard output and messages to standard error, in the order in which they are created.
///
/// On a worker's thread all of it is stored. A writer is used by one thread at a time.
final class ResultWriter {
  /// A piece of output, which is written through a session; its result is the error of its work.
  typealias Piece = @Sendable (Session) -> ArchiveError?

  /// The session, if everything is written immediately.
  private let session: Session?
  private var kept: [Piece] = []
  /// The first error that was reported; nil if there was none.
  private(set) var error: ArchiveError?
  private(set) var hasDifferences = false
  private var data = OutputBuffer(descriptor: nil)

  /// Makes a writer that stores its output.
  init() { session = nil }

  /// Makes a writer that writes through a session.
  init(_ session: Session) { self.session = session }

  /// Separates the outputs of inputs: an empty line precedes all but the first.
  func begin() {
    put { session in
      if session.hasShownInput { session.output.bytes.append("\n") }
      session.hasShownInput = true
    }
  }

  /// Adds an element to the single list that the command writes.
  func add(_ element: JSONTree) { put { $0.elements.append(element) } }

  /// Adds a JSON element to the single list that the command writes incrementally.
  func add(item: [UInt8]) { put { $0.add(item: item) } }

  func post(_ line: MessageLine) { put { $0.post(line) } }

  func post(_ lines: [MessageLine]) { for line in lines { post(line) } }

  /// Reports an error of a file.
  ///
  /// - Parameter isUnread: whether the file is an input, or an archive in one, that cannot be read.
  func report(_ error: ArchiveError, file: String, isUnread: Bool = false) {
    self.error = self.error ?? error
    put { isUnread ? $0.reportUnread(error, file: file) : $0.report(error, file: file) }
  }

  /// Writes a fact about a file that is no error.
  func note(_ fact: ArchiveError, file: String) { put { $0.note(fact, file: file) } }

  func count(_ results: Int) { put { $0.resultCount += results } }

  func count(_ differences: [Difference.Kind: Int]) {
    hasDifferences = hasDifferences || !differences.isEmpty
    put { $0.differences.merge(differences) { $0 + $1 } }
  }

  /// Does something in the order of the inputs, such as writing a file; an error is reported for a file.
  func inOrder(file: String, _ work: @escaping @Sendable () throws(ArchiveError) -> Void) {
    keep { session in
      do throws(ArchiveError) {
        try work()
        return nil
      } catch {
        session.report(error, file: file)
        return error
      }
    }
  }

  func write<Result, Problem: Error>(
    _ body: (inout OutputBuffer) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    if let session { try body(&session.output) } else { try body(&data) }
  }

  private func put(_ piece: @escaping @Sendable (Session) -> Void) {
    keep {
      piece($0)
      return nil
    }
  }

  private func keep(_ piece: @escaping Piece) {
    if let session {
      error = piece(session) ?? error
    } else {
      flush()
      kept.append(piece)
    }
  }

  private func flush() {
    if data.bytes.count == 0 { return }
    let bytes = data.bytes.array
    kept.append { session in
      bytes.withByteView { session.output.bytes.append($0) }
      session.output.flushIfFull()
      return nil
    }
    data = OutputBuffer(descriptor: nil)
  }

  func pieces() -> [Piece] {
    flush()
    return kept
  }
}

/// The result of a worker for an input that is shown.
private enum ShownInput: Sendable {
  /// The output, and the error.
  case pieces([ResultWriter.Piece], ArchiveError?)
  /// The input is shown in its turn, and its output is never held in memory as a whole.
  case later(OpenInput)
}

extension Session {
  /// Shows an input or an archive in it.
  typealias Presenter = (Input, ByteStorage, ResultWriter) throws(ArchiveError) -> Void

  /// The size from which an input is shown on the calling thread.
  private static var largeInput: Int { 1 << 22 }

  /// Shows each input, or the archives in it, in the order of the inputs, on the number of threads in `--jobs`.
  ///
  /// - Parameters:
  ///   - selection: the inputs; nil for those of the command line.
  ///   - path: the path of the archives in the inputs; nil for the inputs themselves.
  ///   - makePresenter: makes the presenter, once for each worker and on its thread.
  /// - Throws: `UsageError` for an invalid `--jobs`, or `ArchiveError` if a presenter cannot be made.
  func showInputs(
    _ selection: InputSelection? = nil, at path: DataPath?,
    _ makePresenter: @escaping @Sendable () throws(ArchiveError) -> Presenter
  ) throws {
    if ![.output, .resultFolder, .report].contains(where: arguments.has) {
      streams.sources.ignore()
    }
    let own = try makePresenter()
    let runner = try BatchRunner<ShownInput>(self, selection ?? arguments.selection, .ofReading)
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
      handle: { result in
        let error: ArchiveError?
        switch result.outcome {
        case .passedOver, .foreign: return []
        case .failed(let failure):
          reportUnread(failure, file: result.name)
          error = failure
        case .made(.pieces(let pieces, let failure)):
          error = pieces.reduce(failure) { $1(self) ?? $0 }
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
  /// Shows an input, or each of the archives in it, and reports errors.
  fileprivate func show(_ opened: OpenInput, at path: DataPath?, _ present: Session.Presenter) {
    do throws(ArchiveError) {
      try opened.input.forEachArchive(
        at: path, in: opened.storage,
        { (input, storage) throws(ArchiveError) in try present(input, storage, self) },
        failed: { report($1, file: $0.name, isUnread: true) })
    } catch {
      let located = error.naming(opened.storage).located(in: opened.storage.bytes)
      report(located, file: opened.input.name, isUnread: true)
    }
  }
}

extension Session {
  /// Adds an element to a JSON list that is written incrementally.
  func add(item: [UInt8]) {
    output.bytes.append(hasShownInput ? ",\n  " : "[\n  ")
    hasShownInput = true
    item.withByteView { output.bytes.append($0) }
    output.flushIfFull()
  }

  /// Ends the JSON list that was written incrementally.
  func endItems() { output.bytes.append(hasShownInput ? "\n]\n" : "[]\n") }
}

// MARK: - Values that searches find, as they are written

extension ResultWriter {
  /// Reads an input under `--recover`; its warnings and losses are reported.
  ///
  /// - Parameter showsOffsets: whether results have offsets.
  func read(
    _ input: Input, _ storage: ByteStorage, _ arguments: ParsedArguments, showsOffsets: Bool = false
  ) throws(ArchiveError) -> ObjectGraph {
    let graph = try arguments.reader(recovering: arguments.has(.recover)).read(storage)
    post(
      Session.messages(
        of: graph, input, storage, showsOffsets: showsOffsets || !graph.losses.isEmpty))
    for loss in graph.losses { report(loss, file: input.name) }
    return graph
  }
}

/// An object in JSON on a line, member by member.
struct JSONLine: ~Copyable {
  private var output = OutputBuffer(descriptor: nil)
  /// Whether the members, without white space, become those of another object.
  private let isPart: Bool

  init(isPart: Bool = false) { self.isPart = isPart }

  /// The members so far.
  consuming func intoStorage() -> ByteStorage { output.intoBytes().intoStorage() }

  /// Ends the object.
  ///
  /// - Returns: the object, without the end of the line.
  mutating func end() -> [UInt8] {
    output.bytes.append("}")
    return output.bytes.array
  }

  /// Ends the object, and adds its line to an output.
  mutating func end(to other: inout ByteBuffer) {
    output.bytes.append("}\n")
    other.append(output.bytes)
  }

  mutating func add(_ name: String, _ value: JSONTree) {
    begin(name)
    value.append(to: &output.bytes)
  }

  /// Adds a text, or null.
  mutating func add(_ name: String, _ text: String?) {
    add(name, text.map { .string($0) } ?? .null)
  }

  /// Adds a value that is written with the end of its line; nothing if that fails.
  mutating func add(
    _ name: String, _ write: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let start = output.bytes.count
    begin(name)
    do throws(ArchiveError) {
      try write(&output)
    } catch {
      output.bytes.truncate(to: start)
      throw error
    }
    output.bytes.truncate(to: output.bytes.count - 1)
  }

  mutating func add(
    _ name: String, _ node: Node, of graph: ObjectGraph, form: TypedForm? = nil,
    reference: ((Node) -> String?)? = nil
  ) throws(ArchiveError) {
    try add(name) { (output) throws(ArchiveError) in
      let options = JSONWriter.Options(form, isCompact: true)
      try JSONWriter.write(node, of: graph, options: options, to: &output, reference: reference)
    }
  }

  private mutating func begin(_ name: String) {
    let isFirst = output.bytes.count == 0
    if isPart {
      output.bytes.append(isFirst ? "\"\(name)\":" : ",\"\(name)\":")
    } else {
      output.bytes.append(isFirst ? "{\"\(name)\": " : ", \"\(name)\": ")
    }
  }
}

extension JSONLine {
  /// A result: `{"file": …, "path": …, "value": …}`, without the file if it is nil.
  static func result(
    _ node: Node, at path: GraphPath, in graph: ObjectGraph, file: String?, form: TypedForm?
  ) throws(ArchiveError) -> [UInt8] {
    var line = JSONLine()
    if let file { line.add("file", file.shownPath) }
    line.add("path", path.normalized)
    try line.add("value", node, of: graph, form: form)
    return line.end()
  }
}

/// A value for shell scripts: characters, digits or bytes, without quotes.
enum RawValue {
  /// Writes a value and, but for data, the end of the line.
  ///
  /// A date is in RFC 3339, a container in JSON on a line.
  ///
  /// - Parameters:
  ///   - isLine: whether data is a line in Base64, not its bytes.
  ///   - isTerminal: whether a terminal shows it, which must not obey what the string of a file says.
  ///   - zone: the time zone of a date.
  ///   - style: whether a container is colored.
  static func write(
    _ node: Node, of graph: ObjectGraph, isLine: Bool = false, isTerminal: Bool = false,
    zone: DateZone = .utc, style: TerminalStyle = .plain, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    switch graph.value(of: node) {
    case .string(let text) where isTerminal: output.bytes.append(escaped(text.string))
    case .string(let text): output.bytes.append(text.string)
    case .data(let bytes) where !isLine: return output.bytes.append(bytes)
    case .data(let bytes): Base64.encode(bytes, to: &output.bytes)
    case .date(let seconds): output.bytes.append(JSONText.date(seconds, in: zone))
    case .integer(let number): output.bytes.append("\(number)")
    case .wide(let number): output.bytes.append("\(number)")
    case .unsigned(let number), .uid(let number): output.bytes.append("\(number)")
    case .boolean(let flag): output.bytes.append(flag ? "true" : "false")
    case .null: output.bytes.append("null")
    case .real(let number): output.bytes.append(text(number, number.description))
    case .single(let number): output.bytes.append(text(Double(number), number.description))
    case .array, .set, .orderedSet, .dictionary, .object:
      let options = JSONWriter.Options(isCompact: true)
      guard style.isOn else {
        return try JSONWriter.write(node, of: graph, options: options, to: &output)
      }
      var plain = OutputBuffer(descriptor: nil)
      try JSONWriter.write(node, of: graph, options: options, to: &plain)
      var painter = JSONPainter()
      return painter.paint(plain.bytes.bytes, to: &output.bytes)
    }
    output.bytes.append("\n")
  }

  /// A string of several lines stays one.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).escapedForTerminal }.joined(separator: "\n")
  }

  /// A real as JSON has it: `1.5`, `64` or `NaN`.
  private static func text(_ number: Double, _ digits: String) -> String {
    guard number.isFinite else { return JSONText.name(ofNonFinite: number) }
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }
}
