// NSColor: `NSColorSpace` tells the kind: 1 calibrated and 2 device RGB with `NSRGB`, 3 and 4 white with `NSWhite`,
// 5 CMYK with `NSCMYK`, all as text; 6 a name in a catalog, 10 a pattern (GNUstep: NSColor.m, initWithCoder:). A colour
// of another space has that as `NSCustomColorSpace` and its components in it as `NSComponents`, alpha always the last.

import ObjectGraph
import TypedStreams

/// NSColor.
enum NSColorClass: FrameworkClass {
  static let classNames = ["NSColor"]
  static let shown = "its color space, components, alpha and #RRGGBB; its names; its pattern"
  static let isSimple = true

  /// What a colour of components is.
  struct Components {
    let space: String
    let keys: [String]
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
    return object.derivedObject(spelling: ["NSColorSpace"] + color.keys) { members(of: color) }
  }

  /// A colour by the names of its catalog and itself; what it looked like when it was archived comes with it.
  private static func named(_ object: ArchivedObject) -> Value? {
    object.derivedObject(spelling: ["NSColorSpace", "NSCatalogName", "NSColorName", "NSColor"]) {
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

  /// The members of a colour of components.
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
    switch object.integer("NSColorSpace") {
    case 1?: return spelled(object, "calibrated RGB", "NSRGB", 3)
    case 2?: return spelled(object, "device RGB", "NSRGB", 3)
    case 3?: return spelled(object, "calibrated white", "NSWhite", 1)
    case 4?: return spelled(object, "device white", "NSWhite", 1)
    case 5?: return spelled(object, "device CMYK", "NSCMYK", 4)
    default: return nil
    }
  }

  /// The components in a space of their own; what `NSRGB` says beside them is the nearest colour for older readers.
  private static func custom(_ object: ArchivedObject) -> Components? {
    guard let space = object.object("NSCustomColorSpace", of: NSColorSpaceClass.self),
      let bytes = object.bytes("NSComponents"), let numbers = ColorText.numbers(bytes),
      (2...5).contains(numbers.count), let alpha = numbers.last
    else { return nil }
    let components = Array(numbers.dropLast())
    return Components(
      space: NSColorSpaceClass.name(of: space) ?? "custom",
      keys: ["NSComponents", "NSRGB", "NSWhite", "NSCMYK"], numbers: components, alpha: alpha,
      hexadecimal: ColorText.hexadecimal(visible(components)))
  }

  /// Red, green and blue of gray or of these three.
  private static func visible(_ components: [Double]) -> [Double] {
    components.count == 1 ? Array(repeating: components[0], count: 3) : components
  }

  /// The components of a key's text, alpha after them if it is not 1.
  static func spelled(
    _ object: ArchivedObject, _ space: String, _ key: String, _ count: Int
  ) -> Components? {
    guard let bytes = object.bytes(key), let numbers = ColorText.numbers(bytes),
      numbers.count == count || numbers.count == count + 1
    else { return nil }
    let components = Array(numbers.prefix(count))
    return Components(
      space: space, keys: [key], numbers: components,
      alpha: numbers.count > count ? numbers[count] : 1,
      hexadecimal: ColorText.hexadecimal(visible(components)))
  }

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSColor": .color
  ]
}
