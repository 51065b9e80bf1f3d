// The Codable forms of measurements, calendar fields and index paths.
//
// Keys of the archives: swift-corelibs-foundation, NSMeasurement.swift, Unit.swift, NSDateComponents.swift,
// NSIndexPath.swift.

import ObjectGraph

extension CodableForms {
  /// Measurement: `{value, unit: {symbol, converter: {coefficient, constant}}}`, for linear converters.
  static func measurement(_ fields: ObjectFields) -> CodableSpelling? {
    guard let value = fields["NS.value"], let unitNode = fields["NS.unit"] else { return nil }
    let unit = ObjectFields(of: unitNode, in: fields.graph)
    guard let symbol = unit["NS.symbol"], let converterNode = unit["NS.converter"] else {
      return nil
    }
    let converter = ObjectFields(of: converterNode, in: fields.graph)
    guard let coefficient = converter["NS.coefficient"], let constant = converter["NS.constant"]
    else { return nil }
    let linear = CodableSpelling.dictionary([
      ("coefficient", .node(coefficient)), ("constant", .node(constant)),
    ])
    return .dictionary([
      ("value", .node(value)),
      ("unit", .dictionary([("symbol", .node(symbol)), ("converter", linear)])),
    ])
  }

  /// The fields of DateComponents, as archived and as encoded.
  private static let calendarFields = [
    ("NS.era", "era"), ("NS.year", "year"), ("NS.month", "month"), ("NS.day", "day"),
    ("NS.hour", "hour"), ("NS.minute", "minute"), ("NS.second", "second"),
    ("NS.nanosec", "nanosecond"), ("NS.weekday", "weekday"),
    ("NS.weekdayOrdinal", "weekdayOrdinal"), ("NS.quarter", "quarter"),
    ("NS.weekOfMonth", "weekOfMonth"), ("NS.weekOfYear", "weekOfYear"),
    ("NS.yearForWOY", "yearForWeekOfYear"),
  ]

  /// DateComponents: the fields that are set; `Int.max` stands for one that is not.
  static func dateComponents(_ fields: ObjectFields) -> CodableSpelling? {
    if let calendar = fields["NS.calendar"] {
      // A calendar has parts that the archive and Codable spell too differently to be sure of.
      guard case .null = fields.graph.value(of: calendar) else { return nil }
    }
    var members: [(String, CodableSpelling)] = []
    if let zone = fields["NS.timezone"], fields.graph.mayHold(zone) {
      guard let spelled = timeZone(ObjectFields(of: zone, in: fields.graph)) else { return nil }
      members.append(("timeZone", spelled))
    }
    for (archived, encoded) in calendarFields {
      guard let number = fields.integer(archived), number != .max else { continue }
      members.append((encoded, .integer(number)))
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
