// A lock with two condition variables.

/// Mutual exclusion between threads that hand work to each other, or whose work calls itself.
@usableFromInline package final class ConditionLock: @unchecked Sendable {
  /// The condition that a thread waits for.
  @usableFromInline package enum Condition: Int {
    /// There is work, or there will be no more.
    case work
    /// There may be a result, or room for more work.
    case result
  }

  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let conditions = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 2)

  /// Makes a lock.
  ///
  /// - Parameter isRecursive: whether the thread that has it may take it again.
  @usableFromInline package init(isRecursive: Bool = false) {
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    _ = pthread_mutexattr_init(&attributes)
    if isRecursive { _ = pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE)) }
    _ = pthread_mutex_init(mutex, &attributes)
    _ = pthread_mutexattr_destroy(&attributes)
    conditions.initialize(repeating: pthread_cond_t(), count: 2)
    for index in 0..<2 { _ = pthread_cond_init(conditions + index, nil) }
  }

  deinit {
    for index in 0..<2 { _ = pthread_cond_destroy(conditions + index) }
    _ = pthread_mutex_destroy(mutex)
    conditions.deallocate()
    mutex.deallocate()
  }

  /// Runs a closure while the monitor is locked.
  @inlinable package func locked<Result>(_ body: () -> Result) -> Result {
    _ = pthread_mutex_lock(mutex)
    defer { _ = pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits with the monitor unlocked; the caller must check its condition again.
  @usableFromInline package func wait(for condition: Condition) {
    _ = pthread_cond_wait(conditions + condition.rawValue, mutex)
  }

  /// Waits for at most some milliseconds.
  @usableFromInline package func wait(for condition: Condition, milliseconds: Int) {
    var end = timespec()
    _ = clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + milliseconds * 1_000_000
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    _ = pthread_cond_timedwait(conditions + condition.rawValue, mutex, &end)
  }

  /// Wakes one thread.
  @usableFromInline package func signal(_ condition: Condition) {
    _ = pthread_cond_signal(conditions + condition.rawValue)
  }

  /// Wakes all threads.
  @usableFromInline package func signalAll(_ condition: Condition) {
    _ = pthread_cond_broadcast(conditions + condition.rawValue)
  }
}
