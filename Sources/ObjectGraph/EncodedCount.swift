// Counts as binary property lists have them.

import Basics

/// Writes a count beside its marker, or after it if it is 15 or more.
public func appendCount(_ count: Int, marker: UInt8, to buffer: inout ByteBuffer) {
  if count < 15 {
    buffer.append(marker << 4 | UInt8(count))
  } else {
    buffer.append(marker << 4 | 0x0F)
    appendInteger(UInt64(count), to: &buffer)
  }
}

/// Writes a non-negative integer of at most 63 bits in the fewest bytes.
func appendInteger(_ value: UInt64, to buffer: inout ByteBuffer) {
  let power = value <= 0xFF ? 0 : value <= 0xFFFF ? 1 : value <= 0xFFFF_FFFF ? 2 : 3
  buffer.append(0x10 | UInt8(power))
  buffer.append(bigEndian: value, width: 1 << power)
}
