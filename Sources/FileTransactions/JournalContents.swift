// The outcome of each file according to a journal.

import ArchiveBasics

/// The last word of a journal on each file.
package struct JournalContents: Sendable {
  /// What became of a file.
  package enum State: String, CaseIterable, Sendable {
    /// Its replacement was begun, and no more is known.
    case unfinished
    /// It was replaced.
    case done
    /// It could not be replaced.
    case failed
    /// It needed no change.
    case unchanged
    /// It was refused.
    case refused
    /// It was replaced, and that was taken back.
    case undone
  }

  /// The journal's first line.
  package let header: JournalHeader
  /// Whether the run came to its end.
  package private(set) var isFinished = false
  /// The counts of the run at its end.
  private(set) var counts: [(name: String, count: Int)] = []
  /// Whether the last line was cut short.
  package private(set) var isTorn = false
  /// The offset after the last complete line.
  private(set) var end = 0
  private(set) var files: [CodePointString: (state: State, intent: JournalReader.Line?)] = [:]
  /// The result of the seal check; nil if no seals were checked.
  private(set) var seals: SealInspection?
  /// The paths that came from lists.
  package private(set) var inputs: [String] = []
  /// The first file of an intent that is in no folder of the run.
  private(set) var stray: String?
  private var scope: JournalScope

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - key: the user's key, or nil.
  ///   - visit: receives each event.
  /// - Throws: as `JournalReader` does.
  package init(
    _ reader: JournalReader, key: SealingKey?, visit: (JournalEvent) -> Void = { _ in }
  ) throws(ArchiveError) {
    header = reader.header
    scope = JournalScope(header)
    var inspection = SealInspection(header.key, key: key)
    let end = try reader.read(&inspection) { (event, line) throws(ArchiveError) in
      apply(event, at: line)
      visit(event)
    }
    seals = inspection
    self.end = end.offset
    isTorn = end.isTorn
  }

  /// The outcome of a file; nil without an entry.
  ///
  /// - Parameter path: the absolute path, as `FileLocation.path` gives it.
  package func state(of path: String) -> State? { files[CodePointString(path)]?.state }

  /// The number of files in a state.
  package func count(_ state: State) -> Int { files.values.count { $0.state == state } }

  /// How many files the run counted in a state when it came to its end.
  func countAtEnd(_ state: State) -> Int { counts.last { $0.name == state.rawValue }?.count ?? 0 }

  /// Whether the run came to its end and no file failed.
  var isDone: Bool { isFinished && countAtEnd(.failed) == 0 }

  /// The lines of the last intents of the files in some states, in the journal's order.
  func intents(_ states: Set<State>) -> [JournalReader.Line] {
    files.values.filter { states.contains($0.state) }.compactMap(\.intent)
      .sorted { $0.offset < $1.offset }
  }

  private mutating func apply(_ event: JournalEvent, at line: JournalReader.Line?) {
    switch event {
    case .input(let file):
      inputs.append(file)
      scope.add(listed: file)
    case .intent(let intent):
      for location in [intent.location] + intent.changes.map(\.location)
      where stray == nil && !scope.covers(location) { stray = location.path }
      files[CodePointString(intent.location.path)] = (.unfinished, line)
      isFinished = false
    case .settled(let state, let file, _):
      files[CodePointString(file), default: (state, nil)].state = state
    case .resumed: isFinished = false
    case .end(_, let counts):
      isFinished = true
      self.counts = counts
    }
  }

  /// Adds an event that was just written to the journal.
  mutating func note(_ events: [JournalEvent]) { for event in events { apply(event, at: nil) } }

  /// Drops the files of a state: they are still to be done.
  mutating func forget(_ state: State) { files = files.filter { $0.value.state != state } }
}

// MARK: - The folders that a journal's run was asked to work in: no line of it may lead anywhere else

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
      if let resolved = FolderListing.resolved(root.path) {
        add(resolved, isTree: root.isRecursive)
      }
    }
  }

  mutating func add(listed path: String) { listed.append(path) }

  mutating func covers(_ location: FileLocation) -> Bool {
    if holds(location.folderPath) { return true }
    guard !listed.isEmpty else { return false }
    for path in listed { resolve(path) }
    listed = []
    return holds(location.folderPath)
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
    if let resolved = FolderListing.resolved(full) {
      if FolderListing.isFolder(resolved) { return add(resolved, isTree: true) }
      add(AtomicFile.folder(of: resolved), isTree: false)
    }
    // The file itself may be gone by now; its folder is what counts.
    if let folder = FolderListing.resolved(AtomicFile.folder(of: full)) {
      add(folder, isTree: false)
    }
  }

  private func holds(_ folder: String) -> Bool {
    if folders.contains(CodePointString(folder)) || trees.contains(CodePointString("/")) {
      return true
    }
    var folder = folder
    while folder.utf8.count > 1 {
      if trees.contains(CodePointString(folder)) { return true }
      folder = AtomicFile.folder(of: folder)
    }
    return false
  }
}
