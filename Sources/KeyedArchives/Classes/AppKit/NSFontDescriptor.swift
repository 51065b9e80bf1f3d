// NSFontDescriptor and UIFontDescriptor: attributes by name.

import ObjectGraph

/// NSFontDescriptor and UIFontDescriptor.
enum NSFontDescriptorClass: FrameworkClass {
  static let classNames = ["NSFontDescriptor", "UIFontDescriptor"]
  static let shown = "its name and size, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? { text(of: object)?.line }

  /// Name and size among the attributes.
  static func text(of object: ArchivedObject) -> FontText? {
    guard
      let pairs = object.pairs("NSFontDescriptorAttributes")
        ?? object.pairs("UIFontDescriptorAttributes")
    else { return nil }
    var text = FontText()
    for position in 0..<min(pairs.count, 64) {
      guard case .string(let key)? = object.leaf(object.graph.key(pairs, position)) else {
        continue
      }
      let value = object.graph.value(pairs, position)
      switch key.string {
      case "NSFontNameAttribute", "NSFontFamilyAttribute", "NSFontVisibleNameAttribute":
        guard text.name == nil, case .string(let name)? = object.leaf(value) else { continue }
        text.name = name.string
      case "NSFontSizeAttribute": text.size = object.number(value)
      default: continue
      }
    }
    return text
  }
}
