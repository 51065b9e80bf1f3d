// The processor time of work: unlike elapsed time, it does not depend on the load of the machine.

import Foundation

/// Measures work in bounds on its effort.
package enum ProcessorTime {
  /// The seconds of processor time that the calling thread spends in a closure.
  package static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now()
    try work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
