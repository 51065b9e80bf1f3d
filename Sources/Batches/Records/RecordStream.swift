// Archives that come in lines of JSON and are answered in lines of JSON, in their order.

import Basics

/// A stream of records: `{"id": …, "data": "<Base64>"}`, one a line (NDJSON).
///
/// Each gets an answer with the same `id`, an `outcome`, and its further members as they are. A line that is no record
/// gets one with an `error` and its number as `line`; empty lines get none. Answers are written out whenever there is
/// nothing to read, so that a peer may wait for each.
public struct RecordStream {
  /// How many bytes a line may have.
  public static let longestLine = 1 << 30
  /// How many bytes of lines are worked on at a time, unless one line has more.
  private static let load = 1 << 28

  /// What came of a stream.
  public struct Result: Hashable, Sendable {
    /// How many records were answered.
    public var count = 0
    /// How many of them are not what they should be.
    public var badCount = 0
  }

  private let pipeline: OrderedPipeline<RecordItem, AnsweredRecord>
  private let input: Int32
  private let output: Int32
  private let isStopped: () -> Bool
  private let wakers: [Int32]

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - workers: how many threads answer.
  ///   - input: the descriptor that records are read from.
  ///   - output: the descriptor that answers are written to.
  ///   - wakers: descriptors that can be read once it may be that the stream shall stop.
  ///   - isStopped: whether the stream shall stop; what was begun is answered.
  public init(
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
  /// - Parameter makeHandling: makes what answers records, once for each worker and on its thread.
  /// - Throws: `ArchiveError` with code `inputOutput` if the stream cannot be read or the answers not be written, or what
  ///   `makeHandling` throws.
  public func run(
    _ makeHandling: @escaping @Sendable () throws(ArchiveError) -> any RecordHandling
  ) throws(ArchiveError) -> Result {
    let transport = Transport(input: input, output: output)
    var result = Result()
    var problem: ArchiveError?
    do throws(ArchiveError) {
      try pipeline.run(
        next: { () throws(ArchiveError) in
          isStopped() ? .stop : try transport.next(besides: wakers)
        },
        weight: \.weight,
        makeWorker: { () throws(ArchiveError) in
          let worker = RecordWorker(try makeHandling())
          return { worker.answer($0) }
        },
        consume: { answers in
          result.count += answers.count
          result.badCount += answers.count { !$0.isGood }
          return transport.write(answers)
        })
    } catch {
      problem = error
    }
    try transport.finish()
    if let problem { throw problem }
    return result
  }
}

/// The two ends of a stream, on the calling thread.
private final class Transport {
  private var lines: LineReader
  private var output: OutputBuffer

  init(input: Int32, output: Int32) {
    lines = LineReader(descriptor: input, limit: RecordStream.longestLine)
    self.output = OutputBuffer(descriptor: output)
  }

  /// The next line that is not empty.
  func next(
    besides wakers: [Int32]
  ) throws(ArchiveError) -> OrderedPipeline<RecordItem, AnsweredRecord>.Supply {
    while true {
      switch try lines.next(waits: false) {
      case .line(let storage):
        if storage.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        return .item(.line(storage, lines.number))
      case .tooLong: return .item(.tooLong(lines.number))
      case .end: return .end
      case .nothingYet:
        output.flush()
        return .later([lines.descriptor] + wakers)
      }
    }
  }

  /// Writes answers; false if nobody reads them.
  func write(_ answers: [AnsweredRecord]) -> Bool {
    for answer in answers {
      output.bytes.append(answer.line.bytes)
      output.flushIfFull()
    }
    return !output.hasProblem
  }

  func finish() throws(ArchiveError) { try output.finish() }
}
