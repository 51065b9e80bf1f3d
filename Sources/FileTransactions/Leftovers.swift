// The temporary files of a killed run.

import Basics

/// Removes the temporary files of a run.
struct Leftovers {
  private let prefix: [UInt8]

  init(of run: RunIdentifier) { prefix = Array(run.temporaryPrefix.utf8) }

  /// Removes them from every folder in a journal.
  ///
  /// - Parameters:
  ///   - contents: the journal.
  ///   - intents: its last intents, whose folders are looked into.
  /// - Returns: the paths of those that cannot be removed.
  func remove(of contents: JournalContents, intents: [IntentRecord]) -> [String] {
    var left: [String] = []
    // A folder that was replaced by a symbolic link belongs to somebody else.
    for root in contents.header.roots where FolderListing.isOwn(root.path) {
      left += remove(in: root.path, isRecursive: root.isRecursive)
    }
    if let backups = contents.header.backups { left += remove(in: backups, isRecursive: false) }
    var folders = Set(intents.flatMap { $0.changes.map { CodePointString($0.place.folderPath) } })
    for input in contents.inputs {
      let path = input.hasPrefix("/") ? input : contents.header.directory + "/" + input
      if FolderListing.isFolder(path) {
        left += remove(in: path, isRecursive: true)
      } else if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
        folders.insert(CodePointString(String(path[..<slash])))
      }
    }
    for folder in folders where FolderListing.isOwn(folder.text) {
      left += remove(in: folder.text, isRecursive: false)
    }
    return Set(left).sorted()
  }

  /// A folder that cannot be listed is left as it is: that harms nobody.
  private func remove(in root: String, isRecursive: Bool) -> [String] {
    var left: [String] = []
    var pending = [root]
    while let folder = pending.popLast() {
      guard let stream = opendir(folder.asPath) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let kind = entry.pointee.d_type
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
          let first = UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self)
          return Array(UnsafeRawBufferPointer(start: first, count: strlen(first)))
        }
        if name.starts(with: prefix) {
          let path = String(pathBytes: name)
          if unlinkat(dirfd(stream), path.asPath, 0) != 0, errno != ENOENT {
            left.append(folder + "/" + path)
          }
        } else if isRecursive, kind == UInt8(DT_DIR) || kind == UInt8(DT_UNKNOWN) {
          if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { continue }
          let path = folder + "/" + String(pathBytes: name)
          if kind == UInt8(DT_DIR) || Self.isFolder(path) { pending.append(path) }
        }
      }
    }
    return left
  }

  /// Whether a path is a folder itself, for file systems that do not report it when listing.
  private static func isFolder(_ path: String) -> Bool {
    FileStatus(of: path, followsLinks: false)?.isFolder == true
  }
}
