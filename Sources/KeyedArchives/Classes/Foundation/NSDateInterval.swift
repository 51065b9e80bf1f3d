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
