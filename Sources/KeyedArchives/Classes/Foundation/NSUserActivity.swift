// NSUserActivity: its type and title.

/// NSUserActivity.
enum NSUserActivityClass: FrameworkClass {
  static let classNames = ["NSUserActivity"]
  static let shown = "its type and title, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    func text(_ name: String) -> String? { object.string("NS.\(name)") ?? object.string(name) }
    guard let type = text("activityType") else { return nil }
    return SummaryText.clipped(type) + (text("title").map { " \(SummaryText.quoted($0))" } ?? "")
  }
}
