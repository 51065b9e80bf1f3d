// Keys: the system's library gives the values of the standards, and no key bag makes the program busy or end.

import ArchiveBasics
import SystemCryptography
import TestSupport
import Testing

@testable import ArchiveBackups

@Suite struct KeyBagTests {
  private static func secret(_ digits: String) -> SecretBytes {
    bytes(digits).withByteView { SecretBytes(copying: $0) }
  }

  /// RFC 3394, 4.6, and changes to it.
  @Test func keysAreUnwrappedAsTheStandardSays() throws {
    let library = try BackupCryptography.load()
    let key = Self.secret("000102030405060708090A0B0C0D0E0F 101112131415161718191A1B1C1D1E1F")
    let clear = bytes("00112233445566778899AABBCCDDEEFF 000102030405060708090A0B0C0D0E0F")
    var wrapped = bytes(
      "28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326 CBC7F0E71A99F43B FB988B9B7A02DD21")
    func unwrapped() -> [UInt8]? {
      wrapped.withByteView { library.unwrapped($0, by: key) }.map { Array($0.bytes) }
    }
    #expect(unwrapped() == clear)
    for index in wrapped.indices {
      wrapped[index] ^= 1
      #expect(unwrapped() == nil)
      wrapped[index] ^= 1
    }
    wrapped.removeLast()
    #expect(unwrapped() == nil)
    wrapped = []
    #expect(unwrapped() == nil)
  }

  /// RFC 6070, RFC 7914 (11), NIST SP 800-38A (F.1.6) and FIPS 180-4.
  @Test func passwordsAndBlocksAreThoseOfTheStandards() throws {
    let library = try BackupCryptography.load()
    func key(_ password: String, _ hash: BackupCryptography.Hash, _ rounds: UInt32) -> [UInt8]? {
      let secret = Array(password.utf8).withByteView { SecretBytes(copying: $0) }
      return library.key(of: secret, hash, salt: ByteView("salt"), rounds: rounds).map {
        Array($0.bytes)
      }
    }
    #expect(
      key("password", .sha1, 4096)?.starts(with: bytes("4b007901b765489abead49d926f721d065a429c1"))
        == true)
    #expect(
      key("passwd", .sha256, 1)
        == bytes("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"))
    let aes = Self.secret("603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4")
    let block = bytes("f3eed1bdb5d2a03c064b5a7e3db181f8")
    let clear = block.withByteView { library.decrypted($0, by: aes) }
    #expect(clear.map { Array($0.bytes) } == bytes("6bc1bee22e409f96e93d7e117393172a"))
    #expect(block.dropLast().map { $0 }.withByteView { library.decrypted($0, by: aes) } == nil)
    #expect(library.sha1(Array("abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    // The name of the messages in every backup.
    #expect(
      library.sha1(Array("HomeDomain-Library/SMS/sms.db".utf8))
        == "3d0d7e5fb2ce288813306e4d4636395e047a3d28")
  }

  /// An entry of a key bag.
  private static func entry(_ tag: String, _ value: [UInt8]) -> [UInt8] {
    let count = (0..<4).map { UInt8(truncatingIfNeeded: value.count >> (24 - 8 * $0)) }
    return Array(tag.utf8) + count + value
  }

  private static func entry(_ tag: String, _ number: UInt32) -> [UInt8] {
    entry(tag, (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
  }

  private static let uuid = entry("UUID", [UInt8](repeating: 7, count: 16))
  private static let salt = entry("SALT", [UInt8](repeating: 1, count: 20))
  private static let firstSalt = entry("DPSL", [UInt8](repeating: 2, count: 20))

  private static func error(of bag: [UInt8], password: String = "x") -> ArchiveError? {
    do throws(ArchiveError) {
      let secret = Array(password.utf8).withByteView { SecretBytes(copying: $0) }
      _ = try KeyBag(ByteStorage(copying: bag)).unlocked(by: secret, .load())
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    [], entry("SALT", []), salt, entry("ITER", 1), salt + entry("ITER", 0),
    salt + entry("ITER", 1_000_001), salt + entry("ITER", .max), salt + entry("ITER", [1]),
    salt + entry("ITER", 1), salt + entry("ITER", 1) + firstSalt + entry("DPIC", 0),
    salt + entry("ITER", 1) + firstSalt + entry("DPIC", 50_000_001),
    Array("SALT".utf8), Array("SALT".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1],
    // The keys of a class that also needs the device's key.
    uuid + salt + entry("ITER", 1) + uuid + entry("CLAS", 9) + entry("WRAP", 3)
      + entry("WPKY", [UInt8](repeating: 3, count: 40)),
  ])
  func keyBagsThatCannotBeUsedAreErrors(_ bag: [UInt8]) {
    let error = Self.error(of: bag)
    #expect(error?.code == .malformed || error?.code == .truncated, "\(String(describing: error))")
  }

  @Test func aKeyOfAnotherPasswordIsAWrongPassword() {
    let bag =
      Self.uuid + Self.salt + Self.entry("ITER", 1) + Self.uuid + Self.entry("CLAS", 4)
      + Self.entry("WRAP", 2) + Self.entry("WPKY", [UInt8](repeating: 3, count: 40))
    #expect(Self.error(of: bag)?.code == .cannotOpen)
    #expect(Self.error(of: bag, password: "")?.code == .cannotOpen)
  }
}
