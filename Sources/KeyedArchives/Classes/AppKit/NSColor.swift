// NSColor: `NSColorSpace` is the kind: 1 calibrated and 2 device RGB with `NSRGB`, 3 and 4 white with `NSWhite`,
// 5 CMYK with `NSCMYK`, all as text; 6 a name in a catalog, 10 a pattern (GNUstep: NSColor.m, initWithCoder:). A color
// of another space has that as `NSCustomColorSpace` and its components in it as `NSComponents`, alpha always the last.

import ObjectGraph
import TypedStreams

/// NSColor.
enum NSColorClass: FrameworkClass {
  static let classNames = ["NSColor"]
  static let shown = "its color space, components, alpha and #RRGGBB; its names; its pattern"
  static let isSimple = true

  /// The value of a color with components.
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

  /// A color by the names of its catalog and itself; its appearance when it was archived is included.
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

  /// The members of a color with components.
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

  /// The components in a custom space; `NSRGB` has the nearest color for older readers.
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
  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: shownMembers) { value throws(FormRefusal) in
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
    })

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
    let known = ColorText.hexadecimal(visible(numbers))
    if let hexadecimal, known != hexadecimal.uppercased() {
      throw FormRefusal(reason: "its members 'hex' and 'components' are different colors")
    }
    return Components(
      space: space, keys: [], numbers: numbers, alpha: try members.real("alpha") ?? 1,
      hexadecimal: known)
  }

  // MARK: Typedstreams

  static let streamLayouts: [String: StreamLayout] = [
    "NSColor": .color
  ]
}
