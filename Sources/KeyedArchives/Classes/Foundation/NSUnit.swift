// NSUnit: `NS.symbol`, and for dimensions `NS.converter` (swift-corelibs-foundation: Unit.swift).

/// NSUnit and its dimensions.
enum NSUnitClass: FrameworkClass {
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
