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
