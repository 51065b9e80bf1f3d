// Where a file is that may be replaced: below a folder that was named, and never outside of it.

import Basics

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
    let steps = Self.steps(of: relativePath)
    let isBelow = steps.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    guard root.hasPrefix("/"), isBelow, !relativePath.utf8.contains(0) else {
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
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path.utf8.count > 1 else {
      throw ArchiveError(.cannotOpen, "\(operand) is not a file")
    }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    try self.init(root: folder, relativePath: String(path[path.utf8.index(after: slash)...]))
  }

  /// The absolute path of the target of a path, with its links resolved.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` if it does not exist.
  package static func resolved(_ path: String) throws(ArchiveError) -> String {
    guard let real = realpath(path.asPath, nil) else {
      throw ArchiveError(.cannotOpen, "cannot open \(path): \(systemMessage())")
    }
    defer { free(real) }
    return String(path: real)
  }

  /// The absolute path.
  package var path: String { root == "/" ? root + relativePath : "\(root)/\(relativePath)" }

  /// The location of another file in the same folder.
  package func sibling(_ name: String) throws(ArchiveError) -> FileLocation {
    try FileLocation(root: root, relativePath: (folderSteps + [name]).joined(separator: "/"))
  }

  /// The file's own name.
  package var name: String { Self.steps(of: relativePath).last ?? relativePath }
  /// The folders below the root that lead to it.
  var folderSteps: [String] { Self.steps(of: relativePath).dropLast() }
  /// The absolute path of its folder.
  var folderPath: String {
    folderSteps.isEmpty
      ? root : (root == "/" ? "" : root) + "/" + folderSteps.joined(separator: "/")
  }

  /// Split by bytes, not by characters: a combining mark may follow a slash.
  private static func steps(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
