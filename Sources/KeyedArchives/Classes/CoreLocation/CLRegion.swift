// CLRegion: a number under a long key for each property (keys as forensic readers of iOS find them).

import Basics
import ObjectGraph

/// CLRegion and its kinds.
enum CLRegionClass: FrameworkClass {
  static let classNames = ["CLRegion", "CLCircularRegion", "CLBeaconRegion"]
  static let shown = "its identifier, center and radius, before its fields"
  static let isSimple = true

  private static let prefix = "kCLRegionCodingKey"
  /// Before circular regions had a class of their own, their keys began as those of all regions.
  private static let circlePrefix = "kCLCircularRegionCodingKey"

  static func summary(of object: ArchivedObject) -> String? {
    func number(_ key: String) -> Double? {
      object.number(circlePrefix + key) ?? object.number(prefix + key)
    }
    let name = object.string(prefix + "Identifier").map { SummaryText.quoted($0) }
    guard let latitude = number("CenterLatitude"), let longitude = number("CenterLongitude")
    else { return name }
    let radius = number("Radius").map { " radius \(ColorText.short($0)) m" } ?? ""
    return (name.map { "\($0) " } ?? "") + "\(latitude), \(longitude)\(radius)"
  }
}
