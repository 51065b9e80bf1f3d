// NSURLRequest, NSURLResponse and NSCachedURLResponse: generic keys `$0`, `$1`, … or named ones, so that fields are
// recognized only by the types of their values.

import Basics
import ObjectGraph

/// NSURLRequest and NSURLResponse, whose keys differ from version to version.
enum NSURLMessageClass: FrameworkClass {
  static let classNames = [
    "NSURLRequest", "NSMutableURLRequest", "NSURLResponse", "NSHTTPURLResponse",
    "NSCachedURLResponse", "FoundationNetworking.NSURLRequest",
    "FoundationNetworking.NSMutableURLRequest",
  ]
  static let shown = "its method or status and its URL, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let url = url(of: object, depth: 0) else { return nil }
    let name = object.graph.classIndex(of: object.node).map { object.graph.classes[$0].name } ?? ""
    if name.includes("Request") {
      return (method(of: object).map { "\($0) " } ?? "") + SummaryText.clipped(url)
    }
    let status = object.integer("NS.statusCode") ?? object.integer("statusCode")
    return (status.map { "\($0) " } ?? "") + SummaryText.clipped(url)
  }

  /// The field `NS.url`, else the first field that is an NSURL, else that of the first message that a field leads to.
  private static func url(of object: ArchivedObject, depth: Int) -> String? {
    if let own = object.object("NS.url", of: NSURLClass.self),
      case .string(let text)? = NSURLClass.value(of: own)
    {
      return text.string
    }
    let pairs = object.graph.storedPairs(of: object.node)
    var inner: String?
    for position in 0..<min(pairs.count, 64) {
      let node = object.graph.node(pairs.values, position)
      guard let family = object.archive.family(of: node), let part = object.object(at: node) else {
        continue
      }
      if family == NSURLClass.self, case .string(let text)? = family.value(of: part) {
        return text.string
      }
      if family == NSURLMessageClass.self, depth < 2, inner == nil {
        inner = url(of: part, depth: depth + 1)
      }
    }
    return inner
  }

  /// The field `NS.httpMethod`, else the first with the text of an HTTP method.
  private static func method(of object: ArchivedObject) -> String? {
    if let own = object.string("NS.httpMethod") { return SummaryText.clipped(own) }
    let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
    let pairs = object.graph.storedPairs(of: object.node)
    for position in 0..<min(pairs.count, 64) {
      let node = object.graph.node(pairs.values, position)
      if case .string(let text)? = object.leaf(node), methods.contains(text.string) {
        return text.string
      }
    }
    return nil
  }
}
