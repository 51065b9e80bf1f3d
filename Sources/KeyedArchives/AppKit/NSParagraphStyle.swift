// NSParagraphStyle: `NSAlignment`, distances, `NSTabStops`, `NSTextLists`. NSTextTab: `NSLocation`. NSTextList:
// `NSMarkerFormat`, `NSStart` (keys as readers of attributed strings find them; GNUstep: NSParagraphStyle.m).

/// NSParagraphStyle and NSMutableParagraphStyle.
enum NSParagraphStyleClass: ArchivedClass {
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

/// NSTextTab.
enum NSTextTabClass: ArchivedClass {
  static let classNames = ["NSTextTab"]
  static let shown = "its place and alignment, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let place = object.number("NSLocation") else { return nil }
    let alignment = object.integer("NSAlignment") ?? 0
    guard let name = AlignmentText.name(alignment) else { return nil }
    return "\(name) at \(ColorText.short(place)) pt"
  }
}

/// NSTextList.
enum NSTextListClass: ArchivedClass {
  static let classNames = ["NSTextList"]
  static let shown = "its marker and first number, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let format = object.string("NSMarkerFormat") else { return nil }
    let start = object.integer("NSStart").map { " from \($0)" } ?? ""
    return SummaryText.clipped(format) + start
  }
}

/// Names of NSTextAlignment, whose numbers differ between macOS and iOS.
enum AlignmentText {
  /// The name of an alignment, nil if there is none of that number.
  static func name(_ number: Int64) -> String? {
    switch number {
    case 0: return "left"
    case 1: return "alignment 1 (right on macOS, center on iOS)"
    case 2: return "alignment 2 (center on macOS, right on iOS)"
    case 3: return "justified"
    case 4: return "natural"
    default: return nil
    }
  }
}
