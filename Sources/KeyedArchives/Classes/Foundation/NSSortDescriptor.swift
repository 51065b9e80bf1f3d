// NSSortDescriptor: `NSKey`, `NSAscending`, `NSSelector`.

/// NSSortDescriptor.
enum NSSortDescriptorClass: FrameworkClass {
  static let classNames = ["NSSortDescriptor"]
  static let shown = "its key, order and selector, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let isAscending = object.flag("NSAscending") else { return nil }
    let key = object.string("NSKey").map { SummaryText.clipped($0) } ?? "itself"
    let selector = object.string("NSSelector").map { " by \(SummaryText.clipped($0))" } ?? ""
    return "\(key) \(isAscending ? "ascending" : "descending")\(selector)"
  }
}
