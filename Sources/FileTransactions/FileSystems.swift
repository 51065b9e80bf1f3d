// The file systems that a run writes to, made durable as a whole.

import Basics
import CFileSystem
import Synchronization

/// The file systems with new files on them.
///
/// One `syncfs` for a batch of files costs a fifth of an `fsync` for each. If it is missing, or does not
/// report errors, the files are synchronized one by one.
final class FileSystems: Sendable {
  private let folders = Mutex<[UInt64: FolderHandle]>([:])

  /// Remembers the file system of a folder before anything is written there.
  ///
  /// The kernel reports to a descriptor only the errors since it was opened.
  func add(_ folder: FolderHandle) {
    folders.withLock { folders in
      if folders[folder.identity.device] == nil { folders[folder.identity.device] = folder }
    }
  }

  /// Whether `synchronise` is to be relied on.
  let canSynchronise = FileSystems.reportsErrors

  /// Makes all that was written durable.
  ///
  /// - Returns: an error with code `inputOutput` if that failed anywhere.
  func synchronise() -> ArchiveError? {
    #if os(Linux)
      for folder in folders.withLock({ Array($0.values) })
      where retryingInterrupts({ syncfs(folder.descriptor) }) != 0 {
        return ArchiveError(
          .inputOutput, "cannot save the files in \(folder.path): \(systemMessage())")
      }
    #endif
    return nil
  }

  /// Whether the kernel is Linux 5.8 or later, whose `syncfs` reports what could not be written (syncfs(2)).
  static let reportsErrors: Bool = {
    #if os(Linux)
      var name = utsname()
      guard uname(&name) == 0 else { return false }
      let release = withUnsafeBytes(of: &name.release) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let numbers = release.split(whereSeparator: { !$0.isNumber }).prefix(2).compactMap { Int($0) }
      return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 8)
    #else
      return false
    #endif
  }()
}
