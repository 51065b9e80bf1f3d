// Archives in lines of JSON, answered in lines of JSON, in the same order.

import ArchiveBasics
import ArchivePropertyLists

/// A stream of records: `{"id": …, "data": "<Base64>"}`, one per line (NDJSON), in one file or several.
///
/// Each gets an answer with the same `id`, an `outcome`, and its further members unchanged. The answer to an invalid
/// line, such as a blank one, has an `error` and its number as `line`. Answers are written out whenever there is
/// nothing to read, so that a peer may wait for each.
package struct RecordStream {
  /// The longest line in bytes.
  package static let longestLine = 1 << 30
  /// How many bytes of lines are processed at a time, unless one line is longer.
  private static let load = 1 << 28

  /// The result of processing a stream.
  package struct Result: Hashable, Sendable {
    /// How many records were answered.
    package var count = 0
    /// How many of them are invalid.
    package var badCount = 0
    /// How many results the answers have.
    package var resultCount = 0
  }

  /// A file with records, or a descriptor that they are read from.
  package enum Source: Sendable {
    /// A file, which is opened in its turn.
    case file(String)
    /// An open descriptor, which stays the caller's.
    case descriptor(Int32)
    /// What cannot be read, by its name.
    case unavailable(String, ArchiveError)
  }

  private let pipeline: OrderedPipeline<RecordItem, AnsweredRecord>
  private let format: RecordFormat
  private let sources: [Source]
  private let output: Int32
  private let painter: JSONPainter?
  private let isStopped: () -> Bool
  private let wakers: [Int32]

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - workers: the number of threads that answer.
  ///   - format: how records are written.
  ///   - sources: what records are read from, one after another.
  ///   - output: the descriptor that answers are written to.
  ///   - painter: colors the answers; nil to write them as they are.
  ///   - wakers: descriptors that become readable when the stream may have to stop.
  ///   - isStopped: whether the stream should stop; records in progress are still answered.
  package init(
    workers: Int, format: RecordFormat = RecordFormat(),
    sources: [Source] = [.descriptor(STDIN_FILENO)], output: Int32 = STDOUT_FILENO,
    painter: JSONPainter? = nil, wakers: [Int32] = [], isStopped: @escaping () -> Bool = { false }
  ) {
    pipeline = OrderedPipeline(workers: workers, load: Self.load)
    self.format = format
    self.sources = sources
    self.output = output
    self.painter = painter
    self.wakers = wakers
    self.isStopped = isStopped
  }

  /// Answers all records.
  ///
  /// - Parameters:
  ///   - makeHandling: makes the handler of records, once for each worker and on its thread.
  ///   - unread: called with a file that cannot be opened, or not be read to its end; the others are still read.
  /// - Throws: `ArchiveError` with code `inputOutput` if a descriptor cannot be read or the answers cannot be written, or
  ///   the error of `makeHandling`.
  package func run(
    _ makeHandling: @escaping @Sendable () throws(ArchiveError) -> any RecordHandling,
    unread: (ArchiveError, String) -> Void = { _, _ in }
  ) throws(ArchiveError) -> Result {
    FreedMemory.keep()
    let format = format
    let namesFile = sources.count > 1
    var lines = SourceLines(sources, limit: Self.longestLine) { (path) throws(ArchiveError) in
      guard !FolderListing.isFolder(path) else {
        throw ArchiveError(.cannotOpen, "is a folder; records are lines of a file")
      }
      return try OpenFile(path).orSystemError(.cannotOpen, "cannot open the file")
    }
    var output = OutputBuffer(descriptor: output)
    output.painter = painter
    var result = Result()
    var problem: ArchiveError?
    do throws(ArchiveError) {
      try pipeline.run(
        next: { () throws(ArchiveError) in
          while !isStopped() {
            do throws(ArchiveError) {
              let next = try lines.next(waits: false)
              let location = RecordLocation(
                line: lines.number, file: namesFile ? lines.name ?? "<stdin>" : nil)
              switch next {
              case .line(let storage): return .item(.line(storage, location))
              case .tooLong: return .item(.tooLong(location))
              case .end: return .end
              case .nothingYet:
                output.flush()
                return .later([lines.descriptor] + wakers)
              }
            } catch {
              guard let name = lines.name else { throw error }
              unread(error, name)
            }
          }
          return .stop
        },
        weight: \.weight,
        makeWorker: { () throws(ArchiveError) in
          var handling = try makeHandling()
          return { RecordWorker.answer($0, format, by: &handling) }
        },
        consume: { answers in
          result.count += answers.count
          result.badCount += answers.count { !$0.isGood }
          result.resultCount += answers.reduce(0) { $0 + $1.resultCount }
          for answer in answers {
            output.bytes.append(answer.line.bytes)
            output.flushIfFull()
          }
          // Nothing more is read if there is no reader.
          return !output.hasProblem
        })
    } catch {
      problem = error
    }
    try output.finish()
    if let problem { throw problem }
    return result
  }
}

// MARK: - The files of a stream, one after another

struct RecordLocation: Sendable {
  /// The number of its line.
  let line: Int
  /// The name of its file, if there are several.
  let file: String?
}

/// Reads the lines of several files, each of which is opened in its turn.
struct SourceLines: ~Copyable {
  private var rest: ArraySlice<RecordStream.Source>
  private let delimiter: UInt8
  private let limit: Int
  private let open: (String) throws(ArchiveError) -> OpenFile
  private var lines: LineReader?
  private var file: OpenFile?
  /// The name of the current file; nil for a descriptor.
  private(set) var name: String?
  /// The number of the last line in its file.
  private(set) var number = 0
  /// What becomes readable once there is more.
  private(set) var descriptor: Int32 = -1

  init(
    _ sources: [RecordStream.Source], delimiter: UInt8 = UInt8(ascii: "\n"), limit: Int,
    open: @escaping (String) throws(ArchiveError) -> OpenFile
  ) {
    rest = sources[...]
    (self.delimiter, self.limit, self.open) = (delimiter, limit, open)
  }

  /// The next line; without waiting only if there is one already.
  ///
  /// - Throws: `ArchiveError` if a source cannot be opened or read; the one after it is next.
  mutating func next(waits: Bool) throws(ArchiveError) -> LineReader.Line {
    do throws(ArchiveError) {
      while true {
        if lines == nil, try !openNext() { return .end }
        switch try lines?.next(waits: waits) ?? .end {
        case .end:
          lines = nil
          file = nil
        case .nothingYet: return .nothingYet
        case let line:
          number += 1
          return line
        }
      }
    } catch {
      lines = nil
      file = nil
      throw error
    }
  }

  /// Opens the next source; false if there is none.
  private mutating func openNext() throws(ArchiveError) -> Bool {
    guard let source = rest.popFirst() else { return false }
    number = 0
    switch source {
    case .descriptor(let descriptor): (name, self.descriptor) = (nil, descriptor)
    case .file(let path):
      name = path
      let opened = try open(path)
      (file, descriptor) = (opened, opened.descriptor)
    case .unavailable(let source, let error):
      name = source
      throw error
    }
    lines = LineReader(descriptor: descriptor, delimiter: delimiter, limit: limit)
    return true
  }
}

// MARK: - Handles each record of a stream

/// A record with decoded data.
package struct Record: Sendable {
  /// The archive.
  package let data: ByteStorage
  /// The values that were lost when the archive was made, as JSON, if the record includes them.
  package let lost: ByteStorage?
  /// The record's name in messages.
  package let name: String
}

/// The answer to a record.
package struct RecordAnswer: Sendable {
  /// A value that may be large.
  package enum Part: Sendable {
    /// No value.
    case none
    /// The record's own value.
    case same
    /// These bytes.
    case bytes(ByteStorage)
  }

  /// The outcome of the record, as one word.
  package var outcome: String
  /// Whether the record is valid.
  package var isGood: Bool
  /// The archive in the answer.
  package var data = Part.none
  /// The lost values in the answer, as JSON.
  package var lost = Part.same
  /// Members of the answer as JSON, such as `"value":1`.
  package var content: ByteStorage?
  /// How many results the answer has.
  package var resultCount = 0
  /// Further members of the answer.
  package var members: [(name: String, value: JSONTree)]

  /// Makes an answer.
  package init(_ outcome: String, isGood: Bool, members: [(name: String, value: JSONTree)] = []) {
    self.outcome = outcome
    self.isGood = isGood
    self.members = members
  }

  /// The answer to a record that could not be handled.
  package init(_ error: ArchiveError) {
    self.init("failed", isGood: false, members: [("error", error.tree)])
  }
}

/// Answers records, one at a time.
package protocol RecordHandling {
  /// Answers a record.
  mutating func answer(_ record: Record) -> RecordAnswer
}
