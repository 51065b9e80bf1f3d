// A change as a journal has it: enough to see whether it happened, and to take it back.

import Basics
import PropertyLists

/// The state of a location before and after a change.
struct ChangeRecord: Sendable {
  /// A file before the change.
  struct Old: Sendable {
    let hash: ContentHash
    let size: Int
    let metadata: FileMetadata
  }

  /// A file after the change.
  struct New: Sendable {
    /// Nil in a run without a journal: nothing will be compared with it.
    let hash: ContentHash?
    let size: Int
  }

  let place: FileLocation
  /// The temporary name of the new bytes.
  let temporary: String?
  /// The file before; nil if it did not exist.
  let old: Old?
  /// The file after; nil if it is deleted.
  let new: New?

  init(place: FileLocation, temporary: String?, old: Old?, new: New?) {
    self.place = place
    self.temporary = temporary
    self.old = old
    self.new = new
  }

  /// The record as a journal's member.
  var tree: JSONTree {
    var old = JSONTree.null
    if let known = self.old {
      old = .members(Self.members(known.hash, known.size) + known.metadata.members)
    }
    return .members([
      ("path", .string(place.path)), ("temporary", temporary.map { .string($0) } ?? .null),
      ("old", old), ("new", new.map { .members(Self.members($0.hash, $0.size)) } ?? .null),
    ])
  }

  private static func members(_ hash: ContentHash?, _ size: Int) -> [(String, JSONTree)] {
    [("sha256", hash.map { .string($0.description) } ?? .null), ("size", .integer(size))]
  }

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - tree: the member of a journal.
  ///   - root: the folder that must contain the location.
  /// - Throws: `ArchiveError` with code `malformed`.
  init(_ tree: JSONTree, below root: String) throws(ArchiveError) {
    guard let path = tree["path"]?.string, let old = tree["old"], let new = tree["new"],
      let temporary = tree["temporary"]
    else {
      throw ArchiveError(.malformed, "a change lacks path, temporary, old or new")
    }
    place = try Self.place(path, below: root)
    self.temporary = temporary.string
    if old == .null {
      self.old = nil
    } else {
      guard let (hash, size) = Self.content(old), let metadata = FileMetadata(old) else {
        throw ArchiveError(.malformed, "the description of the old file is invalid")
      }
      self.old = Old(hash: hash, size: size, metadata: metadata)
    }
    if new == .null {
      self.new = nil
    } else {
      guard let (hash, size) = Self.content(new) else {
        throw ArchiveError(.malformed, "the description of the new file is invalid")
      }
      self.new = New(hash: hash, size: size)
    }
  }

  private static func content(_ tree: JSONTree) -> (ContentHash, Int)? {
    guard let hash = tree["sha256"]?.string.flatMap({ ContentHash(hexadecimal: $0) }),
      case .integer(let size)? = tree["size"], size >= 0
    else { return nil }
    return (hash, size)
  }

  static func place(_ path: String, below root: String) throws(ArchiveError) -> FileLocation {
    // Bytes, not characters: a combining mark may follow a slash.
    let prefix = Array((root == "/" ? "/" : root + "/").utf8)
    guard path.utf8.starts(with: prefix) else {
      throw ArchiveError(.malformed, "the path \(path) is not below \(root)")
    }
    return try FileLocation(
      root: root, relativePath: String(decoding: path.utf8.dropFirst(prefix.count), as: UTF8.self))
  }

  // MARK: On the disk

  /// The current file.
  enum Standing: Sendable {
    /// The file before the change.
    case old
    /// The file after the change.
    case new
    /// Anything else.
    case other
  }

  /// Looks at the disk.
  ///
  /// - Throws: `ArchiveError` if the folder or the file cannot be looked at.
  func standing(in folder: FolderHandle) throws(ArchiveError) -> Standing {
    standing(of: try content(in: folder))
  }

  /// The bytes of the current file; nil if there is no file.
  ///
  /// - Throws: `ArchiveError` if the folder or the file cannot be looked at.
  func content(in folder: FolderHandle) throws(ArchiveError) -> ContentHash? {
    guard let file = try folder.file(place.name) else { return nil }
    return try ContentHash(of: try file.contents())
  }

  /// Which state the found bytes belong to.
  func standing(of hash: ContentHash?) -> Standing {
    guard let hash else { return new == nil ? .new : old == nil ? .old : .other }
    if hash == new?.hash { return .new }
    return hash == old?.hash ? .old : .other
  }
}
