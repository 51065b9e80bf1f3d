// NSNotification: `NS.name`, `NS.object`, `NS.userinfo` (swift-corelibs-foundation: NSNotification.swift).

import ObjectGraph

/// NSNotification.
enum NSNotificationClass: FrameworkClass {
  static let classNames = ["NSNotification", "NSConcreteNotification"]
  static let shown = "its name and object, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NS.name") else { return nil }
    return SummaryText.clipped(name) + (object.brief("NS.object").map { " of \($0)" } ?? "")
  }
}
