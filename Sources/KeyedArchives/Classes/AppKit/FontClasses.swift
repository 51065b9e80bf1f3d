// Fonts and their descriptors.

import ArchiveGraph

// MARK: - NSFont

/// NSFont and UIFont.
enum NSFontClass: FrameworkClass {
  static let classNames = ["NSFont", "UIFont", "UICTFont"]
  static let shown = "its name and size, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    let own = FontText(
      name: object.string("UIFontName") ?? object.string("NSName"),
      size: object.number("UIFontPointSize") ?? object.number("NSSize"))
    if own.name != nil, own.size != nil { return own.line }
    // Missing fields of the font are in its descriptor.
    for key in ["NSDescriptor", "UIFontDescriptor"] {
      guard let descriptor = object.object(key, of: NSFontDescriptorClass.self),
        let inner = NSFontDescriptorClass.text(of: descriptor)
      else { continue }
      return FontText(name: own.name ?? inner.name, size: own.size ?? inner.size).line
    }
    return own.line
  }
}

// MARK: - NSFontDescriptor and UIFontDescriptor: attributes by name

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

// MARK: - Fonts as summaries show them

/// A font in a line.
struct FontText {
  var name: String?
  var size: Double?

  /// `Helvetica 12 pt`, nil if nothing is known.
  var line: String? {
    SummaryText.joined(
      [name.map { SummaryText.clipped($0) }, size.map { "\(ColorText.short($0)) pt" }],
      separator: " ")
  }
}
