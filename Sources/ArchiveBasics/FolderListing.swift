// The names in a folder.

/// Lists folders.
package enum FolderListing {
  /// The names in a folder as their bytes, without `.` and `..`, in the order of their bytes.
  ///
  /// The order is the same wherever the program runs.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen`.
  package static func names(in folder: String) throws(ArchiveError) -> [[UInt8]] {
    guard let stream = opendir(folder.asPath) else { throw unlisted() }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        // The record ends with the name, which may be shorter or longer than the tuple is.
        let first = UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self)
        return Array(ByteView(start: first, count: strlen(first)))
      }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
    }
    guard errno == 0 else { throw unlisted() }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether a path leads to a folder, links followed.
  package static func isFolder(_ path: String) -> Bool { FileStatus(of: path)?.isFolder == true }

  /// Whether a path leads to a regular file, links followed.
  package static func isFile(_ path: String) -> Bool { FileStatus(of: path)?.isFile == true }

  /// A path from the root on, without `.` and `..`; links are not looked at.
  package static func absolute(_ path: String) -> String {
    var full = path
    if path.utf8.first != UInt8(ascii: "/"), let current = getcwd(nil, 0) {
      full = String(path: current) + "/" + path
      free(current)
    }
    var steps: [String] = []
    // Bytes, not characters: a combining mark may follow a slash.
    for step in full.utf8.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) })
    where step != "." {
      if step == ".." { _ = steps.popLast() } else { steps.append(step) }
    }
    return "/" + steps.joined(separator: "/")
  }

  /// The absolute path of the target of a path, with its links resolved; nil if it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard !path.hasZeroByte, let real = realpath(path.asPath, nil) else { return nil }
    defer { free(real) }
    return String(path: real)
  }

  /// Whether an absolute path, recorded with its links resolved, still names the same location.
  package static func isOwn(_ path: String) -> Bool {
    resolved(path)?.hasSameScalars(as: path) == true
  }

  private static func unlisted() -> ArchiveError {
    ArchiveError(.cannotOpen, "cannot list the folder: \(systemMessage())")
  }
}
