// ISO 8601 texts read back into seconds: what `Timestamp.text` writes, and the offsets that others write.

extension Timestamp {
  /// Parses `[-]YYYY-MM-DDThh:mm:ss[.fraction]` with `Z` or an offset like `+02:00`; nil if the text is none.
  public init?(text: String) {
    var cursor = DigitCursor(text)
    let isNegative = cursor.skip("-")
    guard let year = cursor.number(of: 4...9), cursor.skip("-"),
      let month = cursor.number(of: 2...2), (1...12).contains(month), cursor.skip("-"),
      let day = cursor.number(of: 2...2), (1...31).contains(day), cursor.skip("T"),
      let hour = cursor.number(of: 2...2), hour < 24, cursor.skip(":"),
      let minute = cursor.number(of: 2...2), minute < 60, cursor.skip(":"),
      let second = cursor.number(of: 2...2), second <= 60
    else { return nil }
    let fraction = cursor.skip(".") ? cursor.fraction() : 0
    guard let fraction, let offset = cursor.offset(), cursor.isAtEnd else { return nil }
    self.init(
      year: isNegative ? -year : year, month: month, day: day, hour: hour, minute: minute - offset,
      second: Double(second) + fraction)
  }
}

/// Reads digits and marks of a short ASCII text, one after the other.
private struct DigitCursor {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(of lengths: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard lengths.contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int(Substring(digits))
  }

  mutating func fraction() -> Double? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...18).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Double("0." + String(Substring(digits)))
  }

  /// Minutes east of UTC.
  mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+") || skip("-"), let hours = number(of: 2...2), hours < 24, skip(":"),
      let minutes = number(of: 2...2), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }
}
