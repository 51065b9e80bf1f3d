// The keys of an encrypted backup (Apple, iOS Security Guide, "Keybags"; the format as libimobiledevice and
// iphone-dataprotection read it): entries of a tag of four letters, a length and a value.

import ArchiveBasics
import SystemCryptography

/// The keys of the protection classes, which the password of the backup opens.
struct KeyBag {
  private struct ClassKey {
    var number: UInt32?
    var wrapping: UInt32?
    var wrapped: ByteView?
  }

  /// A step from a password to a key.
  private struct Derivation {
    let hash: BackupCryptography.Hash
    let salt: ByteView
    let rounds: UInt32
  }

  /// Five times as many rounds as devices write for SHA-256, and a hundred times as many for SHA-1: more would only keep
  /// the program busy.
  private static let (mostRounds, mostSHA1Rounds): (UInt32, UInt32) = (50_000_000, 1_000_000)
  /// What wraps a key that only the password opens; other keys need that of the device as well.
  private static let wrappedByPassword: UInt32 = 2

  private let derivations: [Derivation]
  private let classKeys: [ClassKey]
  private let storage: ByteStorage

  /// Reads a key bag.
  ///
  /// - Throws: `ArchiveError` if it is damaged, or asks for too many rounds.
  init(_ storage: ByteStorage) throws(ArchiveError) {
    self.storage = storage
    var cursor = ByteCursor(storage.bytes, at: 0, of: "key bag", isBigEndian: true)
    var header: [String: ByteView] = [:]
    var classKeys: [ClassKey] = []
    while cursor.position < cursor.limit {
      let tag = String(decoding: try cursor.read(4, "a tag"), as: UTF8.self)
      let value = try cursor.read(try cursor.count(4, "the length of \(tag)"), tag)
      // The first UUID is that of the bag, and each further one begins a class.
      if tag == "UUID", header[tag] != nil { classKeys.append(ClassKey()) }
      guard let last = classKeys.indices.last else {
        header[tag] = value
        continue
      }
      switch tag {
      case "CLAS": classKeys[last].number = Self.number(value).map { $0 & ClassKeys.mask }
      case "WRAP": classKeys[last].wrapping = Self.number(value)
      case "WPKY": classKeys[last].wrapped = value
      default: break
      }
    }
    self.classKeys = classKeys
    // Since iOS 10.2 there is a step before the one that there always was.
    let first = try Self.derivation(.sha256, header, "DPSL", "DPIC", most: Self.mostRounds)
    let second = try Self.derivation(.sha1, header, "SALT", "ITER", most: Self.mostSHA1Rounds)
    guard let second else { throw Self.damaged("it has no SALT and ITER") }
    derivations = [first, second].compactMap { $0 }
  }

  private static func derivation(
    _ hash: BackupCryptography.Hash, _ header: [String: ByteView], _ salt: String,
    _ rounds: String, most: UInt32
  ) throws(ArchiveError) -> Derivation? {
    guard let bytes = header[salt], let count = header[rounds] else { return nil }
    guard let number = number(count), (1...most).contains(number) else {
      throw damaged("its \(rounds) is not from 1 to \(Counted.number(Int(most)))")
    }
    return Derivation(hash: hash, salt: bytes, rounds: number)
  }

  private static func number(_ bytes: ByteView) -> UInt32? {
    bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
  }

  private static func damaged(_ problem: String) -> ArchiveError {
    ArchiveError(.malformed, "the key bag of the backup cannot be used: \(problem)")
  }

  /// Opens the keys.
  ///
  /// - Throws: `ArchiveError` with code `cannotOpen` for a wrong password.
  func unlocked(
    by password: SecretBytes, _ cryptography: BackupCryptography
  ) throws(ArchiveError) -> ClassKeys {
    var key = password
    for step in derivations {
      let next = cryptography.key(of: key, step.hash, salt: step.salt, rounds: step.rounds)
      guard let next else { throw Self.damaged("no key comes of it") }
      key = next
    }
    var keys: [UInt32: SecretBytes] = [:]
    var isWrong = false
    for classKey in classKeys where classKey.wrapping == Self.wrappedByPassword {
      guard let number = classKey.number, let wrapped = classKey.wrapped else { continue }
      keys[number] = cryptography.unwrapped(wrapped, by: key)
      isWrong = true
    }
    withExtendedLifetime(storage) {}
    if keys.isEmpty {
      throw isWrong
        ? ArchiveError(.cannotOpen, "is an encrypted backup, and the password is not its own")
        : Self.damaged("no class of it has a key that the password opens")
    }
    return ClassKeys(keys, cryptography)
  }
}

/// The opened keys of a backup's protection classes; they are wiped with the last reference.
final class ClassKeys: Sendable {
  /// The bits of a class's number; others are flags.
  static let mask: UInt32 = 0xF

  let cryptography: BackupCryptography
  private let keys: [UInt32: SecretBytes]

  init(_ keys: [UInt32: SecretBytes], _ cryptography: BackupCryptography) {
    (self.keys, self.cryptography) = (keys, cryptography)
  }

  /// Opens a key that begins with the number of its class, the least significant byte first.
  ///
  /// - Throws: `ArchiveError` if it is damaged, or of a class whose key the password does not open.
  func unwrapped(_ bytes: ByteView) throws(ArchiveError) -> SecretBytes {
    var cursor = ByteCursor(bytes, at: 0, of: "key")
    let number = UInt32(truncatingIfNeeded: try cursor.number(4, "the class of a key")) & Self.mask
    guard let classKey = keys[number] else {
      throw ArchiveError(
        .unsupported, "is encrypted for class \(number), whose key the password does not open")
    }
    let wrapped = bytes.part(from: cursor.position)
    guard let key = cryptography.unwrapped(wrapped, by: classKey) else {
      throw ArchiveError(.malformed, "its key is damaged: that of class \(number) does not open it")
    }
    return key
  }
}
