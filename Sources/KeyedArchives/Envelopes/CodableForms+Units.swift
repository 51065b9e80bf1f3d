// The Codable forms of measurements, calendars and their fields, names of persons and index paths.
//
// Keys of the archives: swift-corelibs-foundation, NSMeasurement.swift, Unit.swift, NSDateComponents.swift,
// NSCalendar.swift, NSPersonNameComponents.swift, NSIndexPath.swift. Forms: swift-foundation, DateComponents.swift,
// Calendar.swift, PersonNameComponents.swift.

import ObjectGraph

extension CodableForms {
  /// Measurement: `{value, unit: {symbol, converter: {coefficient, constant}}}`, for units of a dimension with a linear
  /// converter, and `{value, unit: {symbol}}` for all that have no dimension.
  static func measurement(_ fields: ObjectFields) -> CodableSpelling? {
    guard let value = fields["NS.value"], let unit = unit(fields) else { return nil }
    return .dictionary([("value", .node(value)), ("unit", .dictionary(unit))])
  }

  private static func unit(_ fields: ObjectFields) -> [(String, CodableSpelling)]? {
    guard let node = fields["NS.unit"], fields.graph.mayHold(node) else { return nil }
    let unit = ObjectFields(of: node, in: fields.graph)
    guard let symbol = unit["NS.symbol"], unit.areAll(among: ["NS.symbol", "NS.converter"]) else {
      return nil
    }
    let members: [(String, CodableSpelling)] = [("symbol", .node(symbol))]
    guard let converterNode = unit["NS.converter"], !unit.isNil("NS.converter") else {
      return members
    }
    let converter = ObjectFields(of: converterNode, in: fields.graph)
    guard let coefficient = converter["NS.coefficient"], let constant = converter["NS.constant"],
      converter.areAll(among: ["NS.coefficient", "NS.constant"])
    else { return nil }
    let linear = CodableSpelling.dictionary([
      ("coefficient", .node(coefficient)), ("constant", .node(constant)),
    ])
    return members + [("converter", linear)]
  }

  /// The numbers of DateComponents, as archived and as encoded.
  private static let dateComponentNumbers = [
    ("NS.era", "era"), ("NS.year", "year"), ("NS.month", "month"), ("NS.day", "day"),
    ("NS.hour", "hour"), ("NS.minute", "minute"), ("NS.second", "second"),
    ("NS.nanosec", "nanosecond"), ("NS.weekday", "weekday"),
    ("NS.weekdayOrdinal", "weekdayOrdinal"), ("NS.quarter", "quarter"),
    ("NS.weekOfMonth", "weekOfMonth"), ("NS.weekOfYear", "weekOfYear"),
    ("NS.yearForWOY", "yearForWeekOfYear"), ("NS.dayOfYear", "dayOfYear"),
  ]

  private static let dateComponentFlags = [
    ("NS.isLeapMonth", "isLeapMonth"), ("NS.isRepeatedDay", "isRepeatedDay"),
  ]

  /// All that an archive has of DateComponents; `NS.week` has a place there as long as it is not set.
  static let dateComponentFields = Set(
    (dateComponentNumbers + dateComponentFlags).map(\.0) + [
      "NS.week", "NS.calendar", "NS.timezone",
    ])

  /// DateComponents: the fields that are set.
  static func dateComponents(_ fields: ObjectFields) -> CodableSpelling? {
    var members: [(String, CodableSpelling)] = []
    if !fields.isNil("NS.calendar") {
      guard let calendar = spelling("NS.calendar", of: fields, as: NSCalendarClass.classNames)
      else { return nil }
      members.append(("calendar", calendar))
    }
    if !fields.isNil("NS.timezone") {
      guard let zone = spelling("NS.timezone", of: fields, as: NSTimeZoneClass.classNames) else {
        return nil
      }
      members.append(("timeZone", zone))
    }
    for (archived, encoded) in dateComponentNumbers where fields[archived] != nil {
      guard let number = fields.integer(archived) else { return nil }
      if !NSDateComponentsClass.isUnset(number) { members.append((encoded, .integer(number))) }
    }
    if fields["NS.week"] != nil {
      guard let week = fields.integer("NS.week"), NSDateComponentsClass.isUnset(week) else {
        return nil
      }
    }
    for (archived, encoded) in dateComponentFlags where fields[archived] != nil {
      guard let flag = fields.boolean(archived) else { return nil }
      members.append((encoded, .boolean(flag)))
    }
    return .dictionary(members)
  }

  static let calendarFields: Set<String> = [
    "NS.identifier", "NS.timezone", "NS.locale", "NS.firstwkdy", "NS.mindays", "NS.gstartdate",
  ]

  /// When the Gregorian calendar began, unless a calendar says otherwise: 1582-10-15.
  private static let gregorianStart = -13_197_600_000.0

  /// Calendar: `{current: 0, identifier, locale, timeZone, firstWeekday, minimumDaysInFirstWeek}`.
  static func calendar(_ fields: ObjectFields) -> CodableSpelling? {
    guard let identifier = fields.string("NS.identifier"),
      let locale = spelling("NS.locale", of: fields, as: NSLocaleClass.classNames),
      let zone = spelling("NS.timezone", of: fields, as: NSTimeZoneClass.classNames),
      let weekday = fields.integer("NS.firstwkdy"), let days = fields.integer("NS.mindays")
    else { return nil }
    if !fields.isNil("NS.gstartdate") {
      guard let node = fields["NS.gstartdate"],
        case .date(gregorianStart) = fields.graph.value(of: node)
      else { return nil }
    }
    return .dictionary([
      ("current", .integer(0)), ("identifier", .text(identifier)), ("locale", locale),
      ("timeZone", zone), ("firstWeekday", .integer(weekday)),
      ("minimumDaysInFirstWeek", .integer(days)),
    ])
  }

  private static let personNames = [
    "namePrefix", "givenName", "middleName", "familyName", "nameSuffix", "nickname",
  ]

  /// The parts of a name, in the object itself or in one of their own.
  static let personNameFields = Set(personNames.map { "NS." + $0 } + ["NS.nameComponentsPrivate"])

  /// PersonNameComponents: the parts that there are.
  static func personName(_ fields: ObjectFields) -> CodableSpelling? {
    var fields = fields
    if let node = fields["NS.nameComponentsPrivate"], !fields.isNil("NS.nameComponentsPrivate") {
      guard fields.areAll(among: ["NS.nameComponentsPrivate"]), fields.graph.mayHold(node) else {
        return nil
      }
      fields = ObjectFields(of: node, in: fields.graph)
      guard fields.areAll(among: Set(personNames.map { "NS." + $0 })) else { return nil }
    }
    var members: [(String, CodableSpelling)] = []
    for name in personNames where !fields.isNil("NS." + name) {
      guard let text = fields.string("NS." + name) else { return nil }
      members.append((name, .text(text)))
    }
    return .dictionary(members)
  }

  /// IndexPath: `{indexes}`.
  static func indexPath(_ fields: ObjectFields) -> CodableSpelling? {
    guard let length = fields.integer("NSIndexPathLength") else { return nil }
    var indexes: [CodableSpelling] = []
    if let data = fields.data("NSIndexPathData") {
      var numbers = LEB128(data)
      while let number = numbers.next() { indexes.append(.integer(number)) }
    } else if let value = fields.integer("NSIndexPathValue") {
      indexes.append(.integer(value))
    }
    guard indexes.count == length else { return nil }
    return .dictionary([("indexes", .array(indexes))])
  }
}
