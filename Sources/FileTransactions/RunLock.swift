// Folders that a run is working in, locked against other runs.

import ArchiveBasics
import ArchivePropertyLists

/// Locks on folders, held until they are released or the process ends.
package final class RunLock {
  /// The lock file in a folder, which names the process that holds it.
  static let fileName = RunIdentifier.filePrefix + "lock"

  private static let mostAttempts = 1_000

  private let holder: JSONTree
  /// The files of locks that could not be removed: they hold nobody up.
  package private(set) var left: [String] = []
  private var held: [(folder: String, identity: FolderHandle.Identity, file: OpenFile)] = []

  /// Locks folders.
  ///
  /// - Parameters:
  ///   - folders: the folders, links resolved; one below another needs no lock of its own.
  ///   - journal: the journal of the run, for those who ask.
  ///   - waits: whether to wait until another run has come to its end.
  /// - Throws: `ArchiveError` with code `cannotCreate` if another run works in a folder, above it or below it.
  package init(
    _ folders: [String], journal: String? = nil, waits: Bool = false
  ) throws(ArchiveError) {
    holder = Self.description(journal)
    // In one order, so that two runs that wait do not wait for each other.
    for folder in Self.tops(folders) {
      var attempts = 0
      while try !acquire(folder, waits) {
        attempts += 1
        // Other runs come and go in between, but not so many.
        guard attempts < Self.mostAttempts || waits else {
          throw ArchiveError(
            .cannotCreate,
            "cannot lock the folder \(folder): its lock is removed again and again")
        }
      }
    }
  }

  /// Locks the folders of a run that is recovered or undone; a missing folder needs no lock, nor does
  /// one that was replaced by a symbolic link: no file there is changed.
  ///
  /// A lock that the run left when it was killed goes with the release.
  ///
  /// - Throws: as `init(_:journal:waits:)` does.
  convenience init(of header: JournalHeader, journal: String) throws(ArchiveError) {
    try self.init(
      header.roots.map(\.path).filter { FolderListing.isFolder($0) && FolderListing.isOwn($0) },
      journal: journal)
  }

  deinit { release() }

  /// Gives the folders free.
  package func release() {
    for (folder, _, file) in held.reversed() {
      // While the lock is held, so that it is nobody else's file that goes.
      let path = folder + "/" + Self.fileName
      if !Self.remove(path) { left.append(path) }
      _ = flock(file.descriptor, LOCK_UN)
    }
    held = []
  }

  /// Removes a lock file; a failed call, as on a network file system, is repeated once.
  ///
  /// - Returns: whether it is gone.
  @discardableResult
  private static func remove(_ path: String) -> Bool {
    for _ in 0..<3 where unlink(path.asPath) == 0 || errno == ENOENT { return true }
    return false
  }

  /// Who else works in a folder, in words; nil if nobody does.
  ///
  /// To be asked of each folder below a locked one.
  package func isLocked(folder: String) -> String? {
    guard let (file, identity) = try? Self.presentLock(of: folder),
      !held.contains(where: { $0.identity == identity })
    else { return nil }
    // Checked by trying; another process that wants the lock at this moment tries again.
    if flock(file.descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
    return Self.words(folder, file)
  }

  // MARK: One folder

  /// Takes a lock; false if all is to be tried again.
  private func acquire(_ folder: String, _ waits: Bool) throws(ArchiveError) -> Bool {
    let path = folder + "/" + Self.fileName
    let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o644)
      .orSystemError(.cannotCreate, "cannot lock the folder \(folder)")
    try lock(file, folder, waits)
    // The file may have been removed by the run that held it before.
    let own = FolderHandle.Identity(try file.status())
    guard let (_, current) = try Self.presentLock(of: folder), current == own else { return false }
    do throws(ArchiveError) {
      try sign(file)
    } catch {
      Self.remove(path)
      throw ArchiveError(.cannotCreate, "cannot lock the folder \(folder): \(error.message)")
    }
    held.append((folder, current, file))
    for above in Self.ancestors(of: folder) {
      guard let words = isLocked(folder: above) else { continue }
      guard waits else { throw ArchiveError(.cannotCreate, words) }
      // The process with the lock above may be about to request this one.
      Self.remove(path)
      held.removeLast()
      if let (other, _) = try? Self.presentLock(of: above) {
        try wait(for: other, LOCK_SH, above)
      }
      return false
    }
    return true
  }

  /// Writes the name of the process to its lock file.
  private func sign(_ file: OpenFile) throws(ArchiveError) {
    guard ftruncate(file.descriptor, 0) == 0 else {
      throw ArchiveError(.cannotCreate, systemMessage())
    }
    try file.write(ByteStorage(copying: Array("\(holder.compactText)\n".utf8)))
  }

  private func lock(_ file: OpenFile, _ folder: String, _ waits: Bool) throws(ArchiveError) {
    // A process that only checks holds it for less time.
    for _ in 0..<5 {
      if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      try checkSystem(
        errno == EWOULDBLOCK || errno == EINTR, .cannotCreate, "cannot lock the folder \(folder)")
      _ = usleep(10_000)
    }
    guard waits else { throw ArchiveError(.cannotCreate, Self.words(folder, file)) }
    try wait(for: file, LOCK_EX, folder)
  }

  /// Waits for the lock of a folder, until a signal asks the program to stop.
  private func wait(for file: OpenFile, _ kind: Int32, _ folder: String) throws(ArchiveError) {
    while flock(file.descriptor, kind | LOCK_NB) != 0 {
      try checkSystem(
        errno == EWOULDBLOCK || errno == EINTR, .cannotCreate, "cannot lock the folder \(folder)")
      if DescriptorPoll.isAskedToStop(within: 50) {
        throw ArchiveError(
          .cannotCreate, "a signal came while archtool waited for the folder \(folder)")
      }
    }
  }

  /// The file with a folder's lock; nil if it is gone.
  ///
  /// - Throws: `ArchiveError` with code `inputOutput` if it cannot be looked at.
  private static func presentLock(
    of folder: String
  ) throws(ArchiveError) -> (OpenFile, FolderHandle.Identity)? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = OpenFile(folder + "/" + fileName, flags) else { return nil }
    return (file, FolderHandle.Identity(try file.status()))
  }

  // MARK: Names

  /// The folders that are not below another, each once, in order.
  private static func tops(_ folders: [String]) -> [String] {
    let all = Set(folders.map { CodePointString($0) })
    return all.filter { folder in
      !ancestors(of: folder.text).contains { all.contains(CodePointString($0)) }
    }.sorted().map(\.text)
  }

  /// The folders above a folder, the nearest first.
  private static func ancestors(of folder: String) -> [String] {
    var steps = folder.utf8.split(separator: UInt8(ascii: "/"))
    var found: [String] = []
    while steps.popLast() != nil {
      found.append("/" + steps.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/"))
    }
    return found
  }

  private static func words(_ folder: String, _ file: OpenFile) -> String {
    let tree = try? JSONTree(json: file.bytes(4096) ?? [])
    var words = "\(folder) is in use by "
    guard let tree, case .integer(let process)? = tree["pid"], let user = tree["user"]?.string,
      let host = tree["host"]?.string, let started = tree["started"]?.string
    else { return words + "another process" }
    words += "process \(process) of \(user)@\(host) since \(started)"
    return words + "; --wait waits until it ends"
  }

  private static func description(_ journal: String?) -> JSONTree {
    var host = [CChar](repeating: 0, count: 257)
    _ = gethostname(&host, 256)
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
    return .members([
      ("pid", .integer(Int(getpid()))),
      (
        "host",
        .string(
          String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      ),
      ("user", .string(user ?? "\(getuid())")), ("started", .string(Timestamp.now)),
      ("journal", journal.map { .string($0) } ?? .null),
    ])
  }
}
