// Who may read a new file: nobody who could not read all of what it was made from.

import CFileSystem
import Synchronization

/// The upper bound of a new file's permissions.
public struct FilePermissions: Sendable, Hashable {
  /// The permissions of owner, group and others.
  private var mode: mode_t
  /// The group that the bits of the group are about; nil for any.
  private var group: gid_t?

  /// No bound: the process's mask decides.
  package static let any = FilePermissions(mode: 0o777, group: nil)
  /// Only the owner.
  public static let owner = FilePermissions(mode: 0o700, group: nil)

  /// Permissions as a mode, and the group that they are about; nil for any.
  package init(mode: mode_t, group: gid_t?) {
    self.mode = mode & 0o777
    self.group = group
  }

  /// The permissions of an open file; no bound for pipes, terminals and devices.
  package init(of descriptor: Int32) { self.init(of: descriptor, FileStatus(of: descriptor)) }

  /// The permissions of an open file whose status is known.
  init(of descriptor: Int32, _ status: FileStatus?) {
    #if os(Linux)
      self.init(status) { fgetxattr(descriptor, $0, nil, 0) }
    #else
      self.init(status) { _ in 0 }
    #endif
  }

  /// The permissions of a file or folder; no bound if there is none.
  package init(of path: String) {
    #if os(Linux)
      self.init(FileStatus(of: path)) { getxattr(path.asPath, $0, nil, 0) }
    #else
      self.init(FileStatus(of: path)) { _ in 0 }
    #endif
  }

  /// - Parameter attributeSize: the size of an extended attribute of the file; 0 or less if it has none.
  private init(_ status: stat?, _ attributeSize: (String) -> Int) {
    guard let status, status.isFile || status.isFolder else {
      self = .any
      return
    }
    // If an access control list decides for the group, the bits show only its bound.
    let hasList = status.st_mode & 0o070 != 0 && attributeSize("system.posix_acl_access") > 0
    mode = status.st_mode & (hasList ? 0o707 : 0o777)
    group = status.st_gid
  }

  /// What both allow.
  package func intersection(_ other: FilePermissions) -> FilePermissions {
    if group == other.group || group == nil || other.group == nil {
      return FilePermissions(mode: mode & other.mode, group: group ?? other.group)
    }
    return FilePermissions(mode: anyGroup & other.anyGroup, group: nil)
  }

  /// The same for every group: neither the group nor others may do more than both of them.
  private var anyGroup: mode_t {
    let others = mode & 0o7 & mode >> 3
    return mode & 0o700 | others << 3 | others
  }

  /// What a mode may be for a file of a group; the owner's bits stay as they are.
  package func limiting(_ other: mode_t, of group: gid_t) -> mode_t {
    other & ((self.group ?? group == group ? mode : anyGroup) | 0o7700)
  }

  /// Creates a file that did not exist.
  ///
  /// Every file that archtool creates comes from here. It never allows more than this, not even at first.
  ///
  /// - Parameters:
  ///   - name: its path, or its name in the folder.
  ///   - folder: the descriptor of a folder.
  ///   - flags: how it is opened, beside O_CREAT and O_EXCL.
  /// - Returns: its descriptor; negative if it cannot be created, for the reason in `errno`.
  package func createFile(_ name: String, in folder: Int32 = AT_FDCWD, flags: Int32) -> Int32 {
    let flags = flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // The group's bits may be those of another group, which only the file itself shows.
    let first = (group == nil ? mode : anyGroup) & 0o666 | 0o600
    let descriptor = retryingInterrupts { openat(folder, name.asPath, flags, first) }
    if descriptor >= 0, mode & 0o060 & ~first != 0 { apply(to: descriptor) }
    return descriptor
  }

  /// Makes a folder, whose files its owner can always read.
  ///
  /// - Returns: whether it is there now; the reason is in `errno` if it is not.
  func makeFolder(_ path: String) -> Bool {
    let bits = group == nil ? mode : anyGroup
    // Who may read the files may look for them.
    return mkdir(path.asPath, bits | (bits & 0o444) >> 2 | 0o700) == 0 || errno == EEXIST
  }

  /// The process's mask; it is read once, since it can only be read by setting it.
  private static let mask: mode_t = {
    let mask = umask(0o077)
    _ = umask(mask)
    return mask
  }()

  /// Gives an open file the widest mode that this and the process's mask allow.
  ///
  /// - Parameter wanted: the mode that the file is to have if this allows it; nil for that of a new file.
  /// - Returns: whether the file has it now.
  @discardableResult
  package func apply(to descriptor: Int32, _ wanted: mode_t? = nil) -> Bool {
    guard let status = FileStatus(of: descriptor), status.isFile else { return false }
    let mode = limiting(wanted ?? 0o666 & ~Self.mask, of: status.st_gid)
    return fchmod(descriptor, mode) == 0
  }
}

/// What all files allow that a run has read, and so what a result made of them may allow.
public final class SourcePermissions: Sendable {
  private let all = Mutex(FilePermissions?.none)
  private let isIgnored = Atomic(false)

  /// What all files so far allow; nil if there are none.
  package var common: FilePermissions? { all.withLock { $0 } }

  /// What all files so far allow; everything if there are none.
  package var bound: FilePermissions { common ?? .any }

  /// Adds a file, whose permissions are asked for only if they matter.
  ///
  /// - Returns: its permissions; nil if they do not matter.
  @discardableResult
  package func add(_ permissions: @autoclosure () -> FilePermissions) -> FilePermissions? {
    if isIgnored.load(ordering: .relaxed) { return nil }
    let permissions = permissions()
    all.withLock { $0 = $0?.intersection(permissions) ?? permissions }
    return permissions
  }

  /// Lets files be read whose permissions do not matter, because the run makes no file.
  package func ignore() { isIgnored.store(true, ordering: .relaxed) }
}
