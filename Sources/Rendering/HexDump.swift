// Bytes in rows of sixteen, as hexdump -C shows them: offset, bytes, characters.

import Basics

/// Draws bytes.
enum HexDump {
  private static let rowLength = 16

  /// Appends rows of bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - offset: where the first of them stands.
  static func append(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to output: inout OutputBuffer
  ) {
    var start = 0
    while start < bytes.count, !output.hasProblem {
      let row = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + rowLength, bytes.count)])
      append(row: row, at: offset + start, to: &output.bytes)
      start += rowLength
      output.flushIfFull()
    }
  }

  private static func append(
    row: UnsafeRawBufferPointer, at offset: Int, to output: inout ByteBuffer
  ) {
    output.append(String(offset, radix: 16, width: 8))
    output.append(contentsOf: " ")
    for position in 0..<rowLength {
      if position % 8 == 0 { output.append(UInt8(ascii: " ")) }
      if position < row.count {
        output.append(hexadecimal(row[position]))
        output.append(UInt8(ascii: " "))
      } else {
        output.append(contentsOf: "   ")
      }
    }
    output.append(contentsOf: " |")
    for byte in row {
      output.append((0x20..<0x7F).contains(byte) ? byte : UInt8(ascii: "."))
    }
    output.append(contentsOf: "|\n")
  }
}
