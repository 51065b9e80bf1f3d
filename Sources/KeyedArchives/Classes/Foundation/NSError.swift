// NSError: `NSDomain`, `NSCode`, `NSUserInfo` (swift-corelibs-foundation: NSError.swift).

import ObjectGraph

/// NSError.
enum NSErrorClass: FrameworkClass {
  static let classNames = ["NSError"]
  static let shown = "its domain, code and localized description, before its fields"
  static let isSimple = true

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
      let key = object.graph.key(pairs, position)
      guard case .string(let name)? = object.leaf(key), name.equals("NSLocalizedDescription"),
        case .string(let text)? = object.leaf(object.graph.value(pairs, position))
      else { continue }
      return text.string
    }
    return nil
  }
}
