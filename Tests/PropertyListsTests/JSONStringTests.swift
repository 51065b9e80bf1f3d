// Strings of JSON, of which plain characters are read several at a time, beside Foundation's reader.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import Testing

@Suite struct JSONStringTests {
  private func read(_ text: [UInt8], allowsJSON5: Bool = false) -> String? {
    let document = try? text.withByteView { bytes in
      try JSONReader.read(bytes, fileOffset: nil, allowsJSON5: allowsJSON5)
    }
    guard let document, let text = document.table.text(at: document.top) else { return nil }
    return text.string
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 30]) func everyByteIsReadWhereverItIs(count: Int) {
    for position in 0..<count {
      for byte in 0...UInt8.max {
        var text = [UInt8](repeating: UInt8(ascii: "~"), count: count + 2)
        (text[0], text[count + 1]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
        text[position + 1] = byte
        let expected =
          try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        #expect(read(text) == expected as? String, "\(byte) at \(position)")
        let isEnd = byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D || byte >= 0x80
        // A zero may be half of a character of UTF-16.
        if !isEnd, byte != 0, byte != UInt8(ascii: "\\") {
          #expect(read(text, allowsJSON5: true) != nil, "\(byte) at \(position)")
        }
      }
    }
  }

  @Test(arguments: 0...20) func theOtherQuoteOfJSON5IsAMarkOfItsOwn(count: Int) {
    let filling = String(repeating: "a", count: count)
    #expect(read(Array("'\(filling)\"x'".utf8), allowsJSON5: true) == "\(filling)\"x")
    #expect(read(Array("\"\(filling)'x\"".utf8), allowsJSON5: true) == "\(filling)'x")
  }
}
