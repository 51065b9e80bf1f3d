// NSFont: `NSName`, `NSSize`, `NSfFlags`, in newer versions `NSDescriptor`; UIFont the same as `UIFontName` and
// `UIFontPointSize`. Descriptors: a dictionary of attributes (keys as readers of such archives find them).

import ObjectGraph

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
