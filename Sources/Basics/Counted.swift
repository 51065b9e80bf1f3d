// Numbers of things in words: the noun agrees, thousands are set apart.

/// Writes counts.
public enum Counted {
  /// `1 violation`, `2 violations`, `12,400 violations`.
  public static func text(_ count: Int, _ noun: String) -> String {
    "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A whole number with commas between thousands: `12,400`.
  public static func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}
