// Numbers of things in words: the noun agrees, thousands are set apart.

/// Writes counts.
public enum Counted {
  /// `1 violation`, `2 violations`, `12,400 violations`.
  package static func text(_ count: Int, _ noun: String) -> String {
    "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A whole number with commas between thousands: `12,400`.
  package static func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }
}

// MARK: - Numbers as people read them

/// Writes numbers.
public enum Quantity {
  /// A number of bytes in powers of a thousand: `812 bytes`, `1.2 GB`.
  public static func bytes(_ number: Int) -> String {
    if number == 1 { return "1 byte" }
    if number < 1000 { return "\(number) bytes" }
    var value = Double(number)
    var unit = "bytes"
    for next in ["kB", "MB", "GB", "TB", "PB"] where value >= 999.95 || unit == "bytes" {
      value /= 1000
      unit = next
    }
    return "\(decimal(value)) \(unit)"
  }

  /// A number with one decimal: `14.6`.
  package static func decimal(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return "\(number)" }
    let tenths = Int((number.magnitude * 10).rounded())
    return "\(number < 0 && tenths > 0 ? "-" : "")\(Counted.number(tenths / 10)).\(tenths % 10)"
  }

  /// A time in minutes and seconds: `0:21`, `1:02:03`.
  package static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "-" }
    let whole = Int(seconds.rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard hours > 0 else { return "\(minutes):\(tail)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
  }
}
