// Dates, their components and intervals, calendars, time zones and locales.

import ArchiveGraph

// MARK: - NSDate

/// NSDate; archives hold no mutable one but old names of it.
enum NSDateClass: FrameworkClass {
  static let classNames = ["NSDate", "NSCalendarDate", "__NSDate"]
  static let shown = "the time in ISO 8601"
  static let storedForm = StoredForm.value
  static let isLeaf = true

  static func value(of object: ArchivedObject) -> Value? {
    guard let node = object.field(.time) else { return nil }
    switch object.flat(node) {
    case .real(let seconds)?: return .date(seconds)
    case .single(let seconds)?: return .date(Double(seconds))
    case .integer(let seconds)?: return .date(Double(seconds))
    default: return nil
    }
  }
}

// MARK: - NSTimeZone

/// NSTimeZone: `NS.name`, and its transitions as a TZif file in `NS.data`.
enum NSTimeZoneClass: SimpleClass {
  static let classNames = ["NSTimeZone", "__NSTimeZone", "__NSLocalTimeZone"]
  static let shown = "its name"

  static func value(of object: ArchivedObject) -> Value? {
    object.text("NS.name").map { .string($0) }
  }

  // MARK: Stored form

  /// The system of the reader has the transitions; swift-corelibs-foundation requires the key for them.
  static let storedForm = NSLocaleClass.identified(
    "NS.name", isCurrent: false, nilKey: "NS.data")

  // MARK: Codable

  /// TimeZone: `{identifier}`.
  ///
  /// The transitions go with the name.
  static let codableForm: CodableForm? = CodableForm(fields: ["NS.name", "NS.data"]) { fields in
    guard let name = fields["NS.name"] else { return nil }
    return .members([("identifier", .node(name))])
  }
}

// MARK: - NSCalendar

/// NSCalendar: `NS.identifier`, and what differs from the locale's habits.
enum NSCalendarClass: SimpleClass {
  static let classNames = ["NSCalendar"]
  static let shown = "its identifier, time zone and locale, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let identifier = object.string("NS.identifier") else { return nil }
    let parts = ["NS.timezone", "NS.locale"].compactMap { key -> String? in
      guard let part = object.object(key), let family = object.archive.family(of: part.node),
        family == NSTimeZoneClass.self || family == NSLocaleClass.self,
        case .string(let text)? = family.value(of: part), text.byteCount > 0
      else { return nil }
      return SummaryText.clipped(text.string)
    }
    return ([SummaryText.clipped(identifier)] + parts).joined(separator: ", ")
  }

  // MARK: Stored form

  static let storedForm = StoredForm.made(
    shown: [
      "current", "identifier", "locale", "timeZone", "firstWeekday", "minimumDaysInFirstWeek",
    ]
  ) { value throws(FormRefusal) in
    var members = try value.members()
    guard try members.integer("current") ?? 0 == 0 else {
      throw FormRefusal(reason: "the current calendar is not a stored one")
    }
    let identifier = try members.required(members.text("identifier"), "identifier")
    var fields = [StoredField("NS.identifier", .text(identifier))]
    for (key, name, className) in [
      ("NS.timezone", "timeZone", "NSTimeZone"), ("NS.locale", "locale", "NSLocale"),
    ] {
      fields.append(
        StoredField(key, try members.required(members.object(name, className), name)))
    }
    for (key, name) in [
      ("NS.firstwkdy", "firstWeekday"), ("NS.mindays", "minimumDaysInFirstWeek"),
    ] {
      fields.append(
        StoredField(key, .integer(try members.required(members.integer(name), name))))
    }
    try members.end()
    // Apple's Foundation stores when the Gregorian calendar began, the other one only what was set.
    let isStarted = identifier.equals("gregorian") && value.foundation == .apple
    return fields + [StoredField("NS.gstartdate", isStarted ? .date(gregorianStart) : .null)]
  }

  // MARK: Codable

  /// When the Gregorian calendar began, unless a calendar says otherwise: 1582-10-15.
  private static let gregorianStart = -13_197_600_000.0

  /// Calendar: `{current: 0, identifier, locale, timeZone, firstWeekday, minimumDaysInFirstWeek}`.
  static let codableForm: CodableForm? = CodableForm(fields: [
    "NS.identifier", "NS.timezone", "NS.locale", "NS.firstwkdy", "NS.mindays", "NS.gstartdate",
  ]) { fields in
    guard let identifier = fields.string("NS.identifier"),
      let locale = CodableForms.form("NS.locale", of: fields, as: NSLocaleClass.classNames),
      let zone = CodableForms.form("NS.timezone", of: fields, as: NSTimeZoneClass.classNames),
      let weekday = fields.integer("NS.firstwkdy"), let days = fields.integer("NS.mindays")
    else { return nil }
    guard fields.isNil("NS.gstartdate") || fields.date("NS.gstartdate") == gregorianStart else {
      return nil
    }
    return .members([
      ("current", .integer(0)), ("identifier", .string(identifier)), ("locale", locale),
      ("timeZone", zone), ("firstWeekday", .integer(weekday)),
      ("minimumDaysInFirstWeek", .integer(days)),
    ])
  }
}

// MARK: - NSDateComponents

enum NSDateComponentsClass: FrameworkClass {
  static let classNames = ["NSDateComponents"]
  static let shown = "the fields that are set"

  /// The keys as archived and as Swift names them.
  private static let fields = [
    ("NS.era", "era"), ("NS.year", "year"), ("NS.month", "month"), ("NS.day", "day"),
    ("NS.hour", "hour"), ("NS.minute", "minute"), ("NS.second", "second"),
    ("NS.nanosec", "nanosecond"), ("NS.weekday", "weekday"),
    ("NS.weekdayOrdinal", "weekdayOrdinal"), ("NS.quarter", "quarter"),
    ("NS.week", "week"), ("NS.weekOfMonth", "weekOfMonth"), ("NS.weekOfYear", "weekOfYear"),
    ("NS.yearForWOY", "yearForWeekOfYear"), ("NS.dayOfYear", "dayOfYear"),
  ]
  private static let flags = [
    ("NS.isLeapMonth", "isLeapMonth"), ("NS.isRepeatedDay", "isRepeatedDay"),
  ]

  /// What CoreFoundation stores for a field that is not set: the highest integer of either width.
  static func isUnset(_ number: Int64) -> Bool {
    number == .max || number == Int64(Int32.max)
  }

  static func value(of object: ArchivedObject) -> Value? {
    let fieldNames = (fields + flags).map(\.0) + ["NS.calendar", "NS.timezone"]
    return object.derivedObject(of: fieldNames) {
      guard let (numbers, flags) = parts(of: object) else { return nil }
      var members = numbers.map { (name: $0.name, value: SyntheticValue.integer($0.number)) }
      members += flags.map { ($0.name, .boolean($0.flag)) }
      for (key, name) in [("NS.calendar", "calendar"), ("NS.timezone", "timeZone")] {
        if object.has(key), let node = object.field(key) { members.append((name, .node(node))) }
      }
      return members
    }
  }

  /// The fields that are set; nil if one is no number.
  private static func parts(
    of object: ArchivedObject
  ) -> (numbers: [(name: String, number: Int64)], flags: [(name: String, flag: Bool)])? {
    let numbers = fields.compactMap { key, name in
      object.integer(key).map { (name: name, number: $0) }
    }
    let flags = flags.compactMap { key, name in
      object.flag(key).map { (name: name, flag: $0) }
    }
    let count = (fields + Self.flags).count { key, _ in object.field(key) != nil }
    guard numbers.count + flags.count == count else { return nil }
    return (numbers.filter { !isUnset($0.number) }, flags)
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let (numbers, flags) = parts(of: object) else { return nil }
    var words = numbers.map { "\($0.name) \($0.number)" } + flags.filter(\.flag).map(\.name)
    if let zone = object.brief("NS.timezone") { words.append(zone) }
    return words.isEmpty ? "nothing set" : words.joined(separator: ", ")
  }

  // MARK: Stored form

  /// Every number has a field, with the highest integer if it is not set.
  static let storedForm = StoredForm.made(
    shown: Set((fields + flags).map(\.1) + ["calendar", "timeZone"])
  ) {
    value throws(FormRefusal) in
    var members = try value.members()
    var stored = [
      StoredField("NS.calendar", try members.object("calendar", "NSCalendar") ?? .null),
      StoredField("NS.timezone", try members.object("timeZone", "NSTimeZone") ?? .null),
    ]
    for (key, name) in fields {
      let number = try members.integer(name)
      // The older readers do not know these.
      if number == nil, key == "NS.week" || key == "NS.dayOfYear" { continue }
      stored.append(StoredField(key, .integer(number ?? .max)))
    }
    for (key, name) in flags {
      if let flag = try members.boolean(name) { stored.append(StoredField(key, .boolean(flag))) }
    }
    return try stored + members.fields()
  }

  // MARK: Codable

  /// DateComponents: the fields that are set; `NS.week` has none, and may be there as long as it is not set.
  static let codableForm: CodableForm? = CodableForm(
    fields: Set((fields + flags).map(\.0) + ["NS.calendar", "NS.timezone"])
  ) { fields in
    var members: [(name: String, value: SyntheticValue)] = []
    for (key, name, classNames) in [
      ("NS.calendar", "calendar", NSCalendarClass.classNames),
      ("NS.timezone", "timeZone", NSTimeZoneClass.classNames),
    ] where !fields.isNil(key) {
      guard let form = CodableForms.form(key, of: fields, as: classNames) else { return nil }
      members.append((name, form))
    }
    for (archived, encoded) in Self.fields where archived != "NS.week" && fields[archived] != nil {
      guard let number = fields.integer(archived) else { return nil }
      if !isUnset(number) { members.append((encoded, .integer(number))) }
    }
    if fields["NS.week"] != nil {
      guard let week = fields.integer("NS.week"), isUnset(week) else {
        return nil
      }
    }
    for (archived, encoded) in flags where fields[archived] != nil {
      guard let flag = fields.boolean(archived) else { return nil }
      members.append((encoded, .boolean(flag)))
    }
    return .members(members)
  }
}

// MARK: - NSDateInterval

/// NSDateInterval: `NS.startDate` and `NS.endDate`, in some versions `NS.duration`.
enum NSDateIntervalClass: SimpleClass {
  static let classNames = ["NSDateInterval", "_NSConcreteDateInterval"]
  static let shown = "its start, end and duration in seconds"

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedObject(of: ["NS.startDate", "NS.endDate", "NS.duration"]) {
      guard let (start, end) = dates(object) else { return nil }
      return [("start", .date(start)), ("end", .date(end)), ("duration", .real(end - start))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let (start, end) = dates(object) else { return nil }
    return "\(SummaryText.date(start)) to \(SummaryText.date(end))"
  }

  private static func dates(_ object: ArchivedObject) -> (Double, Double)? {
    guard let start = object.date("NS.startDate") else { return nil }
    if let end = object.date("NS.endDate") { return (start, end) }
    return object.number("NS.duration").map { (start, start + $0) }
  }

  // MARK: Stored form

  /// Both dates, and Apple's Foundation the duration, too (encodeWithCoder: of NSDateInterval).
  static let storedForm = StoredForm.made(shown: ["start", "end", "duration"]) {
    value throws(FormRefusal) in
    var members = try value.members()
    let start = try members.required(members.date("start"), "start")
    let end = try members.date("end")
    let length = try members.real("duration")
    try members.end()
    let duration = try members.required(length ?? end.map { $0 - start }, "duration")
    if let end, end - start != duration {
      throw FormRefusal(reason: "its member 'duration' is not that of its dates")
    }
    let dates = [
      StoredField("NS.startDate", .date(start)),
      StoredField("NS.endDate", .date(end ?? start + duration)),
    ]
    guard value.foundation == .apple else { return dates }
    return dates + [StoredField("NS.duration", .real(duration))]
  }

  // MARK: Codable

  /// DateInterval: `{start, duration}`.
  static let codableForm: CodableForm? = CodableForm(fields: [
    "NS.startDate", "NS.endDate", "NS.duration",
  ]) { fields in
    guard let start = fields["NS.startDate"], let first = fields.date("NS.startDate") else {
      return nil
    }
    let duration: Double
    if let last = fields.date("NS.endDate") {
      duration = last - first
      if !fields.isNil("NS.duration"), fields.real("NS.duration") != duration { return nil }
    } else {
      guard fields.isNil("NS.endDate"), let seconds = fields.real("NS.duration") else { return nil }
      duration = seconds
    }
    return .members([("start", .node(start)), ("duration", .real(duration))])
  }
}

// MARK: - NSLocale: `NS.identifier` (swift-corelibs-foundation: NSLocale.swift)

/// NSLocale: `NS.identifier`.
enum NSLocaleClass: SimpleClass {
  static let classNames = ["NSLocale"]
  static let shown = "its identifier"

  static func value(of object: ArchivedObject) -> Value? {
    object.text("NS.identifier").map { .string($0) }
  }

  // MARK: Stored form

  static let storedForm = identified("NS.identifier", isCurrent: true)

  /// Makes an object of its identifier, or of Codable's form: `{identifier}`, for a locale also `{current: 0}`.
  ///
  /// - Parameter nilKey: a field that is nil beside the identifier.
  static func identified(
    _ key: String, isCurrent: Bool, nilKey: String? = nil
  ) -> StoredForm {
    @Sendable func fields(_ text: Text) -> [StoredField] {
      [StoredField(key, .text(text))] + (nilKey.map { [StoredField($0, .null)] } ?? [])
    }
    return .made(shown: ["identifier", "current"]) { value throws(FormRefusal) in
      if let text = value.text { return fields(text) }
      var members = try value.members()
      let identifier = try members.required(members.text("identifier"), "identifier")
      if isCurrent, try members.integer("current") ?? 0 != 0 {
        throw FormRefusal(reason: "the current locale is not a stored one")
      }
      try members.end()
      return fields(identifier)
    }
  }

  // MARK: Codable

  /// Locale: `{current: 0, identifier}`.
  static let codableForm: CodableForm? = CodableForm(fields: ["NS.identifier"]) { fields in
    guard let identifier = fields["NS.identifier"] else { return nil }
    return .members([("current", .integer(0)), ("identifier", .node(identifier))])
  }
}
