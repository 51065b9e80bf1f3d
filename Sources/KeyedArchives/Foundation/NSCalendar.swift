// NSCalendar, NSTimeZone, NSLocale and NSDateInterval (swift-corelibs-foundation: files of these names).

import ObjectGraph

/// NSTimeZone: `NS.name`, and its transitions as a TZif file in `NS.data`.
enum NSTimeZoneClass: ArchivedClass {
  static let classNames = ["NSTimeZone", "__NSTimeZone", "__NSLocalTimeZone"]
  static let shown = "its name"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    object.text("NS.name").map { .string($0) }
  }
}

/// NSLocale: `NS.identifier`.
enum NSLocaleClass: ArchivedClass {
  static let classNames = ["NSLocale"]
  static let shown = "its identifier"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    object.text("NS.identifier").map { .string($0) }
  }
}

/// NSCalendar: `NS.identifier`, and what differs from the locale's habits.
enum NSCalendarClass: ArchivedClass {
  static let classNames = ["NSCalendar"]
  static let shown = "its identifier, time zone and locale, before its fields"
  static let isSimple = true

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
}

/// NSDateInterval: `NS.startDate` and `NS.endDate`, in some versions `NS.duration`.
enum NSDateIntervalClass: ArchivedClass {
  static let classNames = ["NSDateInterval", "_NSConcreteDateInterval"]
  static let shown = "its start, end and duration in seconds"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedObject(spelling: ["NS.startDate", "NS.endDate", "NS.duration"]) {
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
}
