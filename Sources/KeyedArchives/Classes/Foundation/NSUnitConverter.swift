// NSUnitConverter: `NS.coefficient` and `NS.constant`, or `NS.reciprocal` (swift-corelibs-foundation: Unit.swift).

/// NSUnitConverter.
enum NSUnitConverterClass: FrameworkClass {
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
