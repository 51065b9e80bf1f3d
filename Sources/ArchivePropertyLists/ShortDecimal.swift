// Decimal numbers of few digits, as nearly all are, without a string and the C library between them.

import ArchiveBasics

/// Reads `[+-]digits[.digits]` with at most 19 significant digits, rounded as `Double.init(_:)` rounds: to nearest,
/// ties to even.
enum ShortDecimal {
  /// 10 to the powers 0 to 19, all that 64 bits hold.
  private static let powers: [UInt64] = {
    var powers: [UInt64] = [1]
    while powers.count < 20 { powers.append(powers[powers.count - 1] &* 10) }
    return powers
  }()

  /// The number; nil for all other texts, valid or not.
  static func real(_ bytes: ByteView) -> Double? {
    var position = 0
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { position = 1 }
    var digits: UInt64 = 0
    var significant = 0
    var point: Int?
    let start = position
    while position < bytes.count {
      let digit = bytes[position] &- 0x30
      if digit < 10 {
        digits = digits &* 10 &+ UInt64(digit)
        if significant > 0 || digit != 0 { significant &+= 1 }
      } else {
        guard bytes[position] == UInt8(ascii: "."), point == nil, position > start else {
          return nil
        }
        point = position
      }
      position &+= 1
    }
    // 19 digits fit 64 bits: no product above was too large.
    guard position > start, point != position - 1, significant < 20 else { return nil }
    let decimals = point.map { position - 1 - $0 } ?? 0
    guard decimals < 20 else { return nil }
    let magnitude = quotient(digits, powers[decimals])
    return isNegative ? -magnitude : magnitude
  }

  /// The quotient of two numbers, rounded once.
  private static func quotient(_ number: UInt64, _ power: UInt64) -> Double {
    if number <= 1 << 53 {
      // Both are doubles exactly, powers of ten up to 10^22, so the division rounds once.
      return Double(number) / Double(power)
    }
    let (shift, powerShift) = (number.leadingZeroBitCount, power.leadingZeroBitCount)
    let dividend = number << UInt64(shift)
    let divisor = power << UInt64(powerShift)
    // The upper half is less than 2^63, and the divisor is not: the quotient fits, and has 63 or 64 bits.
    let (quotient, rest) = divisor.dividingFullWidth((dividend >> 1, dividend << 63))
    let extraBits = 11 - quotient.leadingZeroBitCount
    var mantissa = quotient >> UInt64(extraBits)
    let low = quotient & (1 << UInt64(extraBits) - 1)
    let half: UInt64 = 1 << UInt64(extraBits - 1)
    if low > half || (low == half && (rest != 0 || mantissa & 1 == 1)) { mantissa += 1 }
    // Between 10^-19 and 10^19: the exponent is that of a normal number, and the product exact.
    let exponent = extraBits - 63 + powerShift - shift
    return Double(mantissa) * Double(sign: .plus, exponent: exponent, significand: 1)
  }
}
