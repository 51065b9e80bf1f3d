// Output files that are complete or absent: temporary file in the same folder, fsync, rename, fsync the folder.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  ///   - path: its place. If it is a symbolic link, the file that it leads to is replaced; a device or a pipe
  ///     is written to.
  ///   - existing: what happens if there is one.
  ///   - backup: the path under which the old file stays, nil to let it go.
  /// - Throws: `ArchiveError` with code `cannotCreate` or `inputOutput`; nothing has changed then.
  public static func write(
    _ bytes: UnsafeRawBufferPointer, to path: String, existing: Existing, backup: String? = nil
  ) throws(ArchiveError) {
    try write(to: path, existing: existing, backup: backup) { (output) throws(ArchiveError) in
      try output.write(bytes)
    }
  }

  /// Writes a file whose content is made while it is written.
  ///
  /// - Parameters:
  ///   - path: its place, as above.
  ///   - existing: what happens if there is one.
  ///   - backup: the path under which the old file stays, nil to let it go.
  ///   - make: writes the content; if it throws, nothing has changed.
  /// - Throws: what `make` throws, or `ArchiveError` with code `cannotCreate` or `inputOutput`.
  public static func write(
    to path: String, existing: Existing, backup: String? = nil,
    _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    if isDevice(path) { return try pour(into: path, make) }
    let target = existing == .replace ? resolved(path) : path
    // Found out before the work is done; `place` looks again.
    if existing == .refuse, access(path, F_OK) == 0 {
      throw ArchiveError(.cannotCreate, "\(path) exists; --force replaces it")
    }
    let folder = folder(of: target)
    let temporary = folder + "/.archtool-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot create a file in \(folder): \(systemMessage())")
    }
    var isPlaced = false
    defer { if !isPlaced { _ = unlink(temporary) } }
    do {
      defer { _ = close(descriptor) }
      if existing == .replace { takeOver(target, descriptor) }
      try fill(descriptor, make)
      guard fsync(descriptor) == 0 else {
        throw ArchiveError(.inputOutput, "cannot save \(target): \(systemMessage())")
      }
    }
    if let backup { try keep(target, as: backup) }
    try place(temporary, at: target, existing)
    isPlaced = true
    synchronise(folder)
  }

  private static func fill(
    _ descriptor: Int32, _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var output = OutputBuffer(descriptor: descriptor)
    try make(&output)
    try output.finish()
  }

  /// Puts the temporary file in its place; without replacement by a link, which fails if a file is there.
  private static func place(
    _ temporary: String, at path: String, _ existing: Existing
  ) throws(ArchiveError) {
    if existing == .refuse {
      if link(temporary, path) == 0 {
        _ = unlink(temporary)
        return
      }
      if errno == EEXIST {
        throw ArchiveError(.cannotCreate, "\(path) exists; --force replaces it")
      }
      // File systems without hard links: look first, then rename.
      if access(path, F_OK) == 0 {
        throw ArchiveError(.cannotCreate, "\(path) exists; --force replaces it")
      }
    }
    guard rename(temporary, path) == 0 else {
      throw ArchiveError(.cannotCreate, "cannot create \(path): \(systemMessage())")
    }
  }

  /// Whether a path is a device, a pipe or a socket: written to, never replaced.
  public static func isDevice(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && kind != S_IFDIR
  }

  private static func pour(
    into path: String, _ make: (inout OutputBuffer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let descriptor = retryingInterrupts { open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotCreate, "cannot open \(path): \(systemMessage())")
    }
    defer { _ = close(descriptor) }
    try fill(descriptor, make)
  }

  /// Gives the new file the old one's mode, and its owner where that is permitted.
  private static func takeOver(_ path: String, _ descriptor: Int32) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    _ = fchmod(descriptor, status.st_mode & 0o7777)
  }

  /// Leaves the old file under a second name.
  private static func keep(_ path: String, as backup: String) throws(ArchiveError) {
    if link(path, backup) == 0 { return }
    if errno == EEXIST {
      throw ArchiveError(.cannotCreate, "the backup \(backup) exists")
    }
    let old = try ByteStorage.open(path: path)
    try write(old.bytes, to: backup, existing: .refuse)
  }

  private static func synchronise(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    _ = close(descriptor)
  }

  /// The file behind a symbolic link, or the path itself.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the folder that a file shall lie in, and those above it.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  public static func makeFolder(above path: String) throws(ArchiveError) {
    try makeFolder(folder(of: path))
  }

  /// Makes a folder and those above it.
  ///
  /// - Throws: `ArchiveError` with code `cannotCreate`.
  public static func makeFolder(_ path: String) throws(ArchiveError) {
    var position = path.startIndex
    while position < path.endIndex {
      let next = path[path.index(after: position)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<next])
      if mkdir(part, 0o777) != 0, errno != EEXIST {
        throw ArchiveError(.cannotCreate, "cannot create the folder \(part): \(systemMessage())")
      }
      position = next
    }
  }
}
