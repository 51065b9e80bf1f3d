// A run's journal while it is written: each action is recorded before it happens.

import ArchiveBasics
import ArchivePropertyLists
import Synchronization

/// A file of JSON lines that only grows; any thread may append.
package final class Journal: Sendable {
  /// The journal's path.
  package let path: String
  /// Its first line.
  package let header: JournalHeader
  private let file: OpenFile
  private let state: Mutex<State>

  /// What appending threads share.
  private struct State {
    /// The chain that seals the lines; nil if earlier lines are not sealed.
    var chain: SealChain?
    /// The error after which nothing more is written.
    var problem: ArchiveError?
  }

  private init(_ file: OpenFile, path: String, header: JournalHeader, chain: SealChain?) {
    self.file = file
    self.path = path
    self.header = header
    state = Mutex(State(chain: chain))
  }

  /// Keeps other runs out of a journal until its descriptor is closed.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate` if another process has it.
  static func lock(_ file: OpenFile, _ path: String) throws(ArchiveError) {
    // A process that only asks whether the journal is in use holds it for less time.
    for attempt in 0..<5 {
      if attempt > 0 { _ = usleep(5_000) }
      if retryingInterrupts({ flock(file.descriptor, LOCK_EX | LOCK_NB) }) == 0 { return }
    }
    throw ArchiveError(.cannotCreate, "the journal is in use by another process", file: path)
  }

  /// Opens a journal that its user may trust, and keeps other runs out of it until its descriptor is closed.
  ///
  /// - Throws: `ArchiveError` if it cannot be opened, belongs to another user or is in use.
  static func held(_ path: String, _ flags: Int32) throws(ArchiveError) -> OpenFile {
    let file = try OpenFile(path, flags).orSystemError(
      .cannotOpen, "cannot open the journal", file: path)
    try ArchiveError.inFile(path) { () throws(ArchiveError) in
      try TrustedFile.check(file.descriptor, "journal")
    }
    try lock(file, path)
    return file
  }

  /// Whether another process is working on the run of a journal.
  static func isLocked(_ path: String) -> Bool {
    guard let file = OpenFile(path) else { return false }
    return retryingInterrupts({ flock(file.descriptor, LOCK_SH | LOCK_NB) }) != 0
      && errno == EWOULDBLOCK
  }

  /// Creates a journal that only its owner can read, because it contains names and attributes.
  ///
  /// - Parameters:
  ///   - path: the new file.
  ///   - header: its first line.
  ///   - key: the user's key, which seals the lines.
  /// - Throws: `ArchiveError` with code `cannotCreate`, also if the file exists, or `inputOutput`.
  package static func create(
    _ path: String, header: JournalHeader, key: SealingKey
  ) throws(ArchiveError) -> Journal {
    let descriptor = FilePermissions.owner.createFile(path, flags: O_WRONLY | O_APPEND)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? existing(path) : systemMessage()
      throw ArchiveError(.cannotCreate, "cannot create the journal: \(reason)", file: path)
    }
    let file = OpenFile(descriptor: descriptor)
    try lock(file, path)
    var header = header
    header.key = key.name
    let journal = Journal(file, path: path, header: header, chain: SealChain(key))
    try journal.append([header.tree])
    try journal.synchronise()
    try FolderHandle.containing(FileLocation(operand: path)).synchronise()
    return journal
  }

  /// Why a journal cannot be made where a file is, and what to do.
  private static func existing(_ path: String) -> String {
    guard FolderListing.isFile(path), let reader = try? JournalReader(path),
      let contents = try? JournalContents(reader, key: nil)
    else { return "a file of that name exists; name a new one" }
    if contents.count(.undone) > 0 {
      return "it is that of a run that was undone; to run again, name a new one or delete it"
    }
    if contents.isDone { return "it belongs to a finished run; name a new one" }
    return "it exists; name a new one, or continue its run with --resume"
  }

  /// Opens a journal to continue it, and reads it.
  ///
  /// - Parameters:
  ///   - path: the journal.
  ///   - seals: what its seals are checked with.
  ///   - cuts: whether a torn last line is cut off, without which nothing may be appended.
  ///   - accept: throws if the run is not the one that was meant; nothing is written then.
  /// - Throws: `ArchiveError` if it cannot be read or is in use, or is not as it was written.
  static func reopen(
    _ path: String, seals: SealCheck, cuts: Bool = true,
    accept: (JournalContents) throws(ArchiveError) -> Void = { (_) throws(ArchiveError) in }
  ) throws(ArchiveError) -> (Journal, JournalContents) {
    let file = try held(path, O_RDWR | O_APPEND)
    // Read when nobody else can write.
    let contents = try JournalContents(try JournalReader(path, seals: seals), key: seals.key)
    if let stray = contents.stray {
      throw ArchiveError(
        .malformed,
        "the journal names \(stray), which is outside of the folders of its run; nothing was done",
        file: path)
    }
    try accept(contents)
    let journal = Journal(
      file, path: path, header: contents.header, chain: contents.seals?.chain)
    if cuts, contents.isTorn {
      try checkSystem(
        ftruncate(file.descriptor, off_t(contents.end)) == 0, .inputOutput,
        "cannot cut off the torn last line", file: path)
    }
    return (journal, contents)
  }

  /// Appends events; they are durable after `synchronise`.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`; nothing can be appended any more then.
  package func append(_ events: [JournalEvent]) throws(ArchiveError) {
    try append(events.map(\.tree))
  }

  /// Makes all that was appended durable, whichever thread did.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput`; nothing can be appended any more then.
  package func synchronise() throws(ArchiveError) {
    try guarded { _ in Durability.flush(file.descriptor) ? nil : "cannot save the journal" }
  }

  private func append(_ lines: [JSONTree]) throws(ArchiveError) {
    let texts = lines.map { Array("\($0.compactText)\n".utf8) }
    try guarded { chain in
      let bytes = ByteStorage(copying: texts.flatMap { chain?.seal($0) ?? $0 })
      return (try? file.write(bytes)) == nil ? "cannot write the journal" : nil
    }
  }

  /// Does what may fail, one thread at a time, unless it failed before.
  private func guarded(_ body: (inout SealChain?) -> String?) throws(ArchiveError) {
    let failure = state.withLock { state in
      if state.problem == nil, let failure = body(&state.chain) {
        state.problem = ArchiveError(.inputOutput, "\(failure): \(systemMessage())", file: path)
      }
      return state.problem
    }
    if let failure { throw failure }
  }
}
