// Numbers as their decimal digits, for what binary reals get wrong: 0.3 is a multiple of 0.1, 2^64 + 1 exceeds 2^64.

/// A decimal number: `mantissa * 10 ^ exponent`, exactly.
package struct ExactNumber: Hashable {
  /// Whether it is below zero.
  package let isNegative: Bool
  /// Its digits, without trailing zeros; zero has no digits.
  package let mantissa: UInt128
  /// The power of ten.
  package let exponent: Int

  private init(isNegative: Bool, mantissa: UInt128, exponent: Int) {
    var mantissa = mantissa
    var exponent = exponent
    while mantissa != 0, mantissa % 10 == 0 {
      mantissa /= 10
      exponent += 1
    }
    self.isNegative = isNegative && mantissa != 0
    self.mantissa = mantissa
    self.exponent = mantissa == 0 ? 0 : exponent
  }

  /// An integer.
  package init(_ number: Int128) {
    self.init(isNegative: number < 0, mantissa: number.magnitude, exponent: 0)
  }

  /// A real, by the shortest digits that distinguish it from its neighbors; nil if it is not finite.
  package init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(digits: number.magnitude.description, isNegative: number.sign == .minus)
  }

  /// A real of single precision, by its own shortest digits.
  package init?(_ number: Float) {
    guard number.isFinite else { return nil }
    self.init(digits: number.magnitude.description, isNegative: number.sign == .minus)
  }

  /// `1.5e-07`, as Swift describes reals.
  private init?(digits: String, isNegative: Bool) {
    let parts = digits.split(separator: "e")
    guard let whole = parts.first else { return nil }
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var mantissa: UInt128 = 0
    var isFraction = false
    for byte in whole.utf8 {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      mantissa = mantissa &* 10 &+ UInt128(byte &- UInt8(ascii: "0"))
      if isFraction { exponent -= 1 }
    }
    self.init(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
  }

  /// An integer.
  public static func integer(_ number: Int128) -> ExactNumber { ExactNumber(number) }

  // MARK: Looking at it

  /// Whether its fraction is zero.
  package var isIntegral: Bool { exponent >= 0 }

  /// Whether it is above zero.
  package var isPositive: Bool { !isNegative && mantissa != 0 }

  /// The number as an integer; nil if it has a fraction, or more than 128 bits.
  public var integer: Int128? {
    guard isIntegral, exponent < 40 else { return nil }
    var size = mantissa
    for _ in 0..<exponent {
      let (next, isOver) = size.multipliedReportingOverflow(by: 10)
      if isOver { return nil }
      size = next
    }
    return Int128(exactly: size).map { isNegative ? -$0 : $0 }
  }

  /// The real that is nearest.
  public var real: Double { Double("\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? 0 }

  /// The number as people read it.
  package var text: String { integer.map { "\($0)" } ?? "\(real)" }

  // MARK: Order

  fileprivate func isSmallerInSize(than other: ExactNumber) -> Bool {
    if mantissa == 0 || other.mantissa == 0 { return mantissa == 0 && other.mantissa != 0 }
    let (digits, otherDigits) = (
      Array(mantissa.description.utf8), Array(other.mantissa.description.utf8)
    )
    let (size, otherSize) = (digits.count + exponent, otherDigits.count + other.exponent)
    if size != otherSize { return size < otherSize }
    return digits.lexicographicallyPrecedes(otherDigits)
  }

  // MARK: Division

  /// Whether a divisor goes into this without a remainder.
  package func isMultiple(of divisor: ExactNumber) -> Bool {
    guard divisor.mantissa != 0 else { return false }
    if mantissa == 0 { return true }
    let shift = exponent - divisor.exponent
    if shift >= 0 { return remainder(by: divisor.mantissa, shift: shift) == 0 }
    // A whole multiple of `divisor * 10 ^ -shift`, which is greater than the mantissa if it overflows.
    var product = divisor.mantissa
    for _ in 0..<min(-shift, 40) {
      let (next, isOver) = product.multipliedReportingOverflow(by: 10)
      if isOver { return false }
      product = next
    }
    return -shift < 40 && mantissa % product == 0
  }

  /// The remainder of `mantissa * 10 ^ shift`.
  private func remainder(by divisor: UInt128, shift: Int) -> UInt128 {
    var result = mantissa % divisor
    var factor: UInt128 = 10 % divisor
    var power = shift
    while power > 0 {
      if power & 1 == 1 { result = Self.product(result, factor, modulo: divisor) }
      factor = Self.product(factor, factor, modulo: divisor)
      power >>= 1
    }
    return result
  }

  private static func product(_ left: UInt128, _ right: UInt128, modulo: UInt128) -> UInt128 {
    let full = left.multipliedFullWidth(by: right)
    return modulo.dividingFullWidth(full).remainder
  }
}

extension ExactNumber: Comparable {
  package static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isSmallerInSize(than: left) : left.isSmallerInSize(than: right)
  }
}

// MARK: - Numbers as digits of a fixed width

extension String {
  /// The digits of a number, with zeros before them up to a width.
  package init(
    _ number: some BinaryInteger, radix: Int = 10, width: Int, uppercase: Bool = false
  ) {
    let digits = String(number, radix: radix, uppercase: uppercase)
    self.init(repeating: "0", count: Swift.max(0, width - digits.utf8.count))
    append(digits)
  }
}

extension String {
  /// The text, or its first characters and an ellipsis if it has more.
  package func shortened(to count: Int) -> String {
    self.count > count ? String(prefix(count)) + "…" : self
  }
}

extension String {
  /// Whether the text consists of so many hexadecimal digits in lower case.
  package func isHexadecimal(count: Int) -> Bool {
    utf8.count == count && utf8.allSatisfy { (0x30...0x39) ~= $0 || (0x61...0x66) ~= $0 }
  }
}

/// A byte as two hexadecimal digits in small letters.
package func hexadecimal(_ byte: UInt8) -> String {
  String(byte, radix: 16, width: 2)
}

/// The 16 bytes of a UUID in upper-case hexadecimal, grouped 8-4-4-4-12 as NSUUID prints them.
package func uuidText(_ bytes: ByteView) -> String {
  var text = ""
  for (position, byte) in bytes.enumerated() {
    if [4, 6, 8, 10].contains(position) { text += "-" }
    text += hexadecimal(byte)
  }
  return text.uppercased()
}

extension UInt8 {
  /// The byte of two hexadecimal digits; nil for other characters.
  package init?(hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") }) else { return nil }
    self.init(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension Double {
  /// The number with some significant digits, as C's `%.*g` prints it.
  package func text(significantDigits count: Int) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    let length = withVaList([Int32(clamping: count), self]) { arguments in
      vsnprintf(&buffer, buffer.count, "%.*g", arguments)
    }
    let bytes = buffer.prefix(max(0, min(Int(length), buffer.count - 1)))
    return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Two or four numbers as NSKeyedArchiver writes a point, size or rectangle: `{1, 2}`, `{{0, 0}, {320, 480}}`.
///
/// - Returns: nil for other counts, and for numbers that are not finite.
package func geometryText(_ numbers: [Double], isFlat: Bool = false) -> String? {
  guard numbers.count == 2 || numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
  let texts = numbers.map { $0.text(significantDigits: 17) }
  if isFlat || texts.count == 2 { return "{\(texts.joined(separator: ", "))}" }
  return "{{\(texts[0]), \(texts[1])}, {\(texts[2]), \(texts[3])}}"
}

// MARK: - Dates, times and durations are digits between marks

/// Reads digits and marks of an ASCII text.
package struct DigitCursor {
  private var rest: Substring.UTF8View

  /// Starts before the first character.
  package init(_ text: String) { rest = Substring(text).utf8 }

  private var digitCount: Int { rest.prefix { (0x30...0x39).contains($0) }.count }

  /// Whether everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Reads a mark if it is next.
  package mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    // A pattern of a schema may have any character between its fields.
    guard let bytes = UTF8.encode(mark), rest.starts(with: bytes) else { return false }
    rest = rest.dropFirst(bytes.count)
    return true
  }

  /// Reads a text if it is next.
  package mutating func skip(text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Reads exactly this many digits, at most 18; nil if there are fewer or more.
  package mutating func number(of lengths: ClosedRange<Int>) -> Int? {
    lengths.contains(digitCount) ? digits(lengths).flatMap { Int($0) } : nil
  }

  /// Reads digits up to the most of them, whatever follows; nil if there are fewer than the least.
  package mutating func digits(_ counts: ClosedRange<Int>) -> Substring? {
    let digits = rest.prefix(counts.upperBound).prefix { (0x30...0x39).contains($0) }
    guard digits.count >= counts.lowerBound else { return nil }
    rest = rest.dropFirst(digits.count)
    return Substring(digits)
  }

  /// Reads all digits that follow, and returns their number.
  package mutating func skipDigits() -> Int {
    let count = digitCount
    rest = rest.dropFirst(count)
    return count
  }

  /// Reads digits after a decimal point; nil if there are none, or more than 18.
  package mutating func fraction() -> Double? {
    (1...18).contains(digitCount) ? digits(1...18).flatMap { Double("0." + $0) } : nil
  }

  /// Reads `Z` or an offset like `+02:00`, as minutes east of UTC.
  ///
  /// - Parameters:
  ///   - hasZ: whether it may be `Z`.
  ///   - mark: what is between hours and minutes.
  ///   - needsMinutes: whether hours alone are no offset.
  package mutating func offset(
    hasZ: Bool = true, mark: String = ":", needsMinutes: Bool = true
  ) -> Int? {
    if hasZ, skip("Z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"), let hours = digits(2...2).flatMap({ Int($0) }), hours < 24,
      skip(text: mark)
    else { return nil }
    let digits = digits(2...2)
    guard let minutes = digits.map({ Int($0) ?? 60 }) ?? (needsMinutes ? nil : 0), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }
}
