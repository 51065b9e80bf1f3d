// Numbers of points, sizes and rectangles, as NSValue archives them.

import ObjectGraph

/// Numbers of points, sizes and rectangles.
enum GeometryText {
  /// The numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`, nil if there are not as many.
  static func numbers(_ text: String, _ count: Int) -> [Double]? {
    guard text.utf8.count < 512 else { return nil }
    let words = text.split { "{}, ".contains($0) }
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count && numbers.count == count ? numbers : nil
  }

  /// The numbers of bytes, one a letter: `f` of four bytes, `d` of eight; little-endian.
  static func numbers(_ bytes: UnsafeRawBufferPointer, _ letters: some StringProtocol) -> [Double]?
  {
    let letters = Array(letters)
    guard (1...16).contains(letters.count),
      bytes.count == letters.reduce(0, { $0 + ($1 == "f" ? 4 : 8) })
    else { return nil }
    var offset = 0
    return letters.map { letter in
      if letter == "f" {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        offset += 4
        return Double(Float(bitPattern: UInt32(littleEndian: bits)))
      }
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
      return Double(bitPattern: UInt64(littleEndian: bits))
    }
  }
}
