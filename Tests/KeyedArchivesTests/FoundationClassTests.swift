// Objects that Foundation itself archives: the displayed line matches the object's own properties.

import ArchiveBatches
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct FoundationClassTests {
  static func tree(_ object: Any) throws -> ShownTree {
    try ShownTree(
      NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false))
  }

  /// The line without the class and the number of members before it.
  private func meaning(_ object: Any) throws -> String {
    let line = try Self.tree(object).root
    guard let end = line.firstIndex(of: " ") else { return line }
    var rest = line[line.index(after: end)...]
    if rest.first == "(", let close = rest.firstIndex(of: ")") {
      rest = rest[rest.index(after: close)...]
    }
    return String(rest.drop { $0 == " " })
  }

  // MARK: Texts

  @Test(arguments: [
    [], [(0, 5, "a")], [(2, 3, "a")], [(0, 2, "a"), (1, 4, "b")], [(0, 11, "a"), (6, 1, "a")],
    [(0, 1, "a"), (10, 1, "b")],
  ])
  func attributedStringsAreTheirRuns(_ places: [(Int, Int, String)]) throws {
    let string = NSMutableAttributedString(string: "Hä🌦o World")
    for (start, length, name) in places {
      string.addAttribute(
        NSAttributedString.Key(name), value: start, range: NSRange(location: start, length: length))
    }
    var runs: [[String]] = []
    let whole = NSRange(location: 0, length: string.length)
    string.enumerateAttributes(in: whole) { attributes, range, _ in
      let text = string.attributedSubstring(from: range).string
      runs.append([
        "location: \(range.location)", "length: \(range.length)", "text: \"\(text)\"",
        "attributes: NSDictionary (\(attributes.count))",
      ])
    }
    let tree = try Self.tree(string)
    let noun = runs.count == 1 ? "run" : "runs"
    #expect(
      tree.root == "NSMutableAttributedString (2) \"Hä🌦o World\" \(runs.count) \(noun)")
    #expect(tree.member("string") == "\"\(string.string)\"")
    let shown = ["location: ", "length: ", "text: ", "attributes: NSDictionary ("].map { start in
      tree.lines.compactMap { line in
        line.range(of: "─ " + start).map { String(line[$0.lowerBound...].dropFirst(2)) }
      }
    }
    for (position, lines) in shown.prefix(3).enumerated() {
      #expect(lines == runs.map { $0[position] })
    }
    // Runs may share a dictionary, which is shown once.
    let dictionaries = Set(shown[3].map { $0.components(separatedBy: " #")[0] })
    #expect(dictionaries == Set(runs.map { $0[3] }))
  }

  @Test(arguments: ["a+(b)", "^[^/]*$"])
  func regularExpressionsAreTheirPatternAndOptions(_ pattern: String) throws {
    let letters: [(NSRegularExpression.Options, String)] = [
      (.caseInsensitive, "i"), (.allowCommentsAndWhitespace, "x"),
      (.ignoreMetacharacters, "literal"), (.dotMatchesLineSeparators, "s"),
      (.anchorsMatchLines, "m"), (.useUnixLineSeparators, "unix-lines"),
      (.useUnicodeWordBoundaries, "w"),
    ]
    for (options, letter) in letters {
      let expression = try NSRegularExpression(pattern: pattern, options: options)
      #expect(try meaning(expression) == "/\(expression.pattern)/ \(letter)")
    }
    let plain = try NSRegularExpression(pattern: pattern)
    #expect(try meaning(plain) == "/\(pattern)/")
  }

  @Test func matchesAreTheirRange() throws {
    let expression = try NSRegularExpression(pattern: "a+(b)")
    let match = try #require(
      expression.firstMatch(in: "xxaab", range: NSRange(location: 0, length: 5)))
    #expect(try meaning(match) == "{\(match.range.location), \(match.range.length)}")
  }

  @Test(
    arguments: [
      [\.givenName], [\.familyName], [\.nickname], [\.namePrefix, \.familyName],
      [\.givenName, \.middleName, \.familyName, \.nameSuffix, \.namePrefix],
      [\.givenName, \.nickname],
    ] as [[WritableKeyPath<PersonNameComponents, String?> & Sendable]])
  func namesOfPersonsAreInOrder(
    _ parts: [WritableKeyPath<PersonNameComponents, String?> & Sendable]
  ) throws {
    var name = PersonNameComponents()
    for (position, part) in parts.enumerated() { name[keyPath: part] = "Part\(position)" }
    let words = [
      name.namePrefix, name.givenName, name.middleName, name.familyName, name.nameSuffix,
      name.nickname.map { "(\"\($0)\")" },
    ]
    #expect(
      try meaning(name as NSPersonNameComponents)
        == words.compactMap { $0 }.joined(separator: " "))
  }

  // MARK: Dates and places

  @Test(
    arguments: [
      [:], [.year: 2024], [.year: 2024, .month: 2, .day: 29], [.hour: 0, .minute: -5],
      [.era: 1, .second: 59, .nanosecond: 999_999_999, .weekday: 7, .weekdayOrdinal: 5],
      [.quarter: 4, .weekOfMonth: 5, .weekOfYear: 53, .yearForWeekOfYear: 2020],
    ] as [[Calendar.Component: Int]])
  func dateComponentsAreTheFieldsThatAreSet(_ fields: [Calendar.Component: Int]) throws {
    var components = DateComponents()
    for (field, number) in fields { components.setValue(number, for: field) }
    let order: [Calendar.Component] = [
      .era, .year, .month, .day, .hour, .minute, .second, .nanosecond, .weekday, .weekdayOrdinal,
      .quarter, .weekOfMonth, .weekOfYear, .yearForWeekOfYear,
    ]
    let words = order.compactMap { field -> String? in
      guard let number = components.value(for: field) else { return nil }
      return "\(field) \(number)"
    }
    let tree = try Self.tree(components as NSDateComponents)
    let line = words.isEmpty ? "nothing set" : words.joined(separator: ", ")
    #expect(tree.root.hasSuffix(") " + line))
    for word in words {
      let parts = word.split(separator: " ")
      #expect(tree.member(String(parts[0])) == String(parts[1]))
    }
  }

  @Test func dateComponentsKeepTheirCalendarAndTimeZone() throws {
    var components = DateComponents()
    components.calendar = Calendar(identifier: .hebrew)
    components.timeZone = TimeZone(identifier: "Europe/Berlin")
    let tree = try Self.tree(components as NSDateComponents)
    #expect(tree.member("calendar")?.contains("hebrew") == true)
    #expect(tree.member("timeZone") == "NSTimeZone \"Europe/Berlin\"")
  }

  @Test(arguments: [
    (Calendar.Identifier.gregorian, "de_DE", "Asia/Tokyo"), (.hebrew, "", "GMT"),
    (.islamicCivil, "ar_EG", "Africa/Cairo"), (.iso8601, "en_US_POSIX", "America/New_York"),
  ])
  func calendarsAreTheirIdentifierZoneAndLocale(
    _ identifier: Calendar.Identifier, _ locale: String, _ zone: String
  ) throws {
    var calendar = Calendar(identifier: identifier)
    calendar.locale = Locale(identifier: locale)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let object = calendar as NSCalendar
    let parts = [object.calendarIdentifier.rawValue, object.timeZone.identifier]
    let line = (parts + (locale.isEmpty ? [] : [locale])).joined(separator: ", ")
    #expect(try meaning(object) == line)
  }

  @Test(arguments: ["Europe/Paris", "GMT", "Asia/Kolkata", "America/Argentina/Buenos_Aires"])
  func timeZonesAreTheirName(_ name: String) throws {
    let zone = try #require(NSTimeZone(name: name))
    #expect(try meaning(zone) == "\"\(zone.name)\"")
  }

  @Test(arguments: ["fr_CH", "en_US_POSIX", "zh-Hans-CN", ""])
  func localesAreTheirIdentifier(_ identifier: String) throws {
    let locale = NSLocale(localeIdentifier: identifier)
    #expect(try meaning(locale) == "\"\((locale as Locale).identifier)\"")
  }

  @Test(arguments: [(0, 3600), (-86_400.5, 0.25), (700_000_000, 1e6)])
  func dateIntervalsAreTheirEnds(_ start: Double, _ duration: Double) throws {
    let interval = NSDateInterval(
      start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
    let tree = try Self.tree(interval)
    let dates = tree.root.components(separatedBy: ") ").last?.components(separatedBy: " to ")
    let seconds = dates?.compactMap { Self.seconds($0) } ?? []
    #expect(seconds.count == 2)
    #expect(seconds.first == interval.startDate.timeIntervalSinceReferenceDate)
    #expect(seconds.last == interval.endDate.timeIntervalSinceReferenceDate)
    #expect(tree.member("duration").flatMap { Double($0) } == interval.duration)
  }

  private static func seconds(_ text: String) -> Double? {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    return (try? style.parse(text))?.timeIntervalSinceReferenceDate
  }
}
