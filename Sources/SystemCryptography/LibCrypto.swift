// SHA-256, HMAC, PBKDF2 and AES of the system: libcrypto of OpenSSL, loaded when it is first needed; CommonCrypto on macOS.

import ArchiveBasics

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  internal import COpenSSL
#endif

/// SHA-256 and its HMAC.
package struct LibCrypto: Sendable {
  /// How many bytes a SHA-256 has.
  package static let digestSize = 32

  #if !canImport(CommonCrypto)
    private let functions: archtool_libcrypto
  #endif
}

/// What opens encrypted backups.
package struct BackupCryptography: Sendable {
  /// How many bytes a SHA-1 has.
  package static let sha1Size = 20
  /// How many bytes a key of AES-256 has.
  package static let keySize = 32
  /// How many bytes AES decrypts at a time.
  package static let blockSize = 16
  /// How many bytes a wrapped key has more than the key.
  package static let wrappingSize = 8

  /// A hash function of PBKDF2.
  package enum Hash {
    case sha1, sha256
  }

  /// How the bytes before a wrapped key are, once it is unwrapped (RFC 3394, 2.2.3.1).
  private static let wrappingMark = [UInt8](repeating: 0xA6, count: wrappingSize)

  /// The most bytes that are passed to the library at once: a multiple of a block.
  private static let largestStep = 1 << 30

  #if !canImport(CommonCrypto)
    private let functions: archtool_libcrypto_backups
  #endif
}

extension BackupCryptography {
  /// SHA-1 as 40 hexadecimal digits.
  package func sha1(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Self.sha1Size)
    hash(bytes, into: &digest)
    return digest.map(hexadecimal).joined()
  }

  /// A key made of a password: PBKDF2 (RFC 8018, 5.2).
  ///
  /// - Returns: nil if the library refuses.
  package func key(
    of password: SecretBytes, _ hash: Hash, salt: ByteView, rounds: UInt32
  ) -> SecretBytes? {
    SecretBytes(count: Self.keySize) { key in
      derive(password.bytes, hash, salt, rounds, into: key)
    }
  }

  /// A key that another one wraps: RFC 3394.
  ///
  /// - Returns: nil if it is wrapped by another key, or is not of AES-256.
  package func unwrapped(_ wrapped: ByteView, by key: SecretBytes) -> SecretBytes? {
    guard key.bytes.count == Self.keySize, wrapped.count == Self.keySize + Self.wrappingSize else {
      return nil
    }
    return SecretBytes(count: Self.keySize) { unwrap(wrapped, key.bytes, into: $0) }
  }

  /// Decrypts whole blocks: AES-256-CBC with zeros as the initialization vector; any padding stays.
  ///
  /// - Returns: nil if the bytes are not whole blocks, or the library refuses.
  package func decrypted(_ bytes: ByteView, by key: SecretBytes) -> ByteStorage? {
    guard bytes.count.isMultiple(of: Self.blockSize), key.bytes.count == Self.keySize else {
      return nil
    }
    let clear = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: Self.blockSize)
    guard decrypt(bytes, key.bytes, into: clear) else {
      clear.deallocate()
      return nil
    }
    return ByteStorage(owning: UnsafeRawBufferPointer(rebasing: clear[..<bytes.count])) {
      $0.deallocate()
    }
  }
}

#if canImport(CommonCrypto)
  extension LibCrypto {
    /// The library.
    package static func load() throws(ArchiveError) -> LibCrypto { LibCrypto() }

    /// Hashes bytes.
    package func hash(_ bytes: ByteView, into digest: UnsafeMutablePointer<UInt8>) {
      _ = CC_SHA256(bytes.baseAddress, CC_LONG(truncatingIfNeeded: bytes.count), digest)
    }

    /// Hashes bytes under a key.
    package func authenticate(
      _ bytes: ByteView, key: [UInt8], into code: UnsafeMutablePointer<UInt8>
    ) {
      CCHmac(
        CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.count, bytes.baseAddress, bytes.count, code)
    }
  }

  extension BackupCryptography {
    /// The library.
    package static func load() throws(ArchiveError) -> BackupCryptography { BackupCryptography() }

    private func hash(_ bytes: [UInt8], into digest: inout [UInt8]) {
      _ = CC_SHA1(bytes, CC_LONG(truncatingIfNeeded: bytes.count), &digest)
    }

    private func derive(
      _ password: ByteView, _ hash: Hash, _ salt: ByteView, _ rounds: UInt32,
      into key: UnsafeMutableRawBufferPointer
    ) -> Bool {
      let function = hash == .sha1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA256
      return CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), password.baseAddress?.assumingMemoryBound(to: CChar.self),
        password.count, salt.baseAddress?.assumingMemoryBound(to: UInt8.self), salt.count,
        CCPseudoRandomAlgorithm(function), rounds,
        key.baseAddress?.assumingMemoryBound(to: UInt8.self), Self.keySize)
        == Int32(kCCSuccess)
    }

    private func unwrap(
      _ wrapped: ByteView, _ key: ByteView, into clear: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var count = Self.keySize
      return CCSymmetricKeyUnwrap(
        CCWrappingAlgorithm(kCCWRAPAES), Self.wrappingMark, Self.wrappingSize,
        key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count,
        wrapped.baseAddress?.assumingMemoryBound(to: UInt8.self), wrapped.count,
        clear.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == Int32(kCCSuccess)
        && count == Self.keySize
    }

    private func decrypt(
      _ bytes: ByteView, _ key: ByteView, into clear: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var count = 0
      return CCCrypt(
        CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, key.baseAddress, key.count, nil,
        bytes.baseAddress, bytes.count, clear.baseAddress, clear.count, &count)
        == CCCryptorStatus(kCCSuccess) && count == bytes.count
    }
  }
#else
  private let fileName = "libcrypto.so.3"

  /// The functions of a table, if the library is installed and has them.
  private func functions<Pointers>(
    _ names: UnsafePointer<UnsafePointer<CChar>?>
  ) -> Pointers? {
    SharedLibrary(linux: fileName, darwin: fileName)?.functions(names)
  }

  /// What was found of the library.
  ///
  /// - Parameter need: what needs it.
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  private func needed<Pointers>(
    _ pointers: Pointers?, _ need: String
  ) throws(ArchiveError) -> Pointers {
    guard let pointers else {
      throw ArchiveError(
        .unsupported,
        "\(need) of OpenSSL 3 (\(fileName)), which is not installed; Debian has it in libssl3")
    }
    return pointers
  }

  /// Not SHA256(), which sets up all of OpenSSL for a millisecond before it hashes the first byte.
  extension LibCrypto {
    private static let loaded: archtool_libcrypto? = SystemCryptography.functions(
      archtool_libcrypto_names())

    /// The library.
    ///
    /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
    package static func load() throws(ArchiveError) -> LibCrypto {
      LibCrypto(functions: try needed(loaded, "replacing files safely needs SHA-256"))
    }

    /// Hashes bytes.
    package func hash(_ bytes: ByteView, into digest: UnsafeMutablePointer<UInt8>) {
      var context = SHA256_CTX()
      _ = functions.begin(&context)
      _ = functions.update(&context, bytes.baseAddress, bytes.count)
      _ = functions.finish(digest, &context)
    }

    /// Hashes bytes under a key.
    package func authenticate(
      _ bytes: ByteView, key: [UInt8], into code: UnsafeMutablePointer<UInt8>
    ) {
      _ = functions.authentication(
        functions.algorithm(), key, Int32(truncatingIfNeeded: key.count), bytes.baseAddress,
        bytes.count, code, nil)
    }
  }

  extension BackupCryptography {
    private static let loaded: archtool_libcrypto_backups? = SystemCryptography.functions(
      archtool_libcrypto_backups_names())

    /// The library.
    ///
    /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
    package static func load() throws(ArchiveError) -> BackupCryptography {
      BackupCryptography(functions: try needed(loaded, "reading this backup needs SHA-1 and AES"))
    }

    private func hash(_ bytes: [UInt8], into digest: inout [UInt8]) {
      _ = functions.sha1(bytes, bytes.count, &digest)
    }

    private func derive(
      _ password: ByteView, _ hash: Hash, _ salt: ByteView, _ rounds: UInt32,
      into key: UnsafeMutableRawBufferPointer
    ) -> Bool {
      functions.derive(
        password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: password.count),
        salt.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(clamping: salt.count),
        Int32(clamping: rounds),
        hash == .sha1 ? functions.sha1Algorithm() : functions.sha256Algorithm(),
        Int32(Self.keySize), key.baseAddress?.assumingMemoryBound(to: UInt8.self)) == 1
    }

    private func unwrap(
      _ wrapped: ByteView, _ key: ByteView, into clear: UnsafeMutableRawBufferPointer
    ) -> Bool {
      var schedule = AES_KEY()
      defer { withUnsafeMutableBytes(of: &schedule) { SecretBytes.wipe($0) } }
      guard
        functions.setUnwrappingKey(
          key.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(Self.keySize * 8), &schedule)
          == 0
      else { return false }
      return functions.unwrap(
        &schedule, Self.wrappingMark, clear.baseAddress?.assumingMemoryBound(to: UInt8.self),
        wrapped.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(wrapped.count))
        == Int32(Self.keySize)
    }

    private func decrypt(
      _ bytes: ByteView, _ key: ByteView, into clear: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard let output = clear.baseAddress, let context = functions.makeContext() else {
        return false
      }
      // This wipes the key as well.
      defer { functions.freeContext(context) }
      let vector = [UInt8](repeating: 0, count: Self.blockSize)
      guard
        functions.beginDecryption(
          context, functions.cipher(), nil, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          vector) == 1, functions.setPadding(context, 0) == 1
      else { return false }
      var done = 0
      while done < bytes.count {
        let step = min(bytes.count - done, Self.largestStep)
        var written: Int32 = 0
        guard
          functions.decrypt(
            context, (output + done).assumingMemoryBound(to: UInt8.self), &written,
            bytes.part(from: done).baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(step))
            == 1, Int(written) == step
        else { return false }
        done += step
      }
      return true
    }
  }
#endif
