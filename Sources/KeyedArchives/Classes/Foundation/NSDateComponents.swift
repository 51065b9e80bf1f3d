// NSDateComponents: `NS.year`, `NS.month`, …, where `Int.max` stands for a field that is not set
// (swift-corelibs-foundation: NSDateComponents.swift).

import ObjectGraph

/// NSDateComponents.
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
    let spelled = (fields + flags).map(\.0) + ["NS.calendar", "NS.timezone"]
    return object.derivedObject(spelling: spelled) {
      guard isReadable(object) else { return nil }
      var members: [(name: String, value: SyntheticValue)] = []
      for (key, name) in fields {
        guard let number = object.integer(key), !isUnset(number) else { continue }
        members.append((name, .integer(number)))
      }
      for (key, name) in flags {
        if let flag = object.flag(key) { members.append((name, .boolean(flag))) }
      }
      for (key, name) in [("NS.calendar", "calendar"), ("NS.timezone", "timeZone")] {
        if object.has(key), let node = object.field(key) { members.append((name, .node(node))) }
      }
      return members
    }
  }

  /// Whether every field that is there is a number.
  private static func isReadable(_ object: ArchivedObject) -> Bool {
    fields.allSatisfy { key, _ in object.field(key) == nil || object.integer(key) != nil }
      && flags.allSatisfy { key, _ in object.field(key) == nil || object.flag(key) != nil }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard isReadable(object) else { return nil }
    var words: [String] = []
    for (key, name) in fields {
      guard let number = object.integer(key), !isUnset(number) else { continue }
      words.append("\(name) \(number)")
    }
    for (key, name) in flags where object.flag(key) == true { words.append(name) }
    if let zone = object.brief("NS.timezone") { words.append(zone) }
    return words.isEmpty ? "nothing set" : words.joined(separator: ", ")
  }

  // MARK: Stored form

  /// Every number has a field, with the highest integer if it is not set.
  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: Set((fields + flags).map(\.1) + ["calendar", "timeZone"])) {
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
    })

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(fields: dateComponentFields) { spelled($0) }

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
  private static let dateComponentFields = Set(
    (dateComponentNumbers + dateComponentFlags).map(\.0) + [
      "NS.week", "NS.calendar", "NS.timezone",
    ])

  /// DateComponents: the fields that are set.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    var members: [(String, CodableSpelling)] = []
    if !fields.isNil("NS.calendar") {
      guard
        let calendar = CodableForms.spelling(
          "NS.calendar", of: fields, as: NSCalendarClass.classNames)
      else { return nil }
      members.append(("calendar", calendar))
    }
    if !fields.isNil("NS.timezone") {
      guard
        let zone = CodableForms.spelling("NS.timezone", of: fields, as: NSTimeZoneClass.classNames)
      else {
        return nil
      }
      members.append(("timeZone", zone))
    }
    for (archived, encoded) in dateComponentNumbers where fields[archived] != nil {
      guard let number = fields.integer(archived) else { return nil }
      if !isUnset(number) { members.append((encoded, .integer(number))) }
    }
    if fields["NS.week"] != nil {
      guard let week = fields.integer("NS.week"), isUnset(week) else {
        return nil
      }
    }
    for (archived, encoded) in dateComponentFlags where fields[archived] != nil {
      guard let flag = fields.boolean(archived) else { return nil }
      members.append((encoded, .boolean(flag)))
    }
    return .dictionary(members)
  }
}
