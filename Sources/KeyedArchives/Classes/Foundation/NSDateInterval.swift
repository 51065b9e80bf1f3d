// NSDateInterval: `NS.startDate`, and `NS.endDate` or `NS.duration` (swift-corelibs-foundation: NSDateInterval.swift).

import ObjectGraph

/// NSDateInterval: `NS.startDate` and `NS.endDate`, in some versions `NS.duration`.
enum NSDateIntervalClass: FrameworkClass {
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

  // MARK: Stored form

  /// Both dates, and Apple's Foundation the duration, too (encodeWithCoder: of NSDateInterval).
  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: ["start", "end", "duration"]) { value throws(FormRefusal) in
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
    })

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(fields: [
    "NS.startDate", "NS.endDate", "NS.duration",
  ]) { spelled($0) }

  /// DateInterval: `{start, duration}`.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    guard let start = fields["NS.startDate"], case .date(let first) = fields.graph.value(of: start)
    else { return nil }
    let duration: Double
    if let end = fields["NS.endDate"], case .date(let last) = fields.graph.value(of: end) {
      duration = last - first
      if !fields.isNil("NS.duration"), fields.real("NS.duration") != duration { return nil }
    } else {
      guard fields.isNil("NS.endDate"), let seconds = fields.real("NS.duration") else { return nil }
      duration = seconds
    }
    return .dictionary([("start", .node(start)), ("duration", .real(duration))])
  }
}
