// Inputs that are only read, on all cores: what is found comes in the order of the inputs.

import Basics
import Batches
import FileTransactions
import PropertyLists

/// What a worker made of an input.
private enum ExaminedInput<Found: Sendable>: Sendable {
  case found(Found)
  /// It is what archtool wrote itself, and no input.
  case passedOver(name: String, kind: String)
}

/// Examines inputs, with the state of one worker.
public struct InputExaminer<Found: Sendable> {
  /// Looks at an input.
  let examine: (Input, ByteStorage) throws(ArchiveError) -> Found
  /// What is made of an input that cannot be opened, or that `examine` gave up.
  let failed: (String, ArchiveError) -> Found

  /// Makes an examiner.
  public init(
    _ examine: @escaping (Input, ByteStorage) throws(ArchiveError) -> Found,
    failed: @escaping (String, ArchiveError) -> Found
  ) {
    self.examine = examine
    self.failed = failed
  }

  fileprivate func result(
    of entry: InputSequence.Entry, _ streams: StandardStreams
  ) -> ExaminedInput<Found> {
    switch entry {
    case .failure(let path, let error): return .found(failed(path, error))
    case .input(let input):
      var opened: ByteStorage?
      do throws(ArchiveError) {
        let storage = try input.open(streams)
        opened = storage
        // A folder that was named may hold what earlier runs wrote.
        if input.folder != nil, let kind = SideFile.kind(of: storage) {
          return .passedOver(name: input.name, kind: kind)
        }
        return .found(try examine(input, storage))
      } catch {
        return .found(failed(input.name, opened.map { error.located(in: $0.bytes) } ?? error))
      }
    }
  }
}

extension Session {
  /// Examines each input, as many at a time as `--jobs` says.
  ///
  /// - Parameters:
  ///   - isEnough: whether the inputs that are left need not be looked at.
  ///   - makeExaminer: makes what examines them, once for each worker and on its thread.
  ///   - take: takes what was found, on the calling thread, in the order of the inputs.
  /// - Throws: `UsageError` for a wrong `--jobs`, or `ArchiveError` if an examiner cannot be made.
  public func examineInputs<Found: Sendable>(
    until isEnough: () -> Bool,
    _ makeExaminer: @escaping @Sendable () throws(ArchiveError) -> InputExaminer<Found>,
    take: (Found) -> Void
  ) throws {
    let inputs = InputSequence(arguments.selection)
    var found = 0
    let pipeline = OrderedPipeline<InputSequence.Entry, ExaminedInput<Found>>(
      workers: try arguments.workerCount)
    try pipeline.run(
      next: { inputs.next().map { .item($0) } ?? .end },
      makeWorker: { [streams] () throws(ArchiveError) in
        let examiner = try makeExaminer()
        return { examiner.result(of: $0, streams) }
      },
      consume: { results in
        for result in results where !isEnough() {
          switch result {
          case .found(let result):
            found += 1
            take(result)
          case .passedOver(let name, let kind): say("\(name): is \(kind); passed over")
          }
        }
        return !isEnough()
      })
    if found == 0 { reportNoInputs() }
  }
}
