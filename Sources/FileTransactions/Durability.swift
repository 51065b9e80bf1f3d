// What makes bytes survive a power failure.

import Basics
import CFileSystem

/// Writes data to the disk.
enum Durability {
  /// Brings a file or folder to its drive.
  ///
  /// On macOS the drive may still hold it in its cache until `flush`.
  static func synchronise(_ descriptor: Int32) -> Bool {
    retryingInterrupts { fsync(descriptor) } == 0
  }

  /// Brings a file to its drive, and the drive's cache to the medium: all that was synchronised before included.
  static func flush(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) != -1 { return true }
    #endif
    return synchronise(descriptor)
  }

  /// Lets the kernel begin to write a file, so that synchronizing takes less time.
  ///
  /// Many files that are begun together and synchronised later cost half of what they cost one by one. Where a whole file
  /// system is synchronised, this would cost more than it saves.
  static func begin(_ descriptor: Int32) {
    #if os(Linux)
      if FileSystems.reportsErrors { return }
      _ = sync_file_range(descriptor, 0, 0, UInt32(ARCHTOOL_SYNC_FILE_RANGE_WRITE))
    #endif
  }
}
