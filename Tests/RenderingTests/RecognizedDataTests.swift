// Which bytes of data values are shown as text: those that somebody may have written.

import ArchiveBasics
import Foundation
import Testing

@testable import ArchiveRendering

@Suite struct RecognizedDataTests {
  static let texts = [
    "abcd", "a\nb\n", "Grüße", "привет мир", "日本語のテキスト", "한국어 문장", "שלום עולם", "👍👍👍",
    "naïve — “quoted”", "Ελληνικά και English", "Ελληνικά English Русский עברית", "→ → →", "ＡＢＣ日本",
    "مرحبا", "a\tb\r\n", "5 €, 10 £",
  ]

  @Test(arguments: texts) func textsAreShown(_ text: String) throws {
    let bytes = Array(text.utf8)
    let found = try #require(bytes.withByteView { RecognizedData($0) })
    #expect(found.kind == "UTF-8")
  }

  /// Three scales of a scene's node, and what other small numbers come to.
  static let numbers: [[UInt8]] = [
    Array(repeating: [0x0A, 0xD7, 0xA3, 0x3C], count: 3).flatMap { $0 },
    Array(repeating: [0xCD, 0x8C, 0x3C, 0x3F], count: 4).flatMap { $0 },
    [0x00, 0x61, 0x62, 0x63], [0x61, 0x0B, 0x62, 0x63], [0x61, 0xC2, 0x85, 0x62],
    Array("\u{E000}\u{E001}".utf8), Array("\u{530}\u{378}ab".utf8),
    Array("\u{3A9}\u{5D0}\u{627}\u{E01}".utf8),
  ]

  @Test(arguments: numbers) func numbersAreNoText(_ bytes: [UInt8]) {
    #expect(bytes.withByteView { RecognizedData($0) == nil })
  }
}
