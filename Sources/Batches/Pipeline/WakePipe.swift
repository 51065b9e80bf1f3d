// A pipe with which a thread, or a signal handler, wakes a thread that waits for descriptors.

import Basics

/// A pipe that becomes readable on request.
@usableFromInline
final class WakePipe: Sendable {
  /// The end to wait for.
  @usableFromInline let readEnd: Int32
  /// The end to write to.
  let writeEnd: Int32

  /// Makes a pipe; nil if the process cannot open more files.
  @usableFromInline
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // The writer never blocks, and a pipe that is already readable needs no second byte.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    _ = close(readEnd)
    _ = close(writeEnd)
  }

  /// Makes the read end readable.
  @usableFromInline
  func ring() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Makes the read end unreadable again.
  @usableFromInline
  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(readEnd, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}
