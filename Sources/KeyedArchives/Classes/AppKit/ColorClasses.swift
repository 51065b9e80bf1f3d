// Colors and color spaces.

import ArchiveBasics
import ArchiveGraph

// MARK: - NSColor

enum NSColorClass: SimpleClass {
  static let classNames = ["NSColor"]
  static let shown = "its color space, components, alpha and #RRGGBB; its names; its pattern"

  struct Components {
    let space: String
    let keys: [String]
    let numbers: [Double]
    let alpha: Double

    /// `#RRGGBB` of gray, or of red, green and blue.
    var hexadecimal: String? {
      ColorText.hexadecimal(numbers.count == 1 ? Array(repeating: numbers[0], count: 3) : numbers)
    }
  }

  static func value(of object: ArchivedObject) -> Value? {
    if object.integer("NSColorSpace") == 6 { return named(object) }
    if object.integer("NSColorSpace") == 10 {
      return object.derivedObject(of: ["NSColorSpace", "NSImage"]) {
        object.field("NSImage").map { [("space", .string("pattern")), ("image", .node($0))] }
      }
    }
    guard let color = components(of: object) else { return nil }
    return object.derivedObject(of: ["NSColorSpace"] + color.keys) { members(of: color) }
  }

  /// A color by the names of its catalog and itself; its appearance when it was archived is included.
  private static func named(_ object: ArchivedObject) -> Value? {
    object.derivedObject(of: ["NSColorSpace", "NSCatalogName", "NSColorName", "NSColor"]) {
      guard let catalog = object.string("NSCatalogName"), let name = object.string("NSColorName")
      else { return nil }
      var members: [(name: String, value: SyntheticValue)] = [
        ("space", .string("named")), ("catalog", .string(catalog)), ("name", .string(name)),
      ]
      if object.has("NSColor"), let node = object.field("NSColor") {
        members.append(("color", .node(node)))
      }
      return members
    }
  }

  static func members(of color: Components) -> [(name: String, value: SyntheticValue)] {
    var members: [(name: String, value: SyntheticValue)] = []
    if let hexadecimal = color.hexadecimal { members.append(("hex", .string(hexadecimal))) }
    members.append(("space", .string(color.space)))
    members.append(("components", .list(color.numbers.map { .real($0) })))
    members.append(("alpha", .real(color.alpha)))
    return members
  }

  static func summary(of object: ArchivedObject) -> String? {
    if object.integer("NSColorSpace") == 6 {
      guard let catalog = object.string("NSCatalogName"), let name = object.string("NSColorName")
      else { return nil }
      let own = object.object("NSColor", of: NSColorClass.self).flatMap { components(of: $0) }
      let look = own.map { " (\(line(of: $0)))" } ?? ""
      return "\(SummaryText.clipped(catalog)) \(SummaryText.clipped(name))\(look)"
    }
    if object.integer("NSColorSpace") == 10 { return object.has("NSImage") ? "pattern" : nil }
    return components(of: object).map { line(of: $0) }
  }

  /// `#FF0000 calibrated RGB, alpha 0.5`.
  static func line(of color: Components) -> String {
    let look = color.hexadecimal ?? ColorText.list(color.numbers)
    let alpha = color.alpha == 1 ? "" : ", alpha \(ColorText.short(color.alpha))"
    return "\(look) \(color.space)\(alpha)"
  }

  private static func components(of object: ArchivedObject) -> Components? {
    if let color = custom(object) { return color }
    let number = object.integer("NSColorSpace")
    return spaces.first { $0.number == number }.flatMap {
      components(object, $0.name, $0.key, $0.count)
    }
  }

  /// The components in a custom space; `NSRGB` has the nearest color for older readers.
  private static func custom(_ object: ArchivedObject) -> Components? {
    guard let space = object.object("NSCustomColorSpace", of: NSColorSpaceClass.self),
      let bytes = object.bytes("NSComponents"), let numbers = ColorText.numbers(bytes),
      (2...5).contains(numbers.count), let alpha = numbers.last
    else { return nil }
    return Components(
      space: NSColorSpaceClass.name(of: space) ?? "custom",
      keys: ["NSComponents", "NSRGB", "NSWhite", "NSCMYK"], numbers: numbers.dropLast(),
      alpha: alpha)
  }

  /// The components of a key's text, alpha after them if it is not 1.
  static func components(
    _ object: ArchivedObject, _ space: String, _ key: String, _ count: Int
  ) -> Components? {
    guard let bytes = object.bytes(key), let numbers = ColorText.numbers(bytes),
      numbers.count == count || numbers.count == count + 1
    else { return nil }
    return Components(
      space: space, keys: [key], numbers: Array(numbers.prefix(count)),
      alpha: numbers.count > count ? numbers[count] : 1)
  }

  // MARK: Stored form

  /// The members of a color that are shown.
  static let shownMembers: Set<String> = [
    "hex", "space", "components", "alpha", "name", "catalog", "color", "image",
  ]

  /// The spaces that a number tells, with the key of their components.
  private static let spaces: [(name: String, number: Int64, key: String, count: Int)] = [
    ("calibrated RGB", 1, "NSRGB", 3), ("device RGB", 2, "NSRGB", 3),
    ("calibrated white", 3, "NSWhite", 1), ("device white", 4, "NSWhite", 1),
    ("device CMYK", 5, "NSCMYK", 4),
  ]

  /// A color of a space with a number, or of a catalog; another space is more than its name.
  static let storedForm = StoredForm.made(shown: shownMembers) { value throws(FormRefusal) in
    var members = try value.members()
    if let catalog = try members.text("catalog") {
      let name = try members.required(members.text("name"), "name")
      guard try members.text("space").map({ $0.equals("named") }) ?? true else {
        throw FormRefusal(reason: "the space of a color in a catalog is 'named'")
      }
      let color = try members.object("color", "NSColor")
      try members.end()
      return [
        StoredField("NSColorSpace", .integer(6)), StoredField("NSCatalogName", .text(catalog)),
        StoredField("NSColorName", .text(name)),
      ] + (color.map { [StoredField("NSColor", $0)] } ?? [])
    }
    let color = try components(of: &members, defaultSpace: nil)
    guard let space = spaces.first(where: { $0.name == color.space }) else {
      throw FormRefusal(reason: "what is shown of the space '\(color.space)' is not all of it")
    }
    try members.end()
    guard color.numbers.count == space.count else {
      throw FormRefusal(reason: "the space '\(space.name)' has \(space.count) components")
    }
    let numbers = color.numbers + (color.alpha == 1 ? [] : [color.alpha])
    let text = numbers.map { SummaryText.number($0) }.joined(separator: " ")
    return [
      StoredField("NSColorSpace", .integer(space.number)),
      StoredField(space.key, .bytes(Array(text.utf8) + [0])),
    ]
  }

  /// The components of a color as it is shown; they follow from `hex` alone.
  static func components(
    of members: inout FormMembers, defaultSpace: String?
  ) throws(FormRefusal) -> Components {
    let hexadecimal = try members.text("hex")?.string
    let space = try members.text("space")?.string ?? defaultSpace
    var numbers = try members.numbers("components")
    if numbers == nil, let hexadecimal { numbers = ColorText.components(hexadecimal) }
    guard let space, let numbers else {
      throw FormRefusal(
        reason: "its member '\(space == nil ? "space" : "components")' is missing")
    }
    let alpha = try members.real("alpha") ?? 1
    let color = Components(space: space, keys: [], numbers: numbers, alpha: alpha)
    if let hexadecimal, color.hexadecimal != hexadecimal.uppercased() {
      throw FormRefusal(reason: "its members 'hex' and 'components' are different colors")
    }
    return color
  }
}

// MARK: - NSColorList: the names in `NSKeys`, the colors in `NSColors` (GNUstep: NSColorList.m)

enum NSColorListClass: FrameworkClass {
  static let classNames = ["NSColorList"]
  static let shown = "its colors by name"

  static func value(of object: ArchivedObject) -> Value? {
    guard let names = object.elements("NSKeys"), let colors = object.elements("NSColors"),
      names.count == colors.count
    else { return nil }
    return object.derivedObject(of: ["NSKeys", "NSColors"]) {
      [("colors", .pairs(zip(names, colors).map { (key: .node($0), value: .node($1)) }))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    let count = object.elements("NSColors").map { SummaryText.count($0.count, "color") }
    return SummaryText.joined([object.quoted("NSName"), count])
  }

  static let storedForm = StoredForm.never(
    shown: ["colors"], reason: "its names and colors are in two lists")
}

// MARK: - NSColorSpace

enum NSColorSpaceClass: SimpleClass {
  static let classNames = ["NSColorSpace"]
  static let shown = "its name or number and the size of its profile, before its fields"

  /// The numbers under `NSID`.
  private static let names: [Int64: String] = [
    1: "generic RGB", 2: "generic gray", 3: "generic CMYK", 4: "device RGB", 5: "device gray",
    6: "device CMYK", 7: "sRGB", 8: "Adobe RGB (1998)", 9: "generic gray gamma 2.2",
  ]

  /// The numbers under `NSSpaceID`.
  private static let newerNames: [Int64: String] = [
    12: "Display P3", 13: "DCI P3", 14: "extended sRGB", 15: "extended gray gamma 2.2",
    16: "linear sRGB", 17: "extended linear sRGB",
  ]

  /// The name of the space, nil for unknown numbers.
  static func name(of object: ArchivedObject) -> String? {
    object.integer("NSID").flatMap { names[$0] }
      ?? object.integer("NSSpaceID").flatMap { newerNames[$0] }
  }

  static func summary(of object: ArchivedObject) -> String? {
    let number = object.integer("NSID") ?? object.integer("NSSpaceID")
    let profile = object.bytes("NSICC").map {
      "ICC profile of \(SummaryText.count($0.count, "byte"))"
    }
    return SummaryText.joined([name(of: object) ?? number.map { "color space \($0)" }, profile])
  }
}

// MARK: - UIColor

enum UIColorClass: SimpleClass {
  static let classNames = [
    "UIColor", "UIDeviceRGBColor", "UIDeviceWhiteColor", "UICachedDeviceRGBColor",
    "UICachedDeviceWhiteColor", "UIDynamicSystemColor", "UIDynamicCatalogSystemColor",
  ]
  static let shown = "its components, alpha and #RRGGBB, and the name of a system color"

  static func value(of object: ArchivedObject) -> Value? {
    guard let color = components(of: object) else { return nil }
    let fieldNames =
      [
        "UIColorComponentCount", "UISystemColorName", "NSColorSpace", "NSRGB", "NSWhite",
      ] + ["UIRed", "UIGreen", "UIBlue", "UIWhite", "UIAlpha"].flatMap { [$0, "\($0)-Double"] }
    return object.derivedObject(of: fieldNames) {
      let name =
        object.string("UISystemColorName").map { [("name", SyntheticValue.string($0))] } ?? []
      return name + NSColorClass.members(of: color)
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    let name = object.clipped("UISystemColorName")
    guard let color = components(of: object) else { return name }
    return (name.map { "\($0) " } ?? "") + NSColorClass.line(of: color)
  }

  private static func components(of object: ArchivedObject) -> NSColorClass.Components? {
    func number(_ name: String) -> Double? {
      object.number("\(name)-Double") ?? object.number(name)
    }
    let alpha = number("UIAlpha") ?? 1
    for (space, keys) in [("RGB", ["UIRed", "UIGreen", "UIBlue"]), ("white", ["UIWhite"])] {
      let numbers = keys.compactMap(number)
      if numbers.count == keys.count {
        return NSColorClass.Components(space: space, keys: [], numbers: numbers, alpha: alpha)
      }
    }
    return NSColorClass.components(object, "RGB", "NSRGB", 3)
      ?? NSColorClass.components(object, "white", "NSWhite", 1)
  }

  // MARK: Stored form

  /// Components in single precision, and in double where that is not the same; `NSRGB` or `NSWhite` for AppKit, of three
  /// digits (UIKit: encodeWithCoder: of UIColor).
  static let storedForm = StoredForm.made(shown: NSColorClass.shownMembers) {
    value throws(FormRefusal) in
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
  }
}

// MARK: - Colors as people write them

/// Texts of colors.
package enum ColorText {
  /// `#RRGGBB` of three components from 0 to 1, nil if one is beyond them.
  package static func hexadecimal(_ components: [Double]) -> String? {
    guard components.count == 3, components.allSatisfy({ (0...1).contains($0) }) else { return nil }
    return components.reduce("#") { text, component in
      let digits = String(Int((component * 255).rounded()), radix: 16, uppercase: true)
      return text + (digits.count == 1 ? "0" : "") + digits
    }
  }

  /// The three components of `#RRGGBB`; nil for other text.
  package static func components(_ hexadecimal: String) -> [Double]? {
    let digits = Array(hexadecimal.utf8.dropFirst())
    guard hexadecimal.hasPrefix("#"), digits.count == 6 else { return nil }
    let numbers = [0, 2, 4].compactMap { start in
      UInt8(hexadecimal: digits[start..<start + 2]).map { Double($0) / 255 }
    }
    return numbers.count == 3 ? numbers : nil
  }

  /// The components in parentheses.
  static func list(_ components: [Double]) -> String {
    "(\(components.map { short($0) }.joined(separator: ", ")))"
  }

  /// A component with at most three digits after its point.
  static func short(_ component: Double) -> String {
    guard component.isFinite, abs(component) < 1e9 else { return component.description }
    return SummaryText.number((component * 1000).rounded() / 1000)
  }

  /// The numbers of `0.5 0.25 1`, with or without a final zero byte.
  static func numbers(_ bytes: ByteView) -> [Double]? {
    let bytes = bytes.prefix { $0 != 0 }
    guard bytes.count < 512, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let words = text.split(separator: " ")
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count ? numbers : nil
  }
}
