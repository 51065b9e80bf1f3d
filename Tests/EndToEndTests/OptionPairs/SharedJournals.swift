// The journals of all benches, to which links in their one state folder lead.

import Foundation

/// Keeps a run that looks at the journals of all benches apart from those that make and remove them.
enum SharedJournals {
  nonisolated(unsafe) private static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    pthread_rwlock_init(lock, nil)
    return lock
  }()

  /// Does something that may change journals of its own bench.
  ///
  /// - Parameter alone: whether the journals of all benches stay as they are meanwhile.
  static func use<Result>(alone: Bool = false, _ body: () throws -> Result) rethrows -> Result {
    if alone { pthread_rwlock_wrlock(lock) } else { pthread_rwlock_rdlock(lock) }
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }
}
