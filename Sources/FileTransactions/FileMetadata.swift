// A file's metadata, kept through a replacement and restored by an undo.

import ArchiveBasics
import ArchivePropertyLists
import CFileSystem

struct FileMetadata: Sendable {
  var mode: UInt32
  let owner: UInt32
  let group: UInt32
  let modified: FileTime
  let accessed: FileTime
  var attributes: [(name: String, value: [UInt8])]
  /// Whether a journal gives bits for the mode that no journal can hand out.
  private var hasForbiddenBits = false
  private static let forbiddenBits: UInt32 = 0o6000

  init(_ status: stat, of descriptor: Int32) {
    mode = UInt32(truncatingIfNeeded: status.st_mode) & 0o7777
    owner = UInt32(truncatingIfNeeded: status.st_uid)
    group = UInt32(truncatingIfNeeded: status.st_gid)
    modified = FileTime(status.modification)
    accessed = FileTime(status.access)
    attributes = ExtendedAttributes.all(of: descriptor)
  }

  /// The same for a file with values of this one, which nobody may read who may not read this one.
  var ofCompanion: FileMetadata {
    var other = self
    other.mode &= 0o666
    other.attributes.removeAll { $0.name != "system.posix_acl_access" }
    return other
  }

  var permissions: FilePermissions { FilePermissions(mode: mode_t(mode), group: gid_t(group)) }

  /// Gives all of it to another file.
  ///
  /// - Parameters:
  ///   - descriptor: the file.
  ///   - bound: the upper bound of the permissions.
  ///   - source: an open file with the access control list to copy, if that is not an attribute (macOS).
  ///   - keepsTimes: whether the file gets the times, too.
  /// - Returns: what could not be kept, in words.
  func apply(
    to descriptor: Int32, allowing bound: FilePermissions = .any, from source: Int32?,
    keepsTimes: Bool
  ) -> [String] {
    var lost: [String] = []
    var mode = mode
    if fchown(descriptor, owner, group) != 0 {
      // The set-user-ID bit of another user must not be copied.
      mode &= 0o1777
      if fchown(descriptor, uid_t.max, group) != 0 || owner != getuid() {
        lost.append("the owner could not be kept")
      }
    }
    for attribute in attributes
    where !ExtendedAttributes.set(attribute.name, to: attribute.value, descriptor) {
      lost.append("the attribute \(attribute.name) could not be kept")
    }
    #if canImport(Darwin)
      if let source, fcopyfile(source, descriptor, nil, copyfile_flags_t(COPYFILE_ACL)) != 0 {
        lost.append("the access control list could not be kept")
      }
    #endif
    if hasForbiddenBits { lost.append("the set-user-ID and set-group-ID bits are not restored") }
    if !permissions.intersection(bound).apply(to: descriptor, mode_t(mode)) {
      lost.append("the mode could not be kept")
    }
    if keepsTimes {
      let times = [accessed.timespec, modified.timespec]
      if futimens(descriptor, times) != 0 { lost.append("the times could not be kept") }
    }
    return lost
  }

  // MARK: In a journal

  var members: [(String, JSONTree)] {
    var members: [(String, JSONTree)] = [
      ("mode", .string("0" + String(mode, radix: 8))), ("uid", .integer(Int(owner))),
      ("gid", .integer(Int(group))), ("modified", .string(modified.description)),
      ("accessed", .string(accessed.description)),
    ]
    if !attributes.isEmpty {
      members.append(
        (
          "attributes",
          .members(
            attributes.map { ($0.name, .string($0.value.withByteView { Base64.text($0) })) })
        ))
    }
    return members
  }

  /// Reads the members; nil if one is missing or malformed.
  init?(_ tree: JSONTree) {
    guard let digits = tree["mode"]?.string, let mode = UInt32(digits, radix: 8), mode <= 0o7777,
      case .integer(let owner)? = tree["uid"], case .integer(let group)? = tree["gid"],
      let owner = UInt32(exactly: owner), let group = UInt32(exactly: group),
      let modified = tree["modified"]?.string.flatMap({ FileTime($0) }),
      let accessed = tree["accessed"]?.string.flatMap({ FileTime($0) })
    else { return nil }
    self.mode = mode & ~Self.forbiddenBits
    hasForbiddenBits = mode & Self.forbiddenBits != 0
    self.owner = owner
    self.group = group
    self.modified = modified
    self.accessed = accessed
    attributes = []
    for (name, value) in tree["attributes"]?.members ?? [] {
      guard let value = value.string.map({ Self.bytes(ofBase64: $0) }) else { return nil }
      attributes.append((name, value))
    }
  }

  private static func bytes(ofBase64 text: String) -> [UInt8] {
    var buffer = ByteBuffer(capacity: text.utf8.count)
    Array(text.utf8).withByteView { Base64.decode($0, to: &buffer) }
    return buffer.array
  }
}

// MARK: - A cheap check that nobody has changed a file

/// A moment as files have it: seconds from 1970-01-01T00:00:00Z, and nanoseconds.
struct FileTime: Hashable, Sendable, CustomStringConvertible {
  let seconds: Int
  let nanoseconds: Int

  init(_ time: timespec) {
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// Reads what `description` writes; nil if the text is anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 9, let seconds = Int(parts[0]),
      let nanoseconds = Int(parts[1]), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The text that a journal has: `1774000000.012345678`.
  var description: String {
    "\(seconds)." + String(nanoseconds, width: 9)
  }

  /// The moment as the system wants it.
  var timespec: timespec {
    #if canImport(Glibc)
      Glibc.timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    #elseif canImport(Musl)
      Musl.timespec(tv_sec: Musl.time_t(seconds), tv_nsec: nanoseconds)
    #else
      Darwin.timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    #endif
  }
}

extension FileStatus {
  /// Whether it is the file of an earlier status, and nothing about it was changed since, its names included.
  func isIdentical(to earlier: FileStatus?) -> Bool {
    guard let earlier else { return false }
    return isUnchanged(since: earlier) && FileTime(change) == FileTime(earlier.change)
  }
}

// MARK: - Extended attributes of open files; on Linux access control lists are among them (acl(5), xattr(7))

enum ExtendedAttributes {
  /// The names and values, in the order of the names; empty if the file system has none.
  ///
  /// A name that is not UTF-8 is left out: no system makes such.
  static func all(of descriptor: Int32) -> [(name: String, value: [UInt8])] {
    let list = bytes { flistxattr(descriptor, $0, $1) }
    return (list ?? []).split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
      .sorted().compactMap { name in
        value(of: name, descriptor).map { (name, $0) }
      }
  }

  static func value(of name: String, _ descriptor: Int32) -> [UInt8]? {
    bytes { fgetxattr(descriptor, name, $0, $1) }
  }

  /// The value of an attribute of a file, without following links, or nil.
  static func value(of name: String, path: String) -> [UInt8]? {
    let path = path.asPath
    #if canImport(Darwin)
      return bytes { Darwin.getxattr(path, name, $0, $1, 0, XATTR_NOFOLLOW) }
    #else
      return bytes { lgetxattr(path, name, $0, $1) }
    #endif
  }

  /// Sets an attribute.
  ///
  /// - Returns: whether the file has it now.
  static func set(_ name: String, to value: [UInt8], _ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      let result = Darwin.fsetxattr(descriptor, name, value, value.count, 0, 0)
    #else
      let result = fsetxattr(descriptor, name, value, value.count, 0)
    #endif
    // The system may refuse attributes that it sets by its own policy.
    return result == 0 || Self.value(of: name, descriptor) == value
  }

  /// Gets the size, then the bytes; nil if either fails.
  private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8]? {
    let size = call(nil, 0)
    guard size >= 0 else { return nil }
    var found = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: max(size, 1)) { buffer, count in
      found = buffer.withMemoryRebound(to: CChar.self) { call($0.baseAddress, size) }
      count = max(found, 0)
    }
    return found < 0 ? nil : bytes
  }

  #if canImport(Darwin)
    private static func flistxattr(
      _ descriptor: Int32, _ names: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int { Darwin.flistxattr(descriptor, names, size, 0) }

    private static func fgetxattr(
      _ descriptor: Int32, _ name: String, _ value: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int { Darwin.fgetxattr(descriptor, name, value, size, 0, 0) }
  #endif
}
