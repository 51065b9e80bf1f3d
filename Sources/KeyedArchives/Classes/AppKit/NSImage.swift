// NSImage: `NSSize`, `NSReps` with lists of representations, or a name; UIImage: `UIImageData` or `UIImageName`
// (keys as readers of nibs and of such archives find them).

/// NSImage and UIImage.
enum NSImageClass: FrameworkClass {
  static let classNames = ["NSImage", "UIImage"]
  static let shown = "its name, size and representations, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    var parts: [String] = []
    for key in ["NSName", "NSResourceName", "UIImageName"] {
      guard let name = object.string(key) else { continue }
      parts.append(SummaryText.quoted(name))
      break
    }
    if let text = object.string("NSSize"), let size = GeometryText.numbers(text, 2) {
      parts.append("\(SummaryText.number(size[0])) × \(SummaryText.number(size[1]))")
    }
    if let bytes = object.bytes("UIImageData") ?? object.bytes("NSTIFFRepresentation") {
      parts.append(NSImageRepClass.kind(of: bytes))
    }
    parts += representations(of: object)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The representations: each list in `NSReps` has a number and one of them.
  private static func representations(of object: ArchivedObject) -> [String] {
    var texts: [String] = []
    for node in (object.elements("NSReps") ?? []).prefix(8) {
      for part in (object.elements(of: node) ?? [node]).prefix(8) {
        guard object.archive.family(of: part) == NSImageRepClass.self,
          let representation = object.object(at: part),
          let text = NSImageRepClass.summary(of: representation)
        else { continue }
        texts.append(text)
      }
    }
    return texts
  }
}
