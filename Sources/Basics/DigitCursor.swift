// Dates, times and durations are digits between marks: what reads them, one after the other.

/// Reads digits and marks of an ASCII text.
package struct DigitCursor {
  private var rest: Substring.UTF8View

  /// Starts before the first character.
  package init(_ text: String) { rest = Substring(text).utf8 }

  /// Whether everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Reads a mark if it is next.
  package mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    // A pattern of a schema may have any character between its fields.
    guard let bytes = UTF8.encode(mark), rest.starts(with: bytes) else { return false }
    rest = rest.dropFirst(bytes.count)
    return true
  }

  /// Reads exactly this many digits, at most 18; nil if there are fewer or more.
  package mutating func number(of lengths: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard lengths.contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int(Substring(digits))
  }

  /// Reads this many digits, regardless of what follows; nil if there are fewer.
  package mutating func digits(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int(Substring(digits))
  }

  /// Reads all digits that follow, and returns their number.
  package mutating func skipDigits() -> Int {
    let count = rest.prefix { (0x30...0x39).contains($0) }.count
    rest = rest.dropFirst(count)
    return count
  }

  /// Reads digits after a decimal point; nil if there are none, or more than 18.
  package mutating func fraction() -> Double? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...18).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Double("0." + String(Substring(digits)))
  }

  /// Reads `Z` or an offset like `+02:00`, as minutes east of UTC.
  package mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+") || skip("-"), let hours = number(of: 2...2), hours < 24, skip(":"),
      let minutes = number(of: 2...2), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }
}
