// Files and folders that are removed one by one, never a whole tree.

import Basics

/// Removes the files of a store of backups, and counts them.
struct StoreRemoval {
  /// Whether nothing is written.
  let isDryRun: Bool
  /// The size of the files that were removed, or would be.
  private(set) var bytes = 0
  /// What stays, because it is not archtool's or cannot be removed.
  var strangers: [String] = []

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// The names in a folder, in order; none if it cannot be listed.
  func names(in folder: String) -> [String] {
    do throws(ArchiveError) {
      return try FolderListing.names(in: folder).map { String(pathBytes: $0) }
    } catch {
      return []
    }
  }

  /// Whether a path is that of a folder; a link is not.
  func isFolder(_ path: String) -> Bool {
    FileStatus(of: path, followsLinks: false)?.isFolder == true
  }

  /// Removes a regular file if it is archtool's.
  mutating func file(_ path: String, if isOwn: Bool) {
    guard isOwn, let status = FileStatus(of: path, followsLinks: false), status.isFile,
      isDryRun || unlink(path.asPath) == 0
    else { return strangers.append(path) }
    bytes += Int(status.st_size)
  }

  /// Removes a folder if it is empty.
  func folder(_ path: String) {
    if !isDryRun { _ = rmdir(path.asPath) }
  }

  /// Whether a name consists of so many lowercase hexadecimal digits.
  static func isHexadecimal(_ name: String, count: Int) -> Bool {
    name.utf8.count == count
      && name.utf8.allSatisfy { (0x30...0x39) ~= $0 || (0x61...0x66) ~= $0 }
  }
}
