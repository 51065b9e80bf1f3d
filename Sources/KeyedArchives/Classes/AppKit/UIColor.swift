// UIColor: `UIColorComponentCount` and `UIRed`, `UIGreen`, `UIBlue`, or `UIWhite`, with `UIAlpha`; newer ones also as
// `UIRed-Double`, …; system colors have `UISystemColorName` (keys as readers of iOS archives find them).

import Basics
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

  // MARK: Stored form

  /// Components in single precision, and in double where that is not the same; `NSRGB` or `NSWhite` for AppKit, of three
  /// digits (UIKit: encodeWithCoder: of UIColor).
  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: NSColorClass.shownMembers) { value throws(FormRefusal) in
      var members = try value.members()
      var fields: [StoredField] = []
      if let name = try members.text("name") {
        fields.append(StoredField("UISystemColorName", .text(name)))
      }
      let color = try NSColorClass.components(of: &members, defaultSpace: "RGB")
      try members.end()
      let keys: [String]
      switch color.space {
      case "RGB": keys = ["UIRed", "UIGreen", "UIBlue"]
      case "white": keys = ["UIWhite"]
      default: throw FormRefusal(reason: "UIColor has no space '\(color.space)'")
      }
      guard color.numbers.count == keys.count else {
        throw FormRefusal(reason: "the space '\(color.space)' has \(keys.count) components")
      }
      fields.append(StoredField("UIColorComponentCount", .integer(Int64(keys.count) + 1)))
      for (key, number) in zip(keys + ["UIAlpha"], color.numbers + [color.alpha]) {
        fields.append(StoredField(key, .single(Float(number))))
        if Double(Float(number)) != number {
          fields.append(StoredField("\(key)-Double", .real(number)))
        }
      }
      let visible = color.numbers + (color.alpha == 1 ? [] : [color.alpha])
      let text = visible.map { $0.text(significantDigits: 3) }.joined(separator: " ")
      let isGray = keys.count == 1
      return fields + [
        StoredField(isGray ? "NSWhite" : "NSRGB", .bytes(Array(text.utf8))),
        StoredField("NSColorSpace", .integer(isGray ? 4 : 2)),
      ]
    })
}
