// NSMeasurement: `NS.value` and `NS.unit`. NSUnit: `NS.symbol`, and for dimensions `NS.converter` with
// `NS.coefficient` and `NS.constant`, or `NS.reciprocal` (swift-corelibs-foundation: NSMeasurement.swift, Unit.swift).

/// NSMeasurement.
enum NSMeasurementClass: ArchivedClass {
  static let classNames = ["NSMeasurement"]
  static let shown = "its value and unit, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let value = object.number("NS.value"),
      let unit = object.object("NS.unit", of: NSUnitClass.self),
      let symbol = unit.string("NS.symbol")
    else { return nil }
    return "\(SummaryText.number(value)) \(SummaryText.clipped(symbol))"
  }
}

/// NSUnit and its dimensions.
enum NSUnitClass: ArchivedClass {
  static let classNames =
    ["NSUnit", "NSDimension"]
    + [
      "Acceleration", "Angle", "Area", "ConcentrationMass", "Dispersion", "Duration",
      "ElectricCharge", "ElectricCurrent", "ElectricPotentialDifference", "ElectricResistance",
      "Energy", "Frequency", "FuelEfficiency", "Illuminance", "InformationStorage", "Length",
      "Mass", "Power", "Pressure", "Speed", "Temperature", "Volume",
    ].map { "NSUnit" + $0 }
  static let shown = "its symbol, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    object.string("NS.symbol").map { SummaryText.clipped($0) }
  }
}

/// NSUnitConverter.
enum NSUnitConverterClass: ArchivedClass {
  static let classNames = ["NSUnitConverter", "NSUnitConverterLinear", "NSUnitConverterReciprocal"]
  static let shown = "its formula to the base unit, before its fields"
  static let isSimple = true

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
