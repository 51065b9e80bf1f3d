// Time that only goes forward.

/// Measures elapsed time, independent of changes to the calendar.
public enum MonotonicClock {
  /// Seconds from some moment on.
  public static var seconds: Double {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
