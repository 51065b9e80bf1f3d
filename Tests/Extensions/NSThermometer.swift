// NSThermometer: `NS.degrees`. A class, added according to CONTRIBUTING.

/// NSThermometer, which no framework has.
enum NSThermometerClass: FrameworkClass {
  static let classNames = ["NSThermometer"]
  static let shown = "its degrees, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    object.string("NS.degrees").map { "\($0) °C" }
  }
}
