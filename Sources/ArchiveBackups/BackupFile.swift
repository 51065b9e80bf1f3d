// A file of a backup: its name on the device, where its bytes are, and what decrypts them.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives
import SystemCryptography

/// A regular file that a backup lists.
package struct BackupFile: Sendable {
  /// The domain, such as `HomeDomain`.
  package let domain: String
  /// The path in the domain; it may be hostile, and is only a name.
  package let path: String
  /// The path of the file with its bytes, which may be missing.
  package let storedPath: String
  /// What decrypts it; nil in a backup that is not encrypted.
  let protection: Protection?

  /// What decrypts a file.
  struct Protection: Sendable {
    let record: Record
    let keys: ClassKeys
  }

  /// What the list says of an encrypted file.
  enum Record: Sendable {
    /// A keyed archive of an MBFile.
    case archive(ByteStorage)
    /// The wrapped key, nil for a file that is not encrypted, and the size.
    case members(key: ByteStorage?, size: Int64)
  }

  /// The name on the device: `DOMAIN/path`.
  package var name: String { "\(domain)/\(path)" }
  /// Whether its bytes are a secret, which nothing may write to a file that others can read.
  package var isEncrypted: Bool { protection != nil }

  /// What a file that is made of it may allow.
  package var permissions: FilePermissions {
    isEncrypted ? .owner : FilePermissions(of: storedPath)
  }

  /// Where the bytes are, under the SHA-1 of `domain-path`: since iOS 10 in a folder of the identifier's first two digits, before in that of the backup.
  static func storedPath(of identifier: String, in folder: String) -> String {
    let nested = "\(folder)/\(identifier.prefix(2))/\(identifier)"
    let flat = "\(folder)/\(identifier)"
    return FileStatus(of: nested, followsLinks: false) == nil
      && FileStatus(of: flat, followsLinks: false) != nil ? flat : nested
  }
}

extension BackupFile: Hashable {
  /// Whether both are the same file of a backup.
  package static func == (left: BackupFile, right: BackupFile) -> Bool {
    left.storedPath == right.storedPath && left.name == right.name
  }

  /// Hashes the names.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(storedPath)
    hasher.combine(name)
  }
}

// MARK: - The bytes

extension BackupFile {
  /// The file's bytes, decrypted in memory.
  ///
  /// - Throws: `ArchiveError` if they cannot be read or decrypted.
  package func open() throws(ArchiveError) -> ByteStorage {
    let bytes = try stored().contents()
    guard let protection, !bytes.bytes.isEmpty else { return bytes }
    let (key, size) = try protection.key()
    guard let key else { return bytes }
    guard let clear = protection.keys.cryptography.decrypted(bytes.bytes, by: key) else {
      throw Self.damaged("it has \(bytes.bytes.count) bytes, which are no whole blocks")
    }
    let count = try Self.size(of: clear.bytes, recorded: size)
    return clear.prefix(count)
  }

  /// The first bytes, decrypted in memory, or a few more.
  ///
  /// - Throws: `ArchiveError` if they cannot be read or decrypted.
  package func beginning(_ count: Int) throws(ArchiveError) -> ByteStorage {
    let block = BackupCryptography.blockSize
    let file = try stored()
    // The padding at the end of a short file is none of its bytes.
    let whole = (count + block - 1) / block * block
    if isEncrypted, try file.status().st_size <= whole { return try open() }
    let bytes = try file.bytes(whole).orSystemError(.inputOutput, "cannot read")
    let beginning = ByteStorage(copying: bytes)
    guard let protection, !bytes.isEmpty, let key = try protection.key().key else {
      return beginning
    }
    let blocks = beginning.bytes.part(0..<bytes.count / block * block)
    guard let clear = protection.keys.cryptography.decrypted(blocks, by: key) else {
      throw Self.damaged("nothing comes of it")
    }
    return clear
  }

  /// Opens the stored file, whose bytes may be encrypted; a link in its place could lead to any file.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` or `inputOutput`.
  package func stored() throws(ArchiveError) -> OpenFile {
    guard let file = OpenFile(storedPath, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) else {
      let reason = errno == ELOOP ? "it is not a regular file" : systemMessage()
      throw ArchiveError(.cannotOpen, "cannot open \(storedPath): \(reason)")
    }
    guard try file.status().isFile else {
      throw ArchiveError(.cannotOpen, "cannot open \(storedPath): it is not a regular file")
    }
    return file
  }

  /// How many of the decrypted bytes are the file's: without the padding (PKCS #7), or the recorded size.
  private static func size(of clear: ByteView, recorded: Int64?) throws(ArchiveError) -> Int {
    let padding = Int(clear.last ?? 0)
    if (1...BackupCryptography.blockSize).contains(padding),
      clear.suffix(padding).allSatisfy({ Int($0) == padding })
    {
      return clear.count - padding
    }
    guard let size = recorded.flatMap({ Int(exactly: $0) }), size >= 0,
      (0..<BackupCryptography.blockSize).contains(clear.count - min(size, clear.count + 1))
    else { throw damaged("neither its end nor its size fits what was decrypted") }
    return size
  }

  static func damaged(_ problem: String) -> ArchiveError {
    ArchiveError(.malformed, "the file of the backup is damaged: \(problem)")
  }
}

extension ByteStorage {
  /// The first bytes; the storage stays with them.
  fileprivate func prefix(_ count: Int) -> ByteStorage {
    ByteStorage(owning: bytes.part(0..<count).unchecked) { _ in withExtendedLifetime(self) {} }
  }
}

extension BackupFile.Protection {
  /// The key of the file, nil if it is not encrypted, and its recorded size.
  func key() throws(ArchiveError) -> (key: SecretBytes?, size: Int64?) {
    switch record {
    case .members(let key, let size):
      return (try key.map { (key) throws(ArchiveError) in try keys.unwrapped(key.bytes) }, size)
    case .archive(let archive):
      let members = try ManifestMembers(archive)
      let size = members.integer("Size")
      guard let key = members.data("EncryptionKey") else { return (nil, size) }
      return (try keys.unwrapped(key), size)
    }
  }
}

/// The members of a property list, or of the object in a keyed archive, in a backup's manifest.
struct ManifestMembers {
  private let graph: ObjectGraph

  /// Reads a list.
  ///
  /// - Throws: `ArchiveError` if it cannot be decoded.
  init(_ storage: ByteStorage) throws(ArchiveError) {
    graph = try ArchiveReader().read(storage, nested: false)
    if let error = graph.contentError(of: graph.root) { throw error }
  }

  private func value(_ key: String) -> Value {
    guard let node = try? graph.node(at: GraphPath([.key(key)]), from: graph.root) else {
      return .null
    }
    return graph.value(of: node)
  }

  func isTrue(_ key: String) -> Bool {
    if case .boolean(true) = value(key) { true } else { false }
  }

  /// The data of a member, valid as long as this is; nil if it is missing or something else.
  func data(_ key: String) -> ByteView? {
    if case .data(let bytes) = value(key) { bytes } else { nil }
  }

  /// The number of a member; nil if it is missing or something else.
  func integer(_ key: String) -> Int64? {
    if case .integer(let number) = value(key) { number } else { nil }
  }
}
