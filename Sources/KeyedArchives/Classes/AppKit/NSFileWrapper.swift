// NSFileWrapper: `NSFileWrapperData` (GNUstep: NSFileWrapper.m).

/// NSFileWrapper.
enum NSFileWrapperClass: FrameworkClass {
  static let classNames = ["NSFileWrapper"]
  static let shown = "the kind and size of its data, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    object.bytes("NSFileWrapperData").map { NSImageRepClass.kind(of: $0) }
  }
}
