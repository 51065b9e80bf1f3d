// A lock that the thread which has it may take again.

/// Mutual exclusion between threads whose work calls itself.
package final class RecursiveLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() {
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    _ = pthread_mutexattr_init(&attributes)
    _ = pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    _ = pthread_mutex_init(mutex, &attributes)
    _ = pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    _ = pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs a closure while no other thread has the lock.
  package func locked<Result>(_ body: () -> Result) -> Result {
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    return body()
  }
}
