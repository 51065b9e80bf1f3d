// NSImageRep: the bytes of a picture, whose kind is detected by its first bytes.

/// The representations of an image.
enum NSImageRepClass: FrameworkClass {
  static let classNames = [
    "NSImageRep", "NSBitmapImageRep", "NSPDFImageRep", "NSEPSImageRep", "NSCachedImageRep",
    "NSCustomImageRep", "NSPICTImageRep",
  ]
  static let shown = "the kind and size of its data, before its fields"
  static let isSimple = true

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
  static func kind(of bytes: UnsafeRawBufferPointer) -> String {
    let name = signatures.first { bytes.starts(with: $0.start) }?.name ?? "data"
    return "\(name) of \(SummaryText.count(bytes.count, "byte"))"
  }
}
