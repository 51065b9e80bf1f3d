// UIColor: `UIColorComponentCount` and `UIRed`, `UIGreen`, `UIBlue`, or `UIWhite`, with `UIAlpha`; newer ones also as
// `UIRed-Double`, …; system colours have `UISystemColorName` (keys as readers of iOS archives find them).

import ObjectGraph

/// UIColor.
enum UIColorClass: FrameworkClass {
  static let classNames = [
    "UIColor", "UIDeviceRGBColor", "UIDeviceWhiteColor", "UICachedDeviceRGBColor",
    "UICachedDeviceWhiteColor", "UIDynamicSystemColor", "UIDynamicCatalogSystemColor",
  ]
  static let shown = "its components, alpha and #RRGGBB, and the name of a system color"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    guard let color = components(of: object) else { return nil }
    let spelled =
      [
        "UIColorComponentCount", "UISystemColorName", "NSColorSpace", "NSRGB", "NSWhite",
      ] + ["UIRed", "UIGreen", "UIBlue", "UIWhite", "UIAlpha"].flatMap { [$0, "\($0)-Double"] }
    return object.derivedObject(spelling: spelled) {
      let name =
        object.string("UISystemColorName").map { [("name", SyntheticValue.string($0))] } ?? []
      return name + NSColorClass.members(of: color)
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    let name = object.string("UISystemColorName").map { SummaryText.clipped($0) }
    guard let color = components(of: object) else { return name }
    return (name.map { "\($0) " } ?? "") + NSColorClass.line(of: color)
  }

  private static func components(of object: ArchivedObject) -> NSColorClass.Components? {
    func number(_ name: String) -> Double? {
      object.number("\(name)-Double") ?? object.number(name)
    }
    let alpha = number("UIAlpha") ?? 1
    if let red = number("UIRed"), let green = number("UIGreen"), let blue = number("UIBlue") {
      return make("RGB", [red, green, blue], [red, green, blue], alpha)
    }
    if let white = number("UIWhite") {
      return make("white", [white], [white, white, white], alpha)
    }
    return NSColorClass.spelled(object, "RGB", "NSRGB", 3)
      ?? NSColorClass.spelled(object, "white", "NSWhite", 1)
  }

  private static func make(
    _ space: String, _ numbers: [Double], _ visible: [Double], _ alpha: Double
  ) -> NSColorClass.Components {
    NSColorClass.Components(
      space: space, keys: [], numbers: numbers, alpha: alpha,
      hexadecimal: ColorText.hexadecimal(visible))
  }
}
