// Streams of records, on standard input and output.

import Basics
import Batches
import CommandLineInterface

extension Session {
  /// Answers the records of standard input; a record that is not good makes the answer no.
  ///
  /// - Parameter makeHandling: makes what answers them, once for each worker and on its thread.
  /// - Throws: `UsageError` for a wrong `--jobs`, or `ArchiveError` if the handling cannot be made.
  public func answerRecords(
    _ makeHandling: @escaping @Sendable () throws(ArchiveError) -> any RecordHandling
  ) throws {
    Interruption.listen()
    let stream = RecordStream(
      workers: try arguments.workerCount, input: streams.input, output: streams.output,
      wakers: Interruption.descriptors,
      isStopped: { Interruption.signal != nil })
    do throws(ArchiveError) {
      let result = try stream.run(makeHandling)
      if result.badCount > 0 { merge(.answerIsNo) }
      tellInterruption(after: Counted.text(result.count, "record"))
    } catch {
      report(error, file: "<stdin>")
    }
  }

  /// Says that a signal ended the run, if one did.
  func tellInterruption(after done: String) {
    guard let signal = Interruption.signal else { return }
    complain("archtool: stopped by signal \(signal) after \(done)")
    merge(ExitStatus(signal: signal))
  }
}

extension ParsedArguments {
  /// How many inputs are worked on at a time.
  ///
  /// - Throws: `UsageError` if `--jobs` is no such number.
  public var workerCount: Int {
    get throws(UsageError) { try integer(of: .jobs) ?? ProcessorCount.available }
  }
}
