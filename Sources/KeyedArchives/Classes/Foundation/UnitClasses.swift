// Measurements, units and their converters.

import ArchiveGraph

// MARK: - NSMeasurement: `NS.value` and `NS.unit` (swift-corelibs-foundation: NSMeasurement.swift)

enum NSMeasurementClass: SimpleClass {
  static let classNames = ["NSMeasurement"]
  static let shown = "its value and unit, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let value = object.number("NS.value"),
      let unit = object.object("NS.unit", of: NSUnitClass.self),
      let symbol = unit.string("NS.symbol")
    else { return nil }
    return "\(SummaryText.number(value)) \(SummaryText.clipped(symbol))"
  }

  static let storedForm = StoredForm.never(
    shown: ["value", "unit"], reason: "the class of its unit is not part of the form")

  // MARK: Codable

  /// Measurement: `{value, unit: {symbol, converter: {coefficient, constant}}}`, for units of a dimension with a linear
  /// converter, and `{value, unit: {symbol}}` for all without a dimension.
  static let codableForm: CodableForm? = CodableForm(fields: ["NS.value", "NS.unit"]) { fields in
    guard let value = fields["NS.value"], let unit = unit(fields) else { return nil }
    return .members([("value", .node(value)), ("unit", .members(unit))])
  }

  private static func unit(_ fields: ObjectFields) -> [(name: String, value: SyntheticValue)]? {
    guard let node = fields["NS.unit"], fields.graph.isContainerOrData(node) else { return nil }
    let unit = ObjectFields(of: node, in: fields.graph)
    guard let symbol = unit["NS.symbol"], unit.areAll(among: ["NS.symbol", "NS.converter"]) else {
      return nil
    }
    let members: [(name: String, value: SyntheticValue)] = [("symbol", .node(symbol))]
    guard let converterNode = unit["NS.converter"], !unit.isNil("NS.converter") else {
      return members
    }
    let converter = ObjectFields(of: converterNode, in: fields.graph)
    guard let coefficient = converter["NS.coefficient"], let constant = converter["NS.constant"],
      converter.areAll(among: ["NS.coefficient", "NS.constant"])
    else { return nil }
    let linear = SyntheticValue.members([
      ("coefficient", .node(coefficient)), ("constant", .node(constant)),
    ])
    return members + [("converter", linear)]
  }
}

// MARK: - NSUnit

enum NSUnitClass: SimpleClass {
  static let classNames =
    ["NSUnit", "NSDimension"]
    + [
      "Acceleration", "Angle", "Area", "ConcentrationMass", "Dispersion", "Duration",
      "ElectricCharge", "ElectricCurrent", "ElectricPotentialDifference", "ElectricResistance",
      "Energy", "Frequency", "FuelEfficiency", "Illuminance", "InformationStorage", "Length",
      "Mass", "Power", "Pressure", "Speed", "Temperature", "Volume",
    ].map { "NSUnit" + $0 }
  static let shown = "its symbol, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    object.clipped("NS.symbol")
  }
}

// MARK: - NSUnitConverter

enum NSUnitConverterClass: SimpleClass {
  static let classNames = ["NSUnitConverter", "NSUnitConverterLinear", "NSUnitConverterReciprocal"]
  static let shown = "its formula to the base unit, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    if let reciprocal = object.number("NS.reciprocal") {
      return "\(SummaryText.number(reciprocal)) / x"
    }
    guard let coefficient = object.number("NS.coefficient") else { return nil }
    let constant = object.number("NS.constant") ?? 0
    let product = "\(SummaryText.number(coefficient)) x"
    if constant == 0 { return product }
    return constant < 0
      ? "\(product) - \(SummaryText.number(-constant))"
      : "\(product) + \(SummaryText.number(constant))"
  }
}
