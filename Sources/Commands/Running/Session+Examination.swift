// Inputs that are only read, on all cores: what is found comes in the order of the inputs.

import Basics
import Batches
import CommandLineInterface

extension Session {
  /// Makes something of an input, with the state of one worker.
  public typealias Examiner<Found> = (Input, ByteStorage) throws(ArchiveError) -> Found

  /// Examines each input, as many at a time as `--jobs` says.
  ///
  /// - Parameters:
  ///   - isEnough: whether the inputs that are left need not be looked at.
  ///   - makeExaminer: makes what examines them, once for each worker and on its thread.
  ///   - failed: is told on the calling thread of an input that cannot be opened, or that the examiner gave up.
  ///   - take: takes what was found, on the calling thread, in the order of the inputs.
  /// - Throws: `UsageError` for a wrong `--jobs`, or `ArchiveError` if an examiner cannot be made.
  public func examineInputs<Found: Sendable>(
    until isEnough: () -> Bool = { false },
    _ makeExaminer: @escaping @Sendable () throws(ArchiveError) -> Examiner<Found>,
    failed: (String, ArchiveError) -> Void, take: (Found) -> Void
  ) throws {
    let inputs = InputSequence(arguments.selection)
    var found = 0
    let pipeline = OrderedPipeline<InputSequence.Entry, InputResult<Found>>(
      workers: try arguments.workerCount)
    try pipeline.run(
      next: { inputs.next().map { .item($0) } ?? .end },
      makeWorker: { [streams] () throws(ArchiveError) in
        let examine = try makeExaminer()
        return { $0.result(streams, examine) }
      },
      consume: { results in
        for result in results where !isEnough() {
          if case .passedOver(let kind) = result.outcome {
            say("\(result.name): is \(kind); passed over")
            continue
          }
          found += 1
          switch result.outcome {
          case .made(let made): take(made)
          case .failed(let error): failed(result.name, error)
          case .passedOver: break
          }
        }
        return !isEnough()
      })
    if found == 0 { reportNoInputs() }
  }
}
