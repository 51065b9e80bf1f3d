// The identity of a file's bytes: SHA-256 (FIPS 180-4).

import ArchiveBasics
import SystemCryptography

/// The SHA-256 of bytes.
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  private let words: SIMD4<UInt64>

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
    var digest = [UInt8](repeating: 0, count: LibCrypto.digestSize)
    digest.withUnsafeMutableBufferPointer { digest in
      if let start = digest.baseAddress { compute(start) }
    }
    var words = SIMD4<UInt64>()
    for (index, byte) in digest.prefix(32).enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = words
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
    let digits = Array(text.utf8)
    var words = SIMD4<UInt64>()
    for index in 0..<4 {
      let part = String(decoding: digits[index * 16..<index * 16 + 16], as: UTF8.self)
      guard let word = UInt64(part, radix: 16) else { return nil }
      words[index] = word
    }
    self.words = words
  }

  /// The 32 bytes of the hash.
  package var bytes: [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
  }

  /// The hash as 64 hexadecimal digits in ASCII.
  var digits: [UInt8] { Array(description.utf8) }

  /// The hash as 64 hexadecimal digits.
  package var description: String {
    (0..<4).map { String(words[$0], radix: 16, width: 16) }.joined()
  }
}
