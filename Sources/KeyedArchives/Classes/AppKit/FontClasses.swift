// Fonts and their descriptors.

import ArchiveGraph

// MARK: - NSFont

enum NSFontClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSFont", "UIFont", "UICTFont"]
  static let shown = "its name and size, before its fields"

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

enum NSFontDescriptorClass: SimpleClass {
  static let classNames = ["NSFontDescriptor", "UIFontDescriptor"]
  static let shown = "its name and size, before its fields"

  static func summary(of object: ArchivedObject) -> String? { text(of: object)?.line }

  /// Name and size among the attributes.
  static func text(of object: ArchivedObject) -> FontText? {
    guard
      let pairs = object.pairs("NSFontDescriptorAttributes")
        ?? object.pairs("UIFontDescriptorAttributes")
    else { return nil }
    var text = FontText()
    for position in 0..<min(pairs.count, 64) {
      guard let key = object.leaf(object.graph.key(pairs, position))?.text else { continue }
      let value = object.graph.value(pairs, position)
      switch key.string {
      case "NSFontNameAttribute", "NSFontFamilyAttribute", "NSFontVisibleNameAttribute":
        text.name = text.name ?? object.leaf(value)?.text?.string
      case "NSFontSizeAttribute": text.size = object.number(value)
      default: continue
      }
    }
    return text
  }
}

// MARK: - Fonts as summaries show them

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

// MARK: - What attributed strings hold: paragraphs, tabs, lists and attachments

// MARK: - NSParagraphStyle

enum NSParagraphStyleClass: SimpleClass {
  static let classNames = ["NSParagraphStyle", "NSMutableParagraphStyle"]
  static let shown = "its alignment, distances and tab stops, before its fields"

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
      guard let alignment = object.integer("NSAlignment"), let name = alignments[alignment] else {
        return nil
      }
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

// MARK: - NSTextTab: `NSLocation`, `NSAlignment`

enum NSTextTabClass: SimpleClass {
  static let classNames = ["NSTextTab"]
  static let shown = "its place and alignment, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let location = object.number("NSLocation"),
      let name = alignments[object.integer("NSAlignment") ?? 0]
    else { return nil }
    return "\(name) at \(ColorText.short(location)) pt"
  }
}

// MARK: - NSTextList: `NSMarkerFormat`, `NSStart`

enum NSTextListClass: SimpleClass {
  static let classNames = ["NSTextList"]
  static let shown = "its marker and first number, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let format = object.string("NSMarkerFormat") else { return nil }
    let start = object.integer("NSStart").map { " from \($0)" } ?? ""
    return SummaryText.clipped(format) + start
  }
}

// MARK: - NSTextAttachment: `NSFileWrapper`, or its contents (GNUstep: NSTextAttachment.m)

enum NSTextAttachmentClass: SimpleClass {
  static let classNames = ["NSTextAttachment"]
  static let shown = "the kind and size of the attachment, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let kind = object.string("NSAttachmentFileType") ?? object.string("NSFileType")
    let bytes =
      object.bytes("NSAttachmentContents") ?? object.bytes("NSContents")
      ?? object.object("NSFileWrapper", of: NSFileWrapperClass.self)?.bytes("NSFileWrapperData")
    return SummaryText.joined([
      kind.map { SummaryText.clipped($0) }, bytes.map { NSImageRepClass.kind(of: $0) },
    ])
  }
}

// MARK: - Alignments of text as summaries show them

/// The names of NSTextAlignment, whose numbers differ between macOS and iOS.
private let alignments: [Int64: String] = [
  0: "left", 1: "alignment 1 (right on macOS, center on iOS)",
  2: "alignment 2 (center on macOS, right on iOS)", 3: "justified", 4: "natural",
]
