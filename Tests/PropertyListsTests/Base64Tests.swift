// Base64 by the word and by the character, beside Foundation's.

import ArchiveBasics
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

@Suite struct Base64Tests {
  private func decoded(_ text: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer()
    text.withByteView { Base64.decode($0, to: &buffer) }
    return buffer.array
  }

  @Test(arguments: 0...70) func bytesAreEncodedAsFoundationDoes(count: Int) {
    var numbers = SeededNumbers(seed: UInt64(count))
    for _ in 0..<50 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let text = Data(bytes).base64EncodedString()
      #expect(bytes.withByteView { Base64.text($0) } == text)
      #expect(decoded(Array(text.utf8)) == bytes)
    }
  }

  @Test func everyGroupOfBitsIsEncoded() {
    var bytes: [UInt8] = []
    for pair in 0..<4_096 {
      bytes += [UInt8(pair >> 4), UInt8(pair & 15) << 4, 0, UInt8(pair & 255)]
    }
    let text = Data(bytes).base64EncodedString()
    #expect(bytes.withByteView { Base64.text($0) } == text)
    #expect(decoded(Array(text.utf8)) == bytes)
  }

  @Test(arguments: [4, 8, 12, 20, 24]) func oneForeignByteIsSeenWhereverItIs(count: Int) {
    let text = Array("TWFueSBoYW5kcyBtYWtlIGxp".utf8.prefix(count))
    for position in 0..<count {
      for byte in 0...UInt8.max {
        var changed = text
        changed[position] = byte
        // Foundation takes no white space, and goes over padding that is not at the end.
        let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
        let isPaddingInside = byte == UInt8(ascii: "=") && position < count - 1
        let strict = isPaddingInside ? nil : Data(base64Encoded: Data(changed))
        var buffer = ByteBuffer()
        let isWellFormed = changed.withByteView { Base64.decodeWellFormed($0, to: &buffer) }
        #expect(isWellFormed == changed.withByteView { Base64.isWellFormed($0) })
        if let strict {
          #expect(isWellFormed && buffer.array == Array(strict), "\(byte) at \(position)")
        } else if !isSpace {
          #expect(!isWellFormed && buffer.count == 0, "\(byte) at \(position)")
        }
        // What is no digit is skipped; padding ends a group.
        if byte != UInt8(ascii: "="), strict == nil {
          var digits = changed
          digits.remove(at: position)
          #expect(decoded(changed) == decoded(digits), "\(byte) at \(position)")
        }
      }
    }
  }
}
