// Small binary property lists made large, without any code of the program under test.

import Foundation

/// A binary property list with the values of another one, and over a million nulls that nothing refers to.
///
/// - Parameter list: what Foundation wrote: offsets and references of at most 8 bytes.
package func enlarged(_ list: Data) throws -> Data {
  let bytes = Array(list)
  func number(_ start: Int, _ width: Int) throws -> Int {
    guard start >= 0, width > 0, start + width <= bytes.count else {
      throw CocoaError(.coderReadCorrupt)
    }
    return bytes[start..<start + width].reduce(0) { $0 << 8 | Int($1) }
  }
  let trailer = bytes.count - 32
  let (offsetWidth, referenceWidth) = (try number(trailer + 6, 1), try number(trailer + 7, 1))
  let (count, top) = (try number(trailer + 8, 8), try number(trailer + 16, 8))
  let table = try number(trailer + 24, 8)
  var output = Data("bplist00".utf8)
  var offsets: [Int] = []
  let starts = try (0..<count).map { try number(table + $0 * offsetWidth, offsetWidth) }
  for start in starts {
    offsets.append(output.count)
    let end = starts.filter { $0 > start }.min() ?? table
    guard bytes[start] >> 4 >= 0xA else {
      output += bytes[start..<end]
      continue
    }
    var (first, length) = (start + 1, Int(bytes[start] & 0x0F))
    if length == 0x0F {
      let width = 1 << (try number(start + 1, 1) & 0x0F)
      (first, length) = (start + 2 + width, try number(start + 2, width))
    }
    output += bytes[start..<first]
    let references = bytes[start] >> 4 == 0xD ? length * 2 : length
    for position in 0..<references {
      let index = try number(first + position * referenceWidth, referenceWidth)
      output += bigEndian(index, 4)
    }
  }
  let nulls = 1_050_000
  let end = output.count + nulls
  offsets += output.count..<end
  output += Data(count: nulls)
  output += Data(offsets.flatMap { bigEndian($0, 4) })
  output += Data(count: 6) + [4, 4] as [UInt8]
  for part in [offsets.count, top, end] { output += bigEndian(part, 8) }
  return output
}

private func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
  (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - $0))) }
}
