// NSHTTPCookie: its properties.

import ObjectGraph

/// NSHTTPCookie: its properties, under the names that NSHTTPCookiePropertyKey has.
enum NSHTTPCookieClass: FrameworkClass {
  static let classNames = ["NSHTTPCookie"]
  static let shown = "its name, value, domain and path, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("Name"), let value = object.string("Value") else { return nil }
    let place = (object.string("Domain") ?? "") + (object.string("Path") ?? "")
    let text = "\(SummaryText.clipped(name))=\(SummaryText.clipped(value))"
    return place.isEmpty ? text : "\(text) for \(SummaryText.clipped(place))"
  }
}
