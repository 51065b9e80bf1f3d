// The medium style of date and time in American English, as DateFormatter writes it:
// `Apr 6, 2019 at 12:50:00 PM`, or with a comma for `at`, or with another space before AM and PM (macOS 13, iOS 16).

/// Recognises moments in the medium style.
enum MediumDateText {
  private static let months: [(name: Substring, days: Int)] = [
    ("Jan", 31), ("Feb", 29), ("Mar", 31), ("Apr", 30), ("May", 31), ("Jun", 30), ("Jul", 31),
    ("Aug", 31), ("Sep", 30), ("Oct", 31), ("Nov", 30), ("Dec", 31),
  ]

  /// Whether a text is a date and a time in the style, and nothing else.
  static func isMoment(_ text: String) -> Bool {
    var rest = Substring(text)
    guard let month = months.first(where: { rest.hasPrefix($0.name) }) else { return false }
    rest.removeFirst(month.name.count)
    guard take(" ", from: &rest), let day = number(1...2, from: &rest),
      (1...month.days).contains(day), take(", ", from: &rest),
      let year = number(4...4, from: &rest), day < 29 || month.name != "Feb" || isLeap(year),
      take(" at ", from: &rest) || take(", ", from: &rest),
      let hour = number(1...2, from: &rest), (1...12).contains(hour), take(":", from: &rest),
      let minute = number(2...2, from: &rest), minute < 60, take(":", from: &rest),
      let second = number(2...2, from: &rest), second < 60
    else { return false }
    guard let space = rest.popFirst(), [" ", "\u{202F}", "\u{A0}"].contains(space) else {
      return false
    }
    return rest == "AM" || rest == "PM"
  }

  private static func take(_ text: String, from rest: inout Substring) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }

  /// A number of so many ASCII digits; one of one or two digits begins with no 0.
  private static func number(_ width: ClosedRange<Int>, from rest: inout Substring) -> Int? {
    let digits = rest.prefix(width.upperBound).prefix { ("0"..."9").contains($0) }
    guard digits.count >= width.lowerBound, width.lowerBound > 1 || digits.first != "0" else {
      return nil
    }
    rest.removeFirst(digits.count)
    return Int(digits)
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }
}
