// The identity of a file's bytes: SHA-256 (FIPS 180-4).

import ArchiveBasics

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

// MARK: - SHA-256 and HMAC of the system: libcrypto of OpenSSL, loaded when the first file is hashed; CommonCrypto on macOS

#if canImport(CommonCrypto)
  import CommonCrypto

  /// The SHA-256 functions of macOS.
  struct LibCrypto: Sendable {
    static let digestSize = Int(CC_SHA256_DIGEST_LENGTH)

    static func load() throws(ArchiveError) -> LibCrypto { LibCrypto() }

    func hash(_ bytes: ByteView, into digest: UnsafeMutablePointer<UInt8>) {
      _ = CC_SHA256(bytes.baseAddress, CC_LONG(truncatingIfNeeded: bytes.count), digest)
    }

    func authenticate(_ bytes: ByteView, key: [UInt8], into code: UnsafeMutablePointer<UInt8>) {
      CCHmac(
        CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.count, bytes.baseAddress, bytes.count, code)
    }
  }
#else
  internal import COpenSSL

  /// The SHA-256 functions of OpenSSL.
  ///
  /// Not SHA256(), which sets up all of OpenSSL for a millisecond before it hashes the first byte.
  typealias LibCrypto = archtool_libcrypto

  extension LibCrypto {
    static let digestSize = Int(SHA256_DIGEST_LENGTH)
    private static let fileName = "libcrypto.so.3"
    private static let loaded: LibCrypto? =
      SharedLibrary(linux: fileName, darwin: fileName)?.functions(archtool_libcrypto_names())

    /// The library.
    ///
    /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
    static func load() throws(ArchiveError) -> LibCrypto {
      guard let loaded else {
        throw ArchiveError(
          .unsupported,
          "replacing files safely needs SHA-256 of OpenSSL 3 (\(fileName)), which is not installed; "
            + "Debian has it in libssl3")
      }
      return loaded
    }

    func hash(_ bytes: ByteView, into digest: UnsafeMutablePointer<UInt8>) {
      var context = SHA256_CTX()
      _ = begin(&context)
      _ = update(&context, bytes.baseAddress, bytes.count)
      _ = finish(digest, &context)
    }

    func authenticate(_ bytes: ByteView, key: [UInt8], into code: UnsafeMutablePointer<UInt8>) {
      _ = authentication(
        algorithm(), key, Int32(truncatingIfNeeded: key.count), bytes.baseAddress, bytes.count,
        code, nil)
    }
  }
#endif
