// The medium style of date and time in American English, as DateFormatter writes it:
// `Apr 6, 2019 at 12:50:00 PM`, or with a comma for `at`, or with another space before AM and PM (macOS 13, iOS 16).

/// Dates in the medium style; the text does not include their time zone.
public enum MediumDate {
  /// The months' names, January first.
  public static let months: [String] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// Parses a text that is exactly one date; nil otherwise.
  public static func moment(in text: String) -> Timestamp? {
    var rest = Substring(text)
    guard let month = months.firstIndex(where: { rest.hasPrefix($0) }) else { return nil }
    rest.removeFirst(months[month].count)
    guard take(" ", from: &rest), let day = number(1...2, from: &rest),
      (1...days[month]).contains(day), take(", ", from: &rest),
      let year = number(4...4, from: &rest), day < 29 || month != 1 || isLeap(year),
      take(" at ", from: &rest) || take(", ", from: &rest),
      let hour = number(1...2, from: &rest), (1...12).contains(hour), take(":", from: &rest),
      let minute = number(2...2, from: &rest), minute < 60, take(":", from: &rest),
      let second = number(2...2, from: &rest), second < 60
    else { return nil }
    guard let space = rest.popFirst(), [" ", "\u{202F}", "\u{A0}"].contains(space),
      rest == "AM" || rest == "PM"
    else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour % 12 + (rest == "PM" ? 12 : 0),
      minute: minute, second: Double(second))
  }

  /// The text of a moment; fractions of a second are left out.
  public static func text(of moment: Timestamp) -> String {
    let month = months[min(max(moment.month, 1), 12) - 1]
    let hour = moment.hour % 12 == 0 ? 12 : moment.hour % 12
    let clock = "\(hour):\(twoDigits(moment.minute)):\(twoDigits(Int(moment.second)))"
    let half = moment.hour < 12 ? "AM" : "PM"
    return "\(month) \(moment.day), \(moment.year) at \(clock) \(half)"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
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
