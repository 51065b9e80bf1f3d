// The secret with which a user's journals and plans are sealed, so that nobody else can write one.

import Basics

/// A user's key: 32 random bytes in a file that only the user can read.
package struct SealingKey: Sendable {
  /// 16 hexadecimal digits that identify a key without revealing its bytes.
  package let name: String
  private let bytes: [UInt8]
  private let library: LibCrypto

  private static let size = 32
  private static let fileName = "key"

  private init(_ bytes: [UInt8]) throws(ArchiveError) {
    self.bytes = bytes
    library = try LibCrypto.load()
    let digest = Array("archtool".utf8).withUnsafeBytes { [library] text in
      ContentHash(of: text, key: bytes, by: library)
    }
    name = String(digest.description.prefix(16))
  }

  /// The HMAC-SHA-256 of bytes under the key.
  func code(of text: [UInt8]) -> ContentHash {
    text.withUnsafeBytes { ContentHash(of: $0, key: bytes, by: library) }
  }

  // MARK: The file

  /// The user's key, which is created if it does not exist.
  ///
  /// - Parameter folder: archtool's folder among the user's state, which is made as well.
  /// - Throws: `ArchiveError`: `cannotCreate` or `inputOutput` if the key cannot be made, `cannotOpen` if it is not
  ///   the user's alone.
  package static func made(in folder: String) throws(ArchiveError) -> SealingKey {
    if let key = try found(in: folder) { return key }
    try checkOwner(above: folder)
    try AtomicFile.makeFolder(folder)
    var random = SystemRandomNumberGenerator()
    let secret = ByteStorage(
      copying: (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    do throws(ArchiveError) {
      try AtomicFile.write(
        secret.bytes, to: "\(folder)/\(fileName)", existing: .refuse, allowing: .owner)
    } catch {
      // Another run may have created it meanwhile; that key is read below.
      guard access("\(folder)/\(fileName)".asPath, F_OK) == 0 else { throw error }
    }
    guard let key = try found(in: folder) else {
      throw ArchiveError(.cannotCreate, "the key \(folder)/\(fileName) is gone again")
    }
    return key
  }

  /// The user's key; nil if it does not exist.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput` if it is not the user's alone, or damaged.
  package static func found(in folder: String) throws(ArchiveError) -> SealingKey? {
    let path = "\(folder)/\(fileName)"
    let descriptor = retryingInterrupts {
      open(path.asPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard descriptor >= 0 else {
      throw ArchiveError(.cannotOpen, "cannot open the key \(path): \(systemMessage())")
    }
    let file = OpenFile(descriptor: descriptor)
    guard let status = FileStatus(of: descriptor) else {
      throw ArchiveError(.inputOutput, "cannot inspect the key \(path): \(systemMessage())")
    }
    guard status.isFile else {
      let kind = status.isFolder ? "a folder" : "not a regular file"
      throw ArchiveError(
        .cannotOpen,
        "the key \(path) is \(kind); remove it, or set XDG_STATE_HOME to another folder")
    }
    guard status.st_uid == geteuid() else {
      throw ArchiveError(
        .cannotOpen,
        "the key \(path) belongs to user \(status.st_uid), not to you; set HOME or XDG_STATE_HOME to folders of your own"
      )
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ArchiveError(
        .cannotOpen,
        "other users may read or write the key \(path); delete it, and check journals and plans before you use --trust"
      )
    }
    let storage = try file.contents()
    guard storage.bytes.count == size else {
      throw ArchiveError(
        .cannotOpen,
        "the key \(path) is damaged: it has \(storage.bytes.count) bytes, not \(size); delete it, and use --trust for journals and plans that it sealed"
      )
    }
    return try SealingKey(Array(storage.bytes))
  }

  /// Refuses to make a key of root's in a folder of somebody else's, as sudo(8) does that keeps HOME.
  private static func checkOwner(above folder: String) throws(ArchiveError) {
    guard geteuid() == 0 else { return }
    var path = folder
    var status = FileStatus(of: path)
    while status == nil, path.utf8.count > 1 {
      path = AtomicFile.folder(of: path)
      status = FileStatus(of: path)
    }
    guard let status, status.st_uid != 0 else { return }
    throw ArchiveError(
      .cannotCreate,
      "\(path) belongs to user \(status.st_uid), and root keeps no key there; use sudo -H, or set XDG_STATE_HOME to a folder of root's"
    )
  }
}
