// Images, paths, shadows and files.

import ArchiveBasics

// MARK: - NSImage

enum NSImageClass: InterfaceClass {
  static let classNames = ["NSImage", "UIImage"]
  static let shown = "its name, size and representations, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let name = ["NSName", "NSResourceName", "UIImageName"].lazy.compactMap { object.string($0) }
      .first
    let size = object.string("NSSize").flatMap { GeometryText.numbers($0, 2) }
    let bytes = object.bytes("UIImageData") ?? object.bytes("NSTIFFRepresentation")
    return SummaryText.joined(
      [
        name.map { SummaryText.quoted($0) },
        size.map { "\(SummaryText.number($0[0])) × \(SummaryText.number($0[1]))" },
        bytes.map { NSImageRepClass.kind(of: $0) },
      ] + representations(of: object))
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

// MARK: - NSImageRep: the bytes of a picture, whose kind is detected by its first bytes

/// The representations of an image.
enum NSImageRepClass: InterfaceClass, SimpleClass {
  static let classNames = [
    "NSImageRep", "NSBitmapImageRep", "NSPDFImageRep", "NSEPSImageRep", "NSCachedImageRep",
    "NSCustomImageRep", "NSPICTImageRep",
  ]
  static let shown = "the kind and size of its data, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    for key in ["NSTIFFRepresentation", "NSPDFRepresentation", "NSData", "NSImageData"] {
      if let bytes = object.bytes(key) { return kind(of: bytes) }
    }
    return nil
  }

  private static let signatures: [(start: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"), ([0x47, 0x49, 0x46], "GIF"),
    ([0x4D, 0x4D, 0x00, 0x2A], "TIFF"), ([0x49, 0x49, 0x2A, 0x00], "TIFF"),
    ([0x25, 0x50, 0x44, 0x46], "PDF"), ([0x42, 0x4D], "BMP"),
  ]

  /// `PNG of 68 bytes`, by the first bytes.
  static func kind(of bytes: ByteView) -> String {
    let name = signatures.first { bytes.starts(with: $0.start) }?.name ?? "data"
    return "\(name) of \(SummaryText.count(bytes.count, "byte"))"
  }
}

// MARK: - NSBezierPath and UIBezierPath: their segments as bytes

/// NSBezierPath and UIBezierPath, whose segments stay bytes.
enum NSBezierPathClass: SimpleClass {
  static let classNames = ["NSBezierPath", "UIBezierPath"]
  static let shown = "its line width and the size of its segments, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let width = object.number("UIBezierPathLineWidthKey") ?? object.number("NSLineWidth")
    let bytes = object.bytes("UIBezierPathCGPathDataKey") ?? object.bytes("NSSegments")
    return SummaryText.joined([
      width.map { "line width \(ColorText.short($0))" },
      bytes.map { "segments of \(SummaryText.count($0.count, "byte"))" },
    ])
  }
}

// MARK: - NSShadow

enum NSShadowClass: FrameworkClass {
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

// MARK: - NSFileWrapper: `NSFileWrapperData` (GNUstep: NSFileWrapper.m)

enum NSFileWrapperClass: SimpleClass {
  static let classNames = ["NSFileWrapper"]
  static let shown = "the kind and size of its data, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    object.bytes("NSFileWrapperData").map { NSImageRepClass.kind(of: $0) }
  }
}
