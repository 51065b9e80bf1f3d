// A graph that several threads read at a time.

import Basics

/// Asks another interpreter, for one thread at a time: interpreters remember what they found.
private final class LockedInterpreter: ObjectInterpreter {
  let original: ObjectInterpreter
  private let lock: RecursiveLock

  init(_ original: ObjectInterpreter, _ lock: RecursiveLock) {
    self.original = original
    self.lock = lock
  }

  override func value(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> Value {
    lock.locked { original.value(of: index, document: document, in: graph) }
  }

  override func classIndex(
    of index: UInt32, document: UInt32, in graph: ObjectGraph
  ) -> ClassIndex? {
    lock.locked { original.classIndex(of: index, document: document, in: graph) }
  }

  override func summary(of index: UInt32, document: UInt32, in graph: ObjectGraph) -> String? {
    lock.locked { original.summary(of: index, document: document, in: graph) }
  }

  override func origin(of index: UInt32) -> Origin? {
    lock.locked { original.origin(of: index) }
  }
}

extension ObjectGraph {
  /// Lets several threads read values of this graph while a closure runs.
  ///
  /// A walk must have met all of them before: what is read for the first time may add documents and classes. A value
  /// that an archive's interpreter makes is made by one thread at a time.
  package func withSharedReading<Result>(_ body: () throws -> Result) rethrows -> Result {
    let lock = RecursiveLock()
    readingLock = lock
    replaceInterpreters { LockedInterpreter($0, lock) }
    defer {
      replaceInterpreters { ($0 as? LockedInterpreter)?.original ?? $0 }
      readingLock = nil
    }
    return try body()
  }
}
