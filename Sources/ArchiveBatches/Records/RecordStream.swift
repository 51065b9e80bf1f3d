// Archives in lines of JSON, answered in lines of JSON, in the same order.

import ArchiveBasics
import ArchivePropertyLists

/// A stream of records: `{"id": …, "data": "<Base64>"}`, one per line (NDJSON).
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
  }

  private let pipeline: OrderedPipeline<RecordItem, AnsweredRecord>
  private let input: Int32
  private let output: Int32
  private let isStopped: () -> Bool
  private let wakers: [Int32]

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - workers: the number of threads that answer.
  ///   - input: the descriptor that records are read from.
  ///   - output: the descriptor that answers are written to.
  ///   - wakers: descriptors that become readable when the stream may have to stop.
  ///   - isStopped: whether the stream should stop; records in progress are still answered.
  package init(
    workers: Int, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    wakers: [Int32] = [], isStopped: @escaping () -> Bool = { false }
  ) {
    pipeline = OrderedPipeline(workers: workers, load: Self.load)
    self.input = input
    self.output = output
    self.wakers = wakers
    self.isStopped = isStopped
  }

  /// Answers all records.
  ///
  /// - Parameter makeHandling: makes the handler of records, once for each worker and on its thread.
  /// - Throws: `ArchiveError` with code `inputOutput` if the stream cannot be read or the answers cannot be written, or
  ///   the error of `makeHandling`.
  package func run(
    _ makeHandling: @escaping @Sendable () throws(ArchiveError) -> any RecordHandling
  ) throws(ArchiveError) -> Result {
    FreedMemory.keep()
    var lines = LineReader(descriptor: input, limit: Self.longestLine)
    var output = OutputBuffer(descriptor: output)
    var result = Result()
    var problem: ArchiveError?
    do throws(ArchiveError) {
      try pipeline.run(
        next: { () throws(ArchiveError) in
          if isStopped() { return .stop }
          switch try lines.next(waits: false) {
          case .line(let storage): return .item(.line(storage, lines.number))
          case .tooLong: return .item(.tooLong(lines.number))
          case .end: return .end
          case .nothingYet:
            output.flush()
            return .later([lines.descriptor] + wakers)
          }
        },
        weight: \.weight,
        makeWorker: { () throws(ArchiveError) in
          var handling = try makeHandling()
          return { RecordWorker.answer($0, by: &handling) }
        },
        consume: { answers in
          result.count += answers.count
          result.badCount += answers.count { !$0.isGood }
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
