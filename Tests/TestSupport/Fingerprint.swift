// The hash that replaces long texts in the expectations by other decoders.

/// FNV-1a in 64 bits, as 16 hexadecimal digits.
package func fingerprint(_ text: String) -> String {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Bytes as hexadecimal digits.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
