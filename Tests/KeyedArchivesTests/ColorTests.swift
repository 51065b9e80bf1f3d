// Colors in every color space that AppKit and UIKit archive.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct ColorTests {
  private static func space(_ fields: KeyValuePairs<String, ArchivedSample>) -> ArchivedSample {
    .object("NSColorSpace", fields)
  }

  static let appKit: [ClassLayout] = [
    ClassLayout(
      .object("NSColor", ["NSColorSpace": 1, "NSRGB": .data("1 0 0\0")]),
      "NSColor #FF0000 calibrated RGB",
      members: ["hex: \"#FF0000\"", "space: \"calibrated RGB\"", "alpha: 1.0"]),
    ClassLayout(
      .object("NSColor", ["NSColorSpace": 2, "NSRGB": .data("0.2 0.4 0.6 0.25")]),
      "NSColor #336699 device RGB, alpha 0.25", members: ["alpha: 0.25"]),
    ClassLayout(
      .object("NSColor", ["NSColorSpace": 2, "NSRGB": .data("1.5 -0.25 0")]),
      "NSColor (1.5, -0.25, 0) device RGB", members: ["components: array (3)"]),
    ClassLayout(
      .object("NSColor", ["NSColorSpace": 3, "NSWhite": .data("0.5\0")]),
      "NSColor #808080 calibrated white", members: ["components: array (1)"]),
    ClassLayout(
      .object("NSColor", ["NSColorSpace": 4, "NSWhite": .data("1 0.5")]),
      "NSColor #FFFFFF device white, alpha 0.5"),
    ClassLayout(
      .object("NSColor", ["NSColorSpace": 5, "NSCMYK": .data("1 0.5 0.25 0 0.75")]),
      "NSColor (1, 0.5, 0.25, 0) device CMYK, alpha 0.75",
      members: ["space: \"device CMYK\"", "alpha: 0.75"]),
    ClassLayout(
      .object(
        "NSColor",
        [
          "NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": "labelColor",
          "NSColor": .object("NSColor", ["NSColorSpace": 3, "NSWhite": .data("0")]),
        ]), "NSColor System labelColor (#000000 calibrated white)",
      members: ["space: \"named\"", "catalog: \"System\"", "name: \"labelColor\""]),
    ClassLayout(
      .object(
        "NSColor", ["NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": "red \"x\""]),
      "NSColor System red \"x\""),
    ClassLayout(
      .object(
        "NSColor", ["NSColorSpace": 10, "NSImage": .object("NSImage", ["NSName": "Dots"])]),
      "NSColor pattern", members: ["image: NSImage (1) \"Dots\""]),
    // The nearest calibrated colour stands beside the components in the colour's own space.
    ClassLayout(
      .object(
        "NSColor",
        [
          "NSColorSpace": 1, "NSRGB": .data("0.9859 0 0.0269"),
          "NSComponents": .data("1 0 0 0.5"),
          "NSCustomColorSpace": space(["NSID": 7, "NSICC": .data([1, 2, 3])]),
        ]), "NSColor #FF0000 sRGB, alpha 0.5",
      members: ["NSCustomColorSpace: NSColorSpace (2) sRGB, ICC profile of 3 bytes"]),
    ClassLayout(
      .object(
        "NSColor",
        [
          "NSColorSpace": 1, "NSRGB": .data("1 0 0"), "NSComponents": .data("1.0625 0 0 1"),
          "NSCustomColorSpace": space(["NSSpaceID": 14]),
        ]), "NSColor (1.063, 0, 0) extended sRGB"),
    ClassLayout(
      .object(
        "NSColor",
        [
          "NSColorSpace": 3, "NSWhite": .data("0.4"), "NSComponents": .data("0.5 1"),
          "NSCustomColorSpace": space(["NSID": 9]),
        ]), "NSColor #808080 generic gray gamma 2.2"),
    ClassLayout(
      .object(
        "NSColor",
        [
          "NSColorSpace": 5, "NSCMYK": .data("0 0 0 1"),
          "NSComponents": .data("0 0 0 0.5 1"),
          "NSCustomColorSpace": space(["NSICC": .data([1])]),
        ]), "NSColor (0, 0, 0, 0.5) custom"),
    // Generic RGB is what the number 1 says by itself.
    ClassLayout(
      .object(
        "NSColor",
        [
          "NSColorSpace": 1, "NSRGB": .data("0 1 0"),
          "NSCustomColorSpace": space(["NSID": 1]),
        ]), "NSColor #00FF00 calibrated RGB"),
    ClassLayout(space(["NSID": 4]), "NSColorSpace device RGB"),
    ClassLayout(space(["NSID": 77]), "NSColorSpace color space 77"),
    ClassLayout(
      space(["NSSpaceID": 12, "NSICC": .data([1])]),
      "NSColorSpace Display P3, ICC profile of 1 byte"
    ),
  ]

  static let uiKit: [ClassLayout] = [
    ClassLayout(
      .object(
        "UIColor",
        [
          "UIColorComponentCount": 4, "UIRed": 1.0, "UIGreen": 0.5, "UIBlue": 0.0, "UIAlpha": 1.0,
          "NSRGB": .data("1 0.5 0"), "NSColorSpace": 2,
        ]), "UIColor #FF8000 RGB", members: ["hex: \"#FF8000\"", "alpha: 1.0"]),
    // A float is stored with the double that it came from.
    ClassLayout(
      .object(
        "UIColor",
        [
          "UIColorComponentCount": 4, "UIRed": 0.5, "UIRed-Double": 0.2, "UIGreen": 0.5,
          "UIGreen-Double": 0.4, "UIBlue": 0.5, "UIBlue-Double": 0.6, "UIAlpha": 1.0,
          "UIAlpha-Double": 0.75,
        ]), "UIColor #336699 RGB, alpha 0.75"),
    ClassLayout(
      .object(
        "UIColor",
        [
          "UIColorComponentCount": 2, "UIWhite": 0.0, "UIAlpha": 0.5, "NSWhite": .data("0"),
          "NSColorSpace": 4,
        ]), "UIColor #000000 white, alpha 0.5", members: ["space: \"white\""]),
    ClassLayout(
      .object(
        "UIColor",
        [
          "UISystemColorName": "labelColor", "UIColorComponentCount": 4, "UIRed": 0.0,
          "UIGreen": 0.0, "UIBlue": 0.0, "UIAlpha": 1.0,
        ]), "UIColor labelColor #000000 RGB", members: ["name: \"labelColor\""]),
    ClassLayout(
      .object(
        "UIColor",
        ["UISystemColorName": "groupTableViewBackgroundColor", "UIPatternSelector": "x"]),
      "UIColor groupTableViewBackgroundColor", members: ["UIPatternSelector: \"x\""]),
    ClassLayout(
      .object("UIDeviceRGBColor", ["NSRGB": .data("0 0 1 0.5"), "NSColorSpace": 2]),
      "UIDeviceRGBColor #0000FF RGB, alpha 0.5"),
  ]

  @Test(arguments: appKit + uiKit)
  func isItsSpaceComponentsAndAlpha(_ layout: ClassLayout) throws { try layout.check() }

  @Test(arguments: appKit + uiKit)
  func noNumberIsLost(_ layout: ClassLayout) throws {
    // The components of the colour itself, not those of the colour that stands in for it.
    guard case .instance(_, let fields) = layout.sample,
      let data = ["NSComponents", "NSRGB", "NSWhite", "NSCMYK"].lazy.compactMap({ key in
        fields.first { $0.0 == key }?.1
      }).first, case .inline(.data(let bytes)) = data,
      !fields.contains(where: { $0.0.hasPrefix("UI") })
    else { return }
    let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    let tree = try ShownTree(layout.sample)
    let shown = tree.lines.compactMap { line -> Double? in
      guard line.contains("  ├─ [") || line.contains("  └─ [") else { return nil }
      return line.components(separatedBy: ": ").last.flatMap { Double($0) }
    }
    #expect(!shown.isEmpty)
    #expect(Array(numbers.prefix(shown.count)) == shown)
    let alpha = tree.member("alpha").flatMap { Double($0) }
    #expect(alpha == (numbers.count > shown.count ? numbers.last : 1))
  }
}
