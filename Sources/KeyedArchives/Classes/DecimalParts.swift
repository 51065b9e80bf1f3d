// A decimal number as NSDecimalNumber keeps it: a mantissa of 128 bits, a power of ten and a sign.

import ArchiveGraph

/// The parts of a decimal number.
package struct DecimalParts {
  /// The power of ten.
  package let exponent: Int64
  /// How many of the eight words of the mantissa count.
  package let length: Int64
  /// Whether it is below zero.
  package let isNegative: Bool
  /// Whether the mantissa does not end in a zero.
  package let isCompact: Bool
  /// Eight 16-bit words, from the least significant, each with its lower byte first.
  package let mantissa: [UInt8]

  /// Makes the parts of a number.
  package init(exponent: Int64, length: Int64, isNegative: Bool, isCompact: Bool, mantissa: [UInt8])
  {
    self.exponent = exponent
    self.length = length
    self.isNegative = isNegative
    self.isCompact = isCompact
    self.mantissa = mantissa
  }

  /// The sign, the digits without zeros at their end and the power of ten of a number such as `-12.5` or `1e-05`; nil if it
  /// is not a decimal or has too many digits.
  static func number(
    _ text: String
  ) -> (isNegative: Bool, mantissa: UInt128, exponent: Int64)? {
    let parts = text.lowercased().split(separator: "e", maxSplits: 1)
    guard let first = parts.first, var exponent = parts.count > 1 ? Int64(parts[1]) : 0,
      exponent.magnitude < 1 << 32
    else { return nil }
    let isNegative = first.hasPrefix("-")
    let halves = first.drop { $0 == "-" }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first else { return nil }
    let fraction = halves.count > 1 ? halves[1] : ""
    var digits = Array((whole + fraction).utf8)
    guard !digits.isEmpty, digits.count < 512,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    exponent -= Int64(fraction.utf8.count)
    while digits.count > 1, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    guard let value = UInt128(String(decoding: digits, as: UTF8.self)) else { return nil }
    return (isNegative, value, value == 0 ? 0 : exponent)
  }

  /// Reads a number; nil if it is not a decimal, has too many digits or too high a power of ten.
  package init?(_ text: String) {
    guard let (isNegative, value, exponent) = Self.number(text), (-128...127).contains(exponent)
    else { return nil }
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128($0 * 8)) }
    let bits = UInt128.bitWidth - value.leadingZeroBitCount
    self.init(
      exponent: exponent, length: Int64((bits + 15) / 16), isNegative: isNegative && value != 0,
      isCompact: true, mantissa: bytes)
  }

  /// The digits with their point, without insignificant zeros; nil if the parts are not those of a number.
  package var text: String? {
    guard (-128...127).contains(exponent), (0...8).contains(length), mantissa.count == 16 else {
      return nil
    }
    // A length of no words with a sign is what CoreFoundation's decimal calls not a number.
    if length == 0 { return isNegative ? "NaN" : "0" }
    // The words that the length leaves out are undefined.
    let value = mantissa.prefix(Int(length) * 2).reversed().reduce(UInt128(0)) {
      $0 << 8 | UInt128($1)
    }
    if value == 0 { return "0" }
    var text = String(value)
    if exponent >= 0 {
      text += String(repeating: "0", count: Int(exponent))
    } else {
      let missing = 1 - Int(exponent) - text.count
      if missing > 0 { text = String(repeating: "0", count: missing) + text }
      text.insert(".", at: text.index(text.endIndex, offsetBy: Int(exponent)))
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return (isNegative ? "-" : "") + text
  }

  // MARK: Encoders

  /// What Codable writes for Decimal: its parts, the mantissa as eight 16-bit words from the least significant.
  package var codableForm: SyntheticValue {
    let words = stride(from: 0, to: 16, by: 2).map { position -> SyntheticValue in
      .integer(Int64(mantissa[position]) | Int64(mantissa[position + 1]) << 8)
    }
    return .members([
      ("exponent", .integer(exponent)), ("length", .integer(length)),
      ("isNegative", .boolean(isNegative)), ("isCompact", .boolean(isCompact)),
      ("mantissa", .list(words)),
    ])
  }

  /// The number of JSON with exactly the digits of a decimal text; nil if there is none.
  @Sendable package static func jsonNumber(_ text: String) -> SyntheticValue? {
    if let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite, CodableForms.isSame(text, "\(number)") else {
      return nil
    }
    return .real(number)
  }
}
