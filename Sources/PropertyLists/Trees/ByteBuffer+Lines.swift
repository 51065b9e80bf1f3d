// Where the next line of an indented text begins: for all that is written with indentation.

import Basics

extension ByteBuffer {
  /// Appends a newline and an indentation.
  ///
  /// - Parameters:
  ///   - width: how many characters the indentation has.
  ///   - mark: the character: a space, or a tab.
  @inline(__always)
  mutating func appendLine(indentedBy width: Int, of mark: UInt8 = 0x20) {
    // A word more than is needed, so that most indentations are one store.
    let place = reserve(width &+ 9)
    place.storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
    if width <= 8 {
      let marks = 0x0101_0101_0101_0101 &* UInt64(mark)
      place.storeBytes(of: marks, toByteOffset: 1, as: UInt64.self)
    } else {
      (place + 1).initializeMemory(as: UInt8.self, repeating: mark, count: width)
    }
    filled(width &+ 1)
  }
}
