// Names with characters beyond ASCII: RFC 3492 with Swift's own digits, as the compiler's
// docs/ABI/Mangling.rst describes them.

/// Swift's variant of Punycode.
///
/// The digits are `a`…`z` and `A`…`J`, the delimiter is `_`, and an ASCII character that cannot stand
/// in an identifier is written as its code point above 0xD800.
enum Punycode {
  private static let base = 36
  private static let firstBias = 72
  private static let firstCodePoint = 0x80

  /// Decodes an identifier, all of whose bytes must be ASCII: any other would pass for a code point.
  static func decode(_ text: String) throws(NotUnderstood) -> String {
    guard text.utf8.allSatisfy({ $0 < firstCodePoint }) else { throw NotUnderstood() }
    var digits = Array(text.utf8)[...]
    var codePoints: [Int] = []
    if let delimiter = digits.lastIndex(of: UInt8(ascii: "_")) {
      codePoints = digits[..<delimiter].map { Int($0) }
      digits = digits[(delimiter + 1)...]
    }
    var codePoint = firstCodePoint
    var place = 0
    var bias = firstBias
    while !digits.isEmpty {
      let delta = try takeDelta(from: &digits, bias: bias)
      let count = codePoints.count + 1
      bias = adapt(delta: delta, count: count, isFirst: place == 0)
      let sum = place + delta
      codePoint += sum / count
      guard codePoint <= 0x10FFFF else { throw NotUnderstood() }
      place = sum % count
      codePoints.insert(codePoint, at: place)
      place += 1
    }
    return try spell(codePoints)
  }

  /// Takes one number of variable length.
  ///
  /// Each weight stays below 2^31, so the sums cannot overflow.
  private static func takeDelta(
    from digits: inout ArraySlice<UInt8>, bias: Int
  ) throws(NotUnderstood) -> Int {
    var delta = 0
    var weight = 1
    var position = base
    while true {
      guard let digit = digits.popFirst().flatMap(value(ofDigit:)) else { throw NotUnderstood() }
      delta += digit * weight
      let threshold = min(max(position - bias, 1), 26)
      if digit < threshold { break }
      weight *= base - threshold
      guard delta < 1 << 31, weight < 1 << 31 else { throw NotUnderstood() }
      position += base
    }
    return delta
  }

  private static func value(ofDigit digit: UInt8) -> Int? {
    switch Unicode.Scalar(digit) {
    case "a"..."z": Int(digit) - 97
    case "A"..."J": Int(digit) - 65 + 26
    default: nil
    }
  }

  private static func adapt(delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var position = 0
    while delta > 455 {
      delta /= 35
      position += base
    }
    return position + 36 * delta / (delta + 38)
  }

  private static func spell(_ codePoints: [Int]) throws(NotUnderstood) -> String {
    guard !codePoints.isEmpty else { throw NotUnderstood() }
    var text = ""
    for codePoint in codePoints {
      let isMovedASCII = (0xD800..<0xD880).contains(codePoint)
      guard let value = UInt32(exactly: isMovedASCII ? codePoint - 0xD800 : codePoint),
        let scalar = Unicode.Scalar(value)
      else { throw NotUnderstood() }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
