// NSParagraphStyle: `NSAlignment`, distances, `NSTabStops`, `NSTextLists`. NSTextTab: `NSLocation`. NSTextList:
// `NSMarkerFormat`, `NSStart` (keys as readers of attributed strings find them; GNUstep: NSParagraphStyle.m).

/// NSParagraphStyle and NSMutableParagraphStyle.
enum NSParagraphStyleClass: FrameworkClass {
  static let classNames = ["NSParagraphStyle", "NSMutableParagraphStyle"]
  static let shown = "its alignment, distances and tab stops, before its fields"
  static let isSimple = true

  private static let distances = [
    ("NSLineSpacing", "line spacing"), ("NSParagraphSpacing", "paragraph spacing"),
    ("NSParagraphSpacingBefore", "spacing before"), ("NSFirstLineHeadIndent", "first indent"),
    ("NSHeadIndent", "head indent"), ("NSTailIndent", "tail indent"),
    ("NSMinLineHeight", "minimum height"), ("NSMaxLineHeight", "maximum height"),
    ("NSLineHeightMultiple", "line height ×"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    var parts: [String] = []
    if object.has("NSAlignment") {
      guard let alignment = object.integer("NSAlignment"),
        let name = AlignmentText.name(alignment)
      else { return nil }
      parts.append(name)
    }
    for (key, name) in distances {
      if let number = object.number(key), number != 0 {
        parts.append("\(name) \(ColorText.short(number))")
      }
    }
    for (key, noun) in [("NSTabStops", "tab stop"), ("NSTextLists", "list")] {
      if let nodes = object.elements(key), !nodes.isEmpty {
        parts.append(SummaryText.count(nodes.count, noun))
      }
    }
    return parts.isEmpty ? "default" : parts.joined(separator: ", ")
  }
}
