// A file's metadata, kept through a replacement and restored by an undo.

import Basics
import PropertyLists

/// Mode, owner, times and extended attributes of a file.
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

  /// Reads what an open file has.
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

  /// Who may read the file.
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

  /// The members of a journal's record.
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
          .members(attributes.map { ($0.name, .string(Self.base64($0.value))) })
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

  private static func base64(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer(capacity: bytes.count * 4 / 3 + 4)
    bytes.withUnsafeBytes { Base64.encode($0, to: &buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static func bytes(ofBase64 text: String) -> [UInt8] {
    var buffer = ByteBuffer(capacity: text.utf8.count)
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, to: &buffer) }
    return buffer.array
  }
}
