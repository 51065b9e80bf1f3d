// SHA-256, which identifies the contents of files.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import FileTransactions
import Foundation
import TestSupport
import Testing

@Suite struct ContentHashTests {
  /// FIPS 180-2, appendix B, and the hash of nothing.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func isSHA256(_ text: String, _ digits: String) throws {
    let hash = try ContentHash(of: ByteStorage(copying: Array(text.utf8)))
    #expect(hash.description == digits)
    #expect(ContentHash(hexadecimal: digits) == hash)
  }

  @Test(arguments: [
    "", "e3b0", String(repeating: "g", count: 64), String(repeating: "A", count: 64),
  ])
  func refusesWhatIsNoHash(_ text: String) { #expect(ContentHash(hexadecimal: text) == nil) }
}
