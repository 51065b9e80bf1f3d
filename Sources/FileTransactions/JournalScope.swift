// The folders that a journal's run was asked to work in: no line of it may lead anywhere else.

import Basics

/// Where the files of a run are.
struct JournalScope {
  /// Folders whose own files are meant.
  private var folders: Set<CodePointString> = []
  /// Folders that are meant with all folders below them.
  private var trees: Set<CodePointString> = []
  private let directory: String
  /// Listed paths that were not looked at yet: their links lead to the folders.
  private var listed: [String] = []

  /// The folders of a journal's first line.
  init(_ header: JournalHeader) {
    directory = header.directory
    for root in header.roots {
      add(root.path, isTree: root.isRecursive)
      if let resolved = Self.resolved(root.path) { add(resolved, isTree: root.isRecursive) }
    }
  }

  /// Adds a path that came from a list.
  mutating func add(listed path: String) { listed.append(path) }

  /// Whether a file lies in one of the folders.
  mutating func covers(_ place: FileLocation) -> Bool {
    if holds(place.folderPath) { return true }
    guard !listed.isEmpty else { return false }
    for path in listed { resolve(path) }
    listed = []
    return holds(place.folderPath)
  }

  private mutating func add(_ folder: String, isTree: Bool) {
    if isTree {
      trees.insert(CodePointString(folder))
    } else {
      folders.insert(CodePointString(folder))
    }
  }

  private mutating func resolve(_ path: String) {
    let full = path.hasPrefix("/") ? path : "\(directory)/\(path)"
    if let resolved = Self.resolved(full), FolderListing.isFolder(resolved) {
      return add(resolved, isTree: true)
    }
    // The file itself may be gone by now; its folder is what counts.
    if let resolved = Self.resolved(full) { add(Self.folder(of: resolved), isTree: false) }
    if let folder = Self.resolved(Self.folder(of: full)) { add(folder, isTree: false) }
  }

  private func holds(_ folder: String) -> Bool {
    if folders.contains(CodePointString(folder)) || trees.contains(CodePointString("/")) {
      return true
    }
    var folder = folder
    while folder.utf8.count > 1 {
      if trees.contains(CodePointString(folder)) { return true }
      folder = Self.folder(of: folder)
    }
    return false
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  private static func resolved(_ path: String) -> String? {
    do throws(ArchiveError) { return try FileLocation.resolved(path) } catch { return nil }
  }
}
