// Where a file is that may be replaced: below a folder that was named, and never outside of it.

import ArchiveBasics

/// A file's path below a root folder.
///
/// The root is the folder that the user named, with its links resolved; links below it are not followed.
package struct FileLocation: Sendable {
  /// The root folder's absolute path without links.
  package let root: String
  /// The path below it.
  package let relativePath: String

  /// A file below a folder.
  ///
  /// - Parameters:
  ///   - root: the folder, as `resolved(_:)` gives it.
  ///   - relativePath: the file's path below it.
  /// - Throws: `ArchiveError` with code `cannotOpen` if the path leaves the folder or is not a path.
  package init(root: String, relativePath: String) throws(ArchiveError) {
    guard root.hasPrefix("/"), Self.staysBelow(relativePath) else {
      throw ArchiveError(.cannotOpen, "'\(relativePath)' is not a path below \(root)")
    }
    self.root = root
    self.relativePath = relativePath
  }

  /// A file that was named itself; if it is a symbolic link, the file that it leads to.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if the file does not exist.
  package init(operand: String) throws(ArchiveError) {
    let path = try Self.resolved(operand)
    guard path != "/" else { throw ArchiveError(.cannotOpen, "\(operand) is not a file") }
    try self.init(root: AtomicFile.folder(of: path), relativePath: AtomicFile.name(of: path))
  }

  /// The absolute path of the target of a path, with its links resolved.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if it does not exist.
  package static func resolved(_ path: String) throws(ArchiveError) -> String {
    if let real = FolderListing.resolved(path) { return real }
    throw ArchiveError(.cannotOpen, "cannot open \(path): \(systemMessage())")
  }

  /// The absolute path.
  package var path: String { root == "/" ? root + relativePath : "\(root)/\(relativePath)" }

  /// The location of another file in the same folder.
  package func sibling(_ name: String) throws(ArchiveError) -> FileLocation {
    try FileLocation(root: root, relativePath: (folderSteps + [name]).joined(separator: "/"))
  }

  /// The file's own name.
  package var name: String { AtomicFile.name(of: relativePath) }
  /// The folders below the root that lead to it.
  var folderSteps: [String] {
    Self.steps(of: relativePath).dropLast().map { String(Substring($0)) }
  }
  var folderPath: String { AtomicFile.folder(of: path) }

  /// By bytes, not by characters: a combining mark may follow a slash.
  private static func steps(of path: String) -> [Substring.UTF8View] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  /// Whether each step of a path has a name that is neither `.` nor `..`.
  private static func staysBelow(_ path: String) -> Bool {
    !path.hasZeroByte
      && steps(of: path).allSatisfy { $0.contains { $0 != UInt8(ascii: ".") } || $0.count > 2 }
  }
}

// MARK: - The folders that an earlier command line led to: its paths may lead elsewhere by now

extension [JournalHeader.Root] {
  /// Checks that the paths of a command line are in the folders of its journal or plan, whose links were resolved; missing
  /// files are reported later.
  ///
  /// - Parameters:
  ///   - paths: the paths of the command line.
  ///   - directory: the working folder in which they were given.
  /// - Throws: `ArchiveError` with code `cannotCreate` at the first that leads elsewhere.
  package func check(_ paths: [String], in directory: String) throws(ArchiveError) {
    for path in paths {
      let full = path.utf8.first == UInt8(ascii: "/") ? path : directory + "/" + path
      guard let resolved = FolderListing.resolved(full) else { continue }
      let folder =
        FolderListing.isFolder(resolved) ? resolved : AtomicFile.folder(of: resolved)
      guard contains(where: { $0.holds(folder) }) else {
        throw ArchiveError(
          .cannotCreate, "is now \(resolved), which is outside of the folders of the run",
          file: path)
      }
    }
  }
}

extension JournalHeader.Root {
  /// Bytes, not characters: a combining mark may follow a slash.
  fileprivate func holds(_ folder: String) -> Bool {
    if folder.utf8.elementsEqual(path.utf8) { return true }
    return isRecursive && folder.utf8.starts(with: (path == "/" ? "/" : path + "/").utf8)
  }
}
