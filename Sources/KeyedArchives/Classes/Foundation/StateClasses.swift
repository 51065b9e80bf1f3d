// Errors, exceptions, notifications, activities and progress.

import ArchiveGraph

// MARK: - NSError: `NSDomain`, `NSCode`, `NSUserInfo` (swift-corelibs-foundation: NSError.swift)

enum NSErrorClass: SimpleClass {
  static let classNames = ["NSError"]
  static let shown = "its domain, code and localized description, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let domain = object.string("NSDomain"), let code = object.integer("NSCode") else {
      return nil
    }
    let text = "\(SummaryText.clipped(domain)) \(code)"
    return description(of: object).map { "\(text): \(SummaryText.quoted($0))" } ?? text
  }

  /// The text under `NSLocalizedDescription` of the user info.
  private static func description(of object: ArchivedObject) -> String? {
    guard let pairs = object.pairs("NSUserInfo") else { return nil }
    for position in 0..<min(pairs.count, 64) {
      let key = object.leaf(object.graph.key(pairs, position))?.text
      guard key?.equals("NSLocalizedDescription") == true,
        let text = object.leaf(object.graph.value(pairs, position))?.text
      else { continue }
      return text.string
    }
    return nil
  }
}

// MARK: - NSException: `NS.name`, `NS.reason`, `NS.userinfo`

enum NSExceptionClass: SimpleClass {
  static let classNames = ["NSException"]
  static let shown = "its name and reason, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NS.name") else { return nil }
    let reason = object.string("NS.reason").map { ": \(SummaryText.quoted($0))" } ?? ""
    return SummaryText.clipped(name) + reason
  }
}

// MARK: - NSNotification

enum NSNotificationClass: FrameworkClass {
  static let classNames = ["NSNotification", "NSConcreteNotification"]
  static let shown = "its name and object, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NS.name") else { return nil }
    return SummaryText.clipped(name) + (object.brief("NS.object").map { " of \($0)" } ?? "")
  }
}

// MARK: - NSUserActivity: its type and title

enum NSUserActivityClass: SimpleClass {
  static let classNames = ["NSUserActivity"]
  static let shown = "its type and title, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    func text(_ name: String) -> String? { object.string("NS.\(name)") ?? object.string(name) }
    guard let type = text("activityType") else { return nil }
    return SummaryText.clipped(type) + (text("title").map { " \(SummaryText.quoted($0))" } ?? "")
  }
}

// MARK: - NSProgress: the number of units, and how many are done

enum NSProgressClass: SimpleClass {
  static let classNames = ["NSProgress"]
  static let shown = "how many units are done, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    func count(_ name: String) -> Int64? {
      object.integer("NSProgress\(name)UnitCount")
        ?? object.integer("NS.\(name.lowercased())UnitCount")
    }
    guard let completed = count("Completed"), let total = count("Total") else { return nil }
    return "\(completed) of \(total)"
  }
}
