// NSException: `NS.name`, `NS.reason`, `NS.userinfo`.

import ObjectGraph

/// NSException.
enum NSExceptionClass: FrameworkClass {
  static let classNames = ["NSException"]
  static let shown = "its name and reason, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NS.name") else { return nil }
    let reason = object.string("NS.reason").map { ": \(SummaryText.quoted($0))" } ?? ""
    return SummaryText.clipped(name) + reason
  }
}
