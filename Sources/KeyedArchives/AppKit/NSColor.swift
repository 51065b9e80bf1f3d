// NSColor: `NSColorSpace` tells the kind: 1 calibrated and 2 device RGB with `NSRGB`, 3 and 4 white with `NSWhite`,
// 5 CMYK with `NSCMYK`, all as text; 6 a name in a catalog, 10 a pattern (GNUstep: NSColor.m, initWithCoder:).

import ObjectGraph

/// NSColor.
enum NSColorClass: ArchivedClass {
  static let classNames = ["NSColor"]
  static let shown = "its colour space, components, alpha and #RRGGBB; its names; its pattern"
  static let isSimple = true

  /// What a colour of components is.
  struct Components {
    let space: String
    let key: String
    let numbers: [Double]
    let alpha: Double
    let hexadecimal: String?
  }

  static func value(of object: ArchivedObject) -> Value? {
    if object.integer("NSColorSpace") == 6 { return named(object) }
    if object.integer("NSColorSpace") == 10 {
      return object.derivedObject(spelling: ["NSColorSpace", "NSImage"]) {
        object.field("NSImage").map { [("space", .string("pattern")), ("image", .node($0))] }
      }
    }
    guard let color = components(of: object) else { return nil }
    return object.derivedObject(spelling: ["NSColorSpace", color.key]) { members(of: color) }
  }

  /// A colour by the names of its catalog and itself; what it looked like when it was archived comes with it.
  private static func named(_ object: ArchivedObject) -> Value? {
    object.derivedObject(spelling: ["NSColorSpace", "NSCatalogName", "NSColorName", "NSColor"]) {
      guard let catalog = object.string("NSCatalogName"), let name = object.string("NSColorName")
      else { return nil }
      var members: [(name: String, value: DerivedForm)] = [
        ("space", .string("named")), ("catalog", .string(catalog)), ("name", .string(name)),
      ]
      if object.has("NSColor"), let node = object.field("NSColor") {
        members.append(("color", .node(node)))
      }
      return members
    }
  }

  /// The members of a colour of components.
  static func members(of color: Components) -> [(name: String, value: DerivedForm)] {
    var members: [(name: String, value: DerivedForm)] = []
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
    switch object.integer("NSColorSpace") {
    case 1?: return spelled(object, "calibrated RGB", "NSRGB", 3)
    case 2?: return spelled(object, "device RGB", "NSRGB", 3)
    case 3?: return spelled(object, "calibrated white", "NSWhite", 1)
    case 4?: return spelled(object, "device white", "NSWhite", 1)
    case 5?: return spelled(object, "device CMYK", "NSCMYK", 4)
    default: return nil
    }
  }

  /// The components of a key's text, alpha after them if it is not 1.
  static func spelled(
    _ object: ArchivedObject, _ space: String, _ key: String, _ count: Int
  ) -> Components? {
    guard let bytes = object.bytes(key), let numbers = ColorText.numbers(bytes),
      numbers.count == count || numbers.count == count + 1
    else { return nil }
    let components = Array(numbers.prefix(count))
    let visible =
      count == 1 ? Array(repeating: components[0], count: 3) : count == 3 ? components : []
    return Components(
      space: space, key: key, numbers: components,
      alpha: numbers.count > count ? numbers[count] : 1,
      hexadecimal: ColorText.hexadecimal(visible))
  }
}

/// NSColorSpace: `NSID` of a standard one, or a profile in `NSICC`.
enum NSColorSpaceClass: ArchivedClass {
  static let classNames = ["NSColorSpace"]
  static let shown = "its number and the size of its profile, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    let number = object.integer("NSID").map { "color space \($0)" }
    let profile = object.bytes("NSICC").map {
      "ICC profile of \(SummaryText.count($0.count, "byte"))"
    }
    let parts = [number, profile].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
