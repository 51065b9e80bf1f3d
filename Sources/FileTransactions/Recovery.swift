// An interrupted run, settled so that it can be resumed.

import ArchiveBasics

/// An interrupted run with its journal open again.
package struct Recovery: Sendable {
  /// A run that was settled, or one that has nothing left to do.
  package enum Outcome {
    /// The run can be resumed.
    case resumed(Recovery)
    /// The run came to its end, with so many files that were refused; nothing was done now, but that temporary files were
    /// removed again that could not be removed before. Those at these paths still cannot.
    case finished(refused: Int, left: [String])
  }

  /// The journal, ready for more.
  package let journal: Journal
  /// The files whose replacement had begun, and that are neither as before nor as after, with the reason.
  ///
  /// Somebody wrote them since, or they cannot be put back: they are still to be done, as they are now.
  package let changed: [(file: String, reason: String)]
  /// How many replacements were found done that the journal did not know of.
  package let completed: Int
  /// The temporary files that cannot be removed.
  package let left: [String]
  /// What the journal says.
  package let contents: JournalContents

  /// The journal's first line.
  package var header: JournalHeader { contents.header }

  /// The outcome of a file in the interrupted run, or from the disk; nil if it is still to be done.
  ///
  /// - Parameter path: the absolute path, as `FileLocation.path` gives it.
  package func settled(_ path: String) -> JournalContents.State? {
    guard let state = contents.state(of: path), state != .failed else { return nil }
    return state
  }

  /// Opens a journal, compares its intents with the disk, and removes the temporary files of the run.
  ///
  /// A replacement that happened is recorded as done. One that happened in part is taken back. A torn last line is
  /// removed. A finished run can also be resumed if files failed: the cause may be gone.
  ///
  /// - Parameters:
  ///   - path: the journal.
  ///   - seals: what its seals are checked with.
  ///   - accept: throws if the run is not the one that was meant; nothing is written then.
  /// - Throws: `ArchiveError` if the journal cannot be read or written, is in use or not as it was written, or its run
  ///   was undone, or another run works in a folder of this one.
  package static func resume(
    _ path: String, seals: SealCheck,
    accept: (JournalHeader) throws(ArchiveError) -> Void = { (_) throws(ArchiveError) in }
  ) throws(ArchiveError) -> Outcome {
    let (journal, read) = try Journal.reopen(path, seals: seals) { (read) throws(ArchiveError) in
      try check(read, path)
      try accept(read.header)
    }
    var contents = read
    if contents.isDone {
      return .finished(
        refused: contents.countAtEnd(.refused),
        left: Leftovers(of: contents.header.run).remove(of: contents, intents: []))
    }
    let lock = try RunLock(of: contents.header, journal: path)
    // Released so that the resumed run can take it.
    defer { lock.release() }
    let reader = try JournalReader(path, seals: seals)
    let restoration = Restoration(contents.header)
    var (intents, events): ([IntentRecord], [JournalEvent]) = ([], [])
    var changed: [(file: String, reason: String)] = []
    for line in contents.intents([.unfinished, .failed]) {
      let intent = try reader.intent(at: line)
      intents.append(intent)
      let file = intent.location.path
      try restoration.rescue(intent)
      guard let event = try settle(intent, restoration, contents.state(of: file)) else { continue }
      if case .settled(.failed, _, let reason) = event { changed.append((file, reason ?? "")) }
      events.append(event)
    }
    try restoration.synchroniseFolders()
    let left = Leftovers(of: contents.header.run).remove(of: contents, intents: intents)
    let completed = events.count - changed.count
    try journal.append([.resumed(at: Timestamp.now)] + events)
    try journal.synchronise()
    contents.note(events)
    contents.forget(.unfinished)
    return .resumed(
      Recovery(
        journal: journal, changed: changed, completed: completed, left: left, contents: contents))
  }

  /// Checks that a run was not undone, and that its journal names all listed paths.
  private static func check(
    _ contents: JournalContents, _ path: String
  ) throws(ArchiveError) {
    if contents.count(.undone) > 0 {
      throw ArchiveError(
        .cannotCreate,
        "the run was undone and cannot be resumed; to run again, use another journal",
        file: path)
    }
    if contents.isDone { return }
    guard contents.inputs.count >= contents.header.inputs else {
      guard contents.files.isEmpty, !BackupStore.holdsCopies(contents.header.backups) else {
        throw ArchiveError(
          .malformed,
          "the journal's first line counts \(contents.header.inputs) listed paths, but \(contents.inputs.count) are there; the journal is damaged",
          file: path)
      }
      throw ArchiveError(
        .truncated,
        "the run was killed before it changed anything; delete the journal and start again",
        file: path)
    }
  }

  /// The journal entry for an intent; nil if its files are unchanged.
  private static func settle(
    _ intent: IntentRecord, _ restoration: Restoration, _ state: JournalContents.State?
  ) throws(ArchiveError) -> JournalEvent? {
    let file = intent.location.path
    do throws(ArchiveError) {
      switch try restoration.standing(of: intent) {
      case .new: return .settled(.done, file: file)
      case .old: return nil
      case .mixed:
        try restoration.restore(intent)
        return nil
      case .changed(let path):
        // A replacement that failed because of that is nothing new.
        if state == .failed { return nil }
        let name = path == file ? "" : path + " "
        return .settled(
          .failed, file: file, reason: name + "was changed after the run was interrupted")
      }
    } catch {
      return .settled(.failed, file: file, reason: error.message)
    }
  }
}

// MARK: - The temporary files of a killed run

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
    var folders = Set(
      intents.flatMap { $0.changes.map { CodePointString($0.location.folderPath) } })
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
          return Array(ByteView(start: first, count: strlen(first)))
        }
        if name.starts(with: prefix) {
          let path = String(pathBytes: name)
          if unlinkat(dirfd(stream), path.asPath, 0) != 0, errno != ENOENT {
            left.append(folder + "/" + path)
          }
        } else if isRecursive, kind == UInt8(DT_DIR) || kind == UInt8(DT_UNKNOWN) {
          if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { continue }
          let path = folder + "/" + String(pathBytes: name)
          // Not every file system reports what is a folder itself.
          let isFolder =
            kind == UInt8(DT_DIR) || FileStatus(of: path, followsLinks: false)?.isFolder == true
          if isFolder { pending.append(path) }
        }
      }
    }
    return left
  }
}
