// NSTextList: `NSMarkerFormat`, `NSStart`.

/// NSTextList.
enum NSTextListClass: FrameworkClass {
  static let classNames = ["NSTextList"]
  static let shown = "its marker and first number, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let format = object.string("NSMarkerFormat") else { return nil }
    let start = object.integer("NSStart").map { " from \($0)" } ?? ""
    return SummaryText.clipped(format) + start
  }
}
