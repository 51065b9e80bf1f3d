// Waiting until a descriptor can be read without blocking.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether descriptors have something to read, or have ended.
public enum Readiness {
  /// Waits until one of the descriptors can be read, or a signal comes.
  ///
  /// - Parameter milliseconds: how long to wait at most; -1 for as long as it takes.
  /// - Returns: whether one can be read.
  @discardableResult
  public static func wait(for descriptors: [Int32], milliseconds: Int32 = -1) -> Bool {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&entries, nfds_t(entries.count), milliseconds) > 0
  }
}
