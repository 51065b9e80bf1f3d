// NSShadow: `NSShadowHoriz`, `NSShadowVert`, `NSShadowBlurRadius`, `NSShadowColor`, each left out where it is 0
// (GNUstep: NSShadow.m); Apple's frameworks archive the vertical offset with its sign turned. NSTextAttachment, NSFileWrapper: `NSFileWrapper`, `NSFileWrapperData` (NSFileWrapper.m).

/// NSShadow.
enum NSShadowClass: ArchivedClass {
  static let classNames = ["NSShadow"]
  static let shown = "its offset, blur and colour, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    func number(_ key: String) -> Double? { object.has(key) ? object.number(key) : 0 }
    guard let horizontal = number("NSShadowHoriz"), let vertical = number("NSShadowVert"),
      let blur = number("NSShadowBlurRadius")
    else { return nil }
    let color = object.brief("NSShadowColor").map { ", \($0)" } ?? ""
    return "offset {\(ColorText.short(horizontal)), \(ColorText.short(-vertical))}, "
      + "blur \(ColorText.short(blur))\(color)"
  }
}

/// NSTextAttachment.
enum NSTextAttachmentClass: ArchivedClass {
  static let classNames = ["NSTextAttachment"]
  static let shown = "the kind and size of what is attached, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    let kind = object.string("NSAttachmentFileType") ?? object.string("NSFileType")
    let bytes =
      object.bytes("NSAttachmentContents") ?? object.bytes("NSContents")
      ?? object.object("NSFileWrapper", of: NSFileWrapperClass.self)?.bytes("NSFileWrapperData")
    let parts = [
      kind.map { SummaryText.clipped($0) }, bytes.map { NSImageRepClass.kind(of: $0) },
    ]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}

/// NSFileWrapper.
enum NSFileWrapperClass: ArchivedClass {
  static let classNames = ["NSFileWrapper"]
  static let shown = "the kind and size of its data, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    object.bytes("NSFileWrapperData").map { NSImageRepClass.kind(of: $0) }
  }
}

/// NSBezierPath and UIBezierPath, whose segments stay bytes.
enum NSBezierPathClass: ArchivedClass {
  static let classNames = ["NSBezierPath", "UIBezierPath"]
  static let shown = "its line width and the size of its segments, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    let width = object.number("UIBezierPathLineWidthKey") ?? object.number("NSLineWidth")
    let bytes = object.bytes("UIBezierPathCGPathDataKey") ?? object.bytes("NSSegments")
    let parts = [
      width.map { "line width \(ColorText.short($0))" },
      bytes.map { "segments of \(SummaryText.count($0.count, "byte"))" },
    ]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }
}
