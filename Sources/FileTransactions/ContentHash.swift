// The identity of a file's bytes: SHA-256 (FIPS 180-4).

import ArchiveBasics
import ArchivePropertyLists
import SystemCryptography

/// The SHA-256 of bytes.
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the hash.
  package let bytes: [UInt8]

  /// Hashes bytes.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if the system's library for it is missing.
  package init(of bytes: ByteView) throws(ArchiveError) {
    let library = try LibCrypto.load()
    self.init { library.hash(bytes, into: $0) }
  }

  /// Hashes bytes under a key: HMAC-SHA-256 (RFC 2104).
  init(of bytes: ByteView, key: [UInt8], by library: LibCrypto) {
    self.init { library.authenticate(bytes, key: key, into: $0) }
  }

  private init(_ compute: (UnsafeMutablePointer<UInt8>) -> Void) {
    bytes = [UInt8](unsafeUninitializedCapacity: LibCrypto.digestSize) { digest, count in
      if let start = digest.baseAddress { compute(start) }
      count = LibCrypto.digestSize
    }
  }

  /// Hashes a storage.
  ///
  /// - Throws: as `init(of:)` of bytes does.
  package init(of storage: ByteStorage) throws(ArchiveError) {
    try self.init(of: storage.bytes)
    withExtendedLifetime(storage) {}
  }

  /// Reads 64 hexadecimal digits in lower case; nil if the text is anything else.
  package init?(hexadecimal text: String) {
    guard text.isHexadecimal(count: 64) else { return nil }
    let digits = text.utf8.map { hexadecimalDigit($0) ?? 0 }
    bytes = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The hash as 64 hexadecimal digits in ASCII.
  var digits: [UInt8] { Array(description.utf8) }

  /// The hash as 64 hexadecimal digits.
  package var description: String { bytes.map { hexadecimal($0) }.joined() }
}
