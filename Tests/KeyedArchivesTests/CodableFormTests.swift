// Codable's forms of Foundation's values, checked against PropertyListEncoder, and their verification, tested by
// changes.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct CodableFormTests {
  /// An archived object, and what PropertyListEncoder writes for the value that it is.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sample: ArchivedSample
    let encoded: @Sendable () throws -> Data

    init<Value: Encodable & SendableMetatype>(
      _ name: String, _ sample: ArchivedSample, _ value: @escaping @Sendable () -> Value
    ) {
      testDescription = name
      self.sample = sample
      encoded = { try PropertyListEncoder().encode(["v": value()]) }
    }
  }

  private static let tokyo = ArchivedSample.object(
    "NSTimeZone", ["NS.name": "Asia/Tokyo", "NS.data": .data("TZif2")])
  private static let swiss = ArchivedSample.object("NSLocale", ["NS.identifier": "de_CH"])

  private static func components(
    _ fields: KeyValuePairs<String, ArchivedSample>
  ) -> ArchivedSample { .object("NSDateComponents", fields) }

  private static func calendar(_ start: ArchivedSample) -> ArchivedSample {
    .object(
      "NSCalendar",
      [
        "NS.identifier": "gregorian", "NS.timezone": tokyo, "NS.locale": swiss, "NS.firstwkdy": 3,
        "NS.mindays": 4, "NS.gstartdate": start,
      ])
  }

  private static let usualStart = ArchivedSample.object(
    "NSDate", ["NS.time": -13_197_600_000.0])

  private static func swissCalendar() -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = Locale(identifier: "de_CH")
    calendar.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
    calendar.firstWeekday = 3
    calendar.minimumDaysInFirstWeek = 4
    return calendar
  }

  static let forms: [Form] = [
    Form("a leap month", components(["NS.year": 2019, "NS.isLeapMonth": true])) {
      var value = DateComponents(year: 2019)
      value.isLeapMonth = true
      return value
    },
    Form("no leap month", components(["NS.month": 4, "NS.isLeapMonth": false])) {
      var value = DateComponents(month: 4)
      value.isLeapMonth = false
      return value
    },
    Form("a day of the year", components(["NS.year": 2019, "NS.dayOfYear": 200])) {
      var value = DateComponents(year: 2019)
      value.dayOfYear = 200
      return value
    },
    Form(
      "fields that are not set, in 32 and 64 bits",
      components([
        "NS.year": 2019, "NS.month": 2_147_483_647, "NS.day": 9_223_372_036_854_775_807,
        "NS.week": 2_147_483_647, "NS.calendar": .null, "NS.timezone": .null,
      ])
    ) { DateComponents(year: 2019) },
    Form("a year that is a real", components(["NS.year": 2019.0])) { DateComponents(year: 2019) },
    Form(
      "every number",
      components([
        "NS.era": 1, "NS.year": 2, "NS.month": 3, "NS.day": 4, "NS.hour": 5, "NS.minute": 6,
        "NS.second": 7, "NS.nanosec": 8, "NS.weekday": 9, "NS.weekdayOrdinal": 10,
        "NS.quarter": 11, "NS.weekOfMonth": 12, "NS.weekOfYear": 13, "NS.yearForWOY": 14,
      ])
    ) {
      DateComponents(
        era: 1, year: 2, month: 3, day: 4, hour: 5, minute: 6, second: 7, nanosecond: 8,
        weekday: 9, weekdayOrdinal: 10, quarter: 11, weekOfMonth: 12, weekOfYear: 13,
        yearForWeekOfYear: 14)
    },
    Form("no field", components([:])) { DateComponents() },
    Form(
      "a calendar and a time zone",
      components(["NS.hour": 5, "NS.calendar": calendar(usualStart), "NS.timezone": tokyo])
    ) {
      DateComponents(
        calendar: swissCalendar(), timeZone: TimeZone(identifier: "Asia/Tokyo"), hour: 5)
    },
    Form("a calendar", calendar(usualStart)) { swissCalendar() },
    Form(
      "a name",
      .object(
        "NSPersonNameComponents",
        ["NS.namePrefix": "Dr", "NS.givenName": "A", "NS.middleName": .null, "NS.nickname": "N"])
    ) {
      var value = PersonNameComponents()
      (value.namePrefix, value.givenName, value.nickname) = ("Dr", "A", "N")
      return value
    },
    Form(
      "a name in an object of its own",
      .object(
        "NSPersonNameComponents",
        [
          "NS.nameComponentsPrivate": .object(
            "_NSPersonNameComponentsData", ["NS.familyName": "B", "NS.nameSuffix": "S"])
        ])
    ) {
      var value = PersonNameComponents()
      (value.familyName, value.nameSuffix) = ("B", "S")
      return value
    },
    Form(
      "a unit without a dimension",
      .object(
        "NSMeasurement",
        ["NS.value": 5.5, "NS.unit": .object("NSUnit", ["NS.symbol": "pieces"])])
    ) { Measurement(value: 5.5, unit: Unit(symbol: "pieces")) },
    Form(
      "a unit with a converter",
      .object(
        "NSMeasurement",
        [
          "NS.value": 18.5,
          "NS.unit": .object(
            "NSUnitTemperature",
            [
              "NS.symbol": "°C",
              "NS.converter": .object(
                "NSUnitConverterLinear", ["NS.coefficient": 1.0, "NS.constant": 273.15]),
            ]),
        ])
    ) { Measurement(value: 18.5, unit: UnitTemperature.celsius) },
    Form(
      "an interval by its end",
      .object(
        "NSDateInterval",
        [
          "NS.startDate": .object("NSDate", ["NS.time": 5.0]),
          "NS.endDate": .object("NSDate", ["NS.time": 15.5]),
        ])
    ) { DateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 10.5) },
    Form(
      "an interval by its duration",
      .object(
        "NSDateInterval",
        ["NS.startDate": .object("NSDate", ["NS.time": 5.0]), "NS.duration": 10.5])
    ) { DateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 10.5) },
    Form("a locale", swiss) { Locale(identifier: "de_CH") },
    Form("a time zone", tokyo) { TimeZone(identifier: "Asia/Tokyo") },
    Form("an address", .object("NSURL", ["NS.base": .null, "NS.relative": "https://a/b"])) {
      URL(string: "https://a/b")
    },
    Form(
      "an address with a base",
      .object(
        "NSURL",
        [
          "NS.base": .object("NSURL", ["NS.base": .null, "NS.relative": "https://a/b"]),
          "NS.relative": "c",
        ])
    ) { URL(string: "c", relativeTo: URL(string: "https://a/b")) },
    Form(
      "a set of indexes",
      .object("NSIndexSet", ["NSRangeCount": 2, "NSRangeData": .data([1, 3, 0xAC, 2, 2])])
    ) { IndexSet([1, 2, 3, 300, 301]) },
    Form(
      "a path of indexes", .object("NSIndexPath", ["NSIndexPathLength": 1, "NSIndexPathValue": 5])
    ) { IndexPath(index: 5) },
    Form(
      "a range",
      .object(
        "NSValue", ["NS.special": 4, "NS.rangeval.location": 3, "NS.rangeval.length": 4])
    ) { NSRange(location: 3, length: 4) },
    Form("a rectangle", .object("NSValue", ["NS.special": 3, "NS.rectval": "{{1, 2}, {3, 4.5}}"])) {
      CGRect(x: 1, y: 2, width: 3, height: 4.5)
    },
    Form(
      "a decimal",
      .object(
        "NSDecimalNumber",
        [
          "NS.exponent": -2, "NS.length": 1, "NS.negative": false, "NS.compact": true,
          "NS.mantissa.bo": 1, "NS.mantissa": .data([0xD2, 4] + [UInt8](repeating: 0, count: 14)),
        ])
    ) { Decimal(1234) / 100 },
  ]

  private static func graph(_ sample: ArchivedSample) throws -> ObjectGraph {
    try readGraph(ArchivedSample.object("App.Model", ["v": sample]).archive)
  }

  private static func plain(_ graph: ObjectGraph) throws -> Data {
    let bytes = try EnvelopeWriter.wrap(graph.root, of: graph, in: .plist, shape: NoHints())
    return Data(bytes.bytes)
  }

  private static func isSame(_ graph: ObjectGraph, _ plain: Data) throws -> Bool {
    let other = try readGraph(plain)
    return ModelComparison.firstDifference(graph.root, of: graph, other.root, of: other) == nil
  }

  private static func list(_ data: Data) throws -> NSObject {
    try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? NSObject)
  }

  @Test(arguments: forms)
  func isWhatPropertyListEncoderWrites(_ form: Form) throws {
    let graph = try Self.graph(form.sample)
    let plain = try Self.plain(graph)
    #expect(try Self.list(plain) == Self.list(form.encoded()))
    #expect(try Self.isSame(graph, plain))
  }

  /// The proof sees every member that is missing, another, or one too many.
  @Test(arguments: forms)
  func theProofSeesEveryChange(_ form: Form) throws {
    let graph = try Self.graph(form.sample)
    let whole = try #require(try Self.list(form.encoded()) as? NSDictionary)
    let value = try #require(whole["v"])
    for changed in Self.changes(of: value) {
      let data = try PropertyListSerialization.data(
        fromPropertyList: ["v": changed], format: .binary, options: 0)
      #expect(try !Self.isSame(graph, data), "\(changed)")
    }
  }

  /// No form has a member that is nil.
  @Test(arguments: forms)
  func aMemberThatIsNilIsOneTooMany(_ form: Form) throws {
    let graph = try Self.graph(form.sample)
    let whole = try #require(try Self.list(form.encoded()) as? NSDictionary)
    // Some forms have dates, which JSON has not, and some are lists.
    guard let members = whole["v"] as? NSDictionary, JSONSerialization.isValidJSONObject(members)
    else { return }
    for (value, isForm) in [(members, true), (members.adding("more", NSNull()), false)] {
      let data = try JSONSerialization.data(withJSONObject: ["v": value])
      #expect(try Self.isSame(graph, data) == isForm)
    }
  }

  /// A field that no form is known to hold is not dropped, and the proof would see that it was.
  @Test(arguments: forms)
  func anObjectWithAnotherFieldHasNoForm(_ form: Form) throws {
    guard case .instance(let chain, let fields) = form.sample else {
      Issue.record("the form is of no object")
      return
    }
    let sample = ArchivedSample.instance(chain, fields + [("NS.more", 1)])
    let graph = try Self.graph(sample)
    let error = #expect(throws: ArchiveError.self) { try Self.plain(graph) }
    #expect(error?.code == .unrepresentable && error?.path?.description == "$.v")
    #expect(try !Self.isSame(graph, form.encoded()))
  }

  @Test(arguments: [
    components(["NS.week": 5]), components(["NS.year": 2019.5]),
    components(["NS.year": .null, "NS.month": "4"]),
    calendar(.object("NSDate", ["NS.time": 0.0])),
    .object(
      "NSMeasurement", ["NS.value": 1.0, "NS.unit": .object("NSUnit", ["NS.reciprocal": 2.0])]),
  ])
  func whatNoFormHoldsIsRefused(_ sample: ArchivedSample) throws {
    let graph = try Self.graph(sample)
    let error = #expect(throws: ArchiveError.self) { try Self.plain(graph) }
    #expect(error?.code == .unrepresentable)
  }

  /// Every value that differs from a property list in one place.
  private static func changes(of value: Any) -> [Any] {
    switch value {
    case let members as NSDictionary:
      var all: [Any] = [members.adding("more", 1)]
      for case let key as String in members.allKeys {
        all.append(members.removing(key))
        all += changes(of: members[key] ?? 0).map { members.adding(key, $0) }
      }
      return all
    case let elements as NSArray:
      var all: [Any] = [elements.adding(1)]
      for position in 0..<elements.count {
        for changed in changes(of: elements[position]) {
          let copy = NSMutableArray(array: elements)
          copy[position] = changed
          all.append(copy)
        }
      }
      return all
    case let text as String: return [text + "x"]
    case let date as Date: return [date.addingTimeInterval(1)]
    case let number as NSNumber:
      // 0 and 1 are truth values as well, so that neither is a change of the other.
      return [number.doubleValue + 2]
    default: return []
    }
  }
}

extension NSDictionary {
  private var copied: NSMutableDictionary {
    let copy = NSMutableDictionary()
    for case let key as String in allKeys { copy[key] = self[key] }
    return copy
  }

  fileprivate func adding(_ key: String, _ value: Any) -> NSDictionary {
    let copy = copied
    copy[key] = value
    return copy
  }

  fileprivate func removing(_ key: String) -> NSDictionary {
    let copy = copied
    copy.removeObject(forKey: key)
    return copy
  }
}
