// Waiting until a descriptor can be read without blocking.

import Synchronization

/// The descriptor that becomes readable when the program should stop; -1 if there is none.
private let bell = Atomic<Int32>(-1)

/// Whether descriptors have something to read, or have ended.
public enum DescriptorPoll {
  /// Ends waits for input when a descriptor becomes readable: a signal has asked the program to stop.
  package static func heed(_ descriptor: Int32) { bell.store(descriptor, ordering: .relaxed) }

  /// Whether a signal has asked the program to stop.
  ///
  /// - Parameter milliseconds: how long to wait for one.
  package static func isAskedToStop(within milliseconds: Int32 = 0) -> Bool {
    wait(for: [bell.load(ordering: .relaxed)], milliseconds: milliseconds)
  }

  /// Waits for input from a pipe, as long as it takes.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if the program is asked to stop, or the system fails.
  static func waitForInput(_ descriptor: Int32) throws(ArchiveError) {
    let stop = bell.load(ordering: .relaxed)
    while true {
      // One that is -1 is left out.
      var entries = [descriptor, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&entries, nfds_t(entries.count), -1) < 0 {
        if errno == EINTR { continue }
        throw ArchiveError(.inputOutput, "cannot wait for the pipe: \(systemMessage())")
      }
      if entries[1].revents != 0 {
        throw ArchiveError(.inputOutput, "a signal came while archtool waited for the pipe")
      }
      if entries[0].revents != 0 { return }
    }
  }

  /// Waits until one of the descriptors can be read, or a signal comes.
  ///
  /// - Parameter milliseconds: how long to wait at most; -1 for as long as it takes.
  /// - Returns: whether one can be read.
  @discardableResult
  @usableFromInline
  package static func wait(for descriptors: [Int32], milliseconds: Int32 = -1) -> Bool {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&entries, nfds_t(entries.count), milliseconds) > 0
  }
}
