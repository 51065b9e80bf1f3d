// NSTextTab: `NSLocation`, `NSAlignment`.

/// NSTextTab.
enum NSTextTabClass: FrameworkClass {
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
