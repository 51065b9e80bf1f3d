// NSCalendar: `NS.identifier`, `NS.timezone`, `NS.locale` and more (swift-corelibs-foundation: NSCalendar.swift).

import ObjectGraph

/// NSCalendar: `NS.identifier`, and what differs from the locale's habits.
enum NSCalendarClass: FrameworkClass {
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

  // MARK: Stored form

  static let storedForm = StoredForm.made(
    StoredFormMaker(
      shown: [
        "current", "identifier", "locale", "timeZone", "firstWeekday", "minimumDaysInFirstWeek",
      ]
    ) { value throws(FormRefusal) in
      var members = try value.members()
      guard try members.integer("current") ?? 0 == 0 else {
        throw FormRefusal(reason: "the current calendar is not a stored one")
      }
      let identifier = try members.required(members.text("identifier"), "identifier")
      var fields = [
        StoredField("NS.identifier", .text(identifier)),
        StoredField(
          "NS.timezone", try members.required(members.object("timeZone", "NSTimeZone"), "timeZone")),
        StoredField(
          "NS.locale", try members.required(members.object("locale", "NSLocale"), "locale")),
        StoredField(
          "NS.firstwkdy",
          .integer(try members.required(members.integer("firstWeekday"), "firstWeekday"))),
        StoredField(
          "NS.mindays",
          .integer(
            try members.required(
              members.integer("minimumDaysInFirstWeek"), "minimumDaysInFirstWeek"))),
      ]
      try members.end()
      // Apple's Foundation stores when the Gregorian calendar began, the other one only what was set.
      if identifier.equals("gregorian"), value.foundation == .apple {
        fields.append(StoredField("NS.gstartdate", .date(gregorianStart)))
      } else {
        fields.append(StoredField("NS.gstartdate", .null))
      }
      return fields
    })

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(fields: [
    "NS.identifier", "NS.timezone", "NS.locale", "NS.firstwkdy", "NS.mindays", "NS.gstartdate",
  ]) { spelled($0) }

  /// When the Gregorian calendar began, unless a calendar says otherwise: 1582-10-15.
  private static let gregorianStart = -13_197_600_000.0

  /// Calendar: `{current: 0, identifier, locale, timeZone, firstWeekday, minimumDaysInFirstWeek}`.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    guard let identifier = fields.string("NS.identifier"),
      let locale = CodableForms.spelling("NS.locale", of: fields, as: NSLocaleClass.classNames),
      let zone = CodableForms.spelling("NS.timezone", of: fields, as: NSTimeZoneClass.classNames),
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
}
