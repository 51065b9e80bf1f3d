// NSTextAttachment: `NSFileWrapper`, or its contents (GNUstep: NSTextAttachment.m).

/// NSTextAttachment.
enum NSTextAttachmentClass: FrameworkClass {
  static let classNames = ["NSTextAttachment"]
  static let shown = "the kind and size of the attachment, before its fields"
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
