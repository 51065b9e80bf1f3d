// Output files that are complete or absent: temporary file in the same folder, fsync, rename, fsync the folder.

/// Writes whole files so that a reader sees the old bytes or the new ones, never a part.
public enum AtomicFile {
  /// What happens if the file exists.
  public enum Existing: Sendable {
    /// It is an error.
    case refuse
    /// It is replaced; the new file takes over its mode and, where permitted, its owner.
    case replace
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - bytes: its content.
  ///   - path: its location. If it is a symbolic link, the target of the link is replaced; a device or a pipe
  ///     is written to.
  ///   - existing: what to do if the file exists.
  ///   - bound: the upper bound of the file's permissions, from its source.
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`; nothing has changed then.
  package static func write(
    _ bytes: ByteView, to path: String, existing: Existing,
    allowing bound: FilePermissions
  ) throws(ArchiveError) {
    try write(to: path, existing: existing, allowing: bound) {
      (output) throws(ArchiveError) in
      try output.write(bytes)
    }
  }

  /// Writes a file whose content is made while it is written.
  ///
  /// - Parameters:
  ///   - path: its location, as above.
  ///   - existing: what to do if the file exists.
  ///   - bound: the upper bound of the file's permissions, as above.
  ///   - make: writes the content; if it throws, nothing has changed.
  /// - Throws: what `make` throws, or `ArchiveError` with code `cannotCreate` or `inputOutput`.
  package static func write(
    to path: String, existing: Existing, allowing bound: FilePermissions,
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    if isDevice(path) { return try pour(into: path, make) }
    // If it is a symbolic link, its target is replaced.
    let target = existing == .replace ? FolderListing.resolved(path) ?? path : path
    if FolderListing.isFolder(path) {
      throw ArchiveError(.cannotCreate, "\(path) is a folder; name a file in it")
    }
    // Checked before the work begins; `giveFinalName` checks again.
    if existing == .refuse, access(path.asPath, F_OK) == 0 {
      throw ArchiveError(.cannotCreate, "\(path) exists; --force replaces it")
    }
    let folder = folder(of: target)
    let temporary = folder + "/.archtool-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let old = existing == .replace ? FileStatus(of: target) : nil
    let pending = PendingFile(temporary)
    // What takes over an old file's mode must not be read by others before it has.
    let descriptor = (old == nil ? bound : .owner).createFile(temporary, flags: O_WRONLY)
    guard descriptor >= 0 else {
      pending.end()
      throw ArchiveError(.cannotCreate, "cannot create a file in \(folder): \(systemMessage())")
    }
    do throws(ArchiveError) {
      try finish(temporary, descriptor, old, bound, make, target, existing)
    } catch {
      _ = unlink(temporary.asPath)
      pending.end()
      throw error
    }
    pending.end()
    if let file = OpenFile(folder) { _ = fsync(file.descriptor) }
  }

  /// Fills a temporary file and renames it to its final name.
  private static func finish(
    _ temporary: String, _ descriptor: Int32, _ old: stat?, _ bound: FilePermissions,
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void, _ target: String,
    _ existing: Existing
  ) throws(ArchiveError) {
    do {
      defer { _ = close(descriptor) }
      if let old { copyOwner(old, descriptor, bound) }
      try fill(descriptor, make)
      try checkSystem(fsync(descriptor) == 0, .inputOutput, "cannot save \(target)")
    }
    try giveFinalName(temporary, at: target, existing)
  }

  private static func fill(
    _ descriptor: Int32, _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var output = OutputBuffer(descriptor: descriptor)
    try make(&output)
    try output.finish()
  }

  private static func giveFinalName(
    _ temporary: String, at path: String, _ existing: Existing
  ) throws(ArchiveError) {
    let outcome =
      existing == .refuse
      ? FreeName.give(path, to: temporary)
      : rename(temporary.asPath, path.asPath) == 0 ? .given : .failed
    switch outcome {
    case .given: return
    case .exists: throw ArchiveError(.cannotCreate, "\(path) exists; --force replaces it")
    case .failed: throw ArchiveError(.cannotCreate, "cannot create \(path): \(systemMessage())")
    }
  }

  /// Whether a path is a device, a pipe or a socket: written to, never replaced.
  package static func isDevice(_ path: String) -> Bool {
    guard let status = FileStatus(of: path) else { return false }
    return !status.isFile && !status.isFolder
  }

  private static func pour(
    into path: String, _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let file = try OpenFile(path, O_WRONLY).orSystemError(.cannotCreate, "cannot open \(path)")
    try fill(file.descriptor, make)
    withExtendedLifetime(file) {}
  }

  /// Gives the new file the old one's mode, and its owner where that is permitted.
  private static func copyOwner(_ old: stat, _ descriptor: Int32, _ bound: FilePermissions) {
    var mode = old.st_mode & 0o7777
    // The set-user-ID bit of another user must not be copied.
    if fchown(descriptor, old.st_uid, old.st_gid) != 0 { mode &= 0o1777 }
    FilePermissions(mode: mode, group: old.st_gid).intersection(bound).apply(to: descriptor, mode)
  }

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    // Bytes, not characters: a combining mark may follow a slash.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What follows the last slash of a path.
  package static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Makes the parent folder of a file, and the folders above it.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  package static func makeFolder(
    above path: String, allowing bound: FilePermissions = .any
  ) throws(ArchiveError) {
    try makeFolder(folder(of: path), allowing: bound)
  }

  /// Makes a folder and those above it.
  ///
  /// - Parameter bound: the upper bound of the permissions of new folders: those of the folder that the files in it come from.
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  package static func makeFolder(
    _ path: String, allowing bound: FilePermissions = .any
  ) throws(ArchiveError) {
    // Most often it is there, or all but itself.
    if !path.isEmpty, bound.makeFolder(path) { return }
    var position = path.startIndex
    while position < path.endIndex {
      let rest = path.utf8[path.utf8.index(after: position)...]
      let next = rest.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      let part = String(path[..<next])
      try checkSystem(bound.makeFolder(part), .cannotCreate, "cannot create the folder \(part)")
      position = next
    }
  }
}

// MARK: - A file without its final name: a signal that ends the program removes it

/// The paths that a signal's handler removes, zero bytes between them and two at the end; nil if no file is pending.
private nonisolated(unsafe) var pendingPaths: UnsafeMutablePointer<CChar>?

/// Watches over temporary files, and the folder that they are in; `end` stops that.
package struct PendingFile: ~Copyable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let paths: UnsafeMutablePointer<CChar>?
  private var earlier: [(signal: Int32, action: sigaction)] = []

  /// Begins to watch over a file that is about to be made.
  ///
  /// A signal that the program handles or ignores is left alone, and so is a second file beside a first.
  init(_ path: String) { self.init([path], in: nil) }

  /// Begins to watch over files that are about to be made in a folder of their own.
  package init(_ files: [String], in folder: String?) {
    guard pendingPaths == nil else {
      paths = nil
      return
    }
    let bytes = (files + (folder.map { [$0] } ?? [])).flatMap(\.asPath) + [0]
    let list = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    list.initialize(from: bytes, count: bytes.count)
    paths = list
    pendingPaths = list
    for signal in Self.signals {
      guard let before = sigaction(current: signal), before.isDefault else { continue }
      if sigaction(once: Self.handle).install(for: signal) { earlier.append((signal, before)) }
    }
    unblock(earlier.map(\.signal))
  }

  /// The files have their final names, or are removed.
  package consuming func end() {
    for (signal, action) in earlier { action.install(for: signal) }
    if let paths {
      pendingPaths = nil
      paths.deallocate()
    }
  }

  /// Called by the system at any moment: does only what signal-safety(7) allows.
  private static let handle: @convention(c) (Int32) -> Void = { signal in
    if var path = pendingPaths {
      while path.pointee != 0 {
        // Only the last may be a folder, which is empty by then.
        if unlink(path) != 0 { _ = rmdir(path) }
        path += strlen(path) + 1
      }
    }
    // The handler is the default one again, and receives the signal after this one has returned.
    _ = raise(signal)
  }
}
