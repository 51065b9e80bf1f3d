// URL loading: NSURLQueryItem with `NS.name` and `NS.value` (swift-corelibs-foundation: NSURLQueryItem.swift);
// NSURLRequest, NSURLResponse and NSCachedURLResponse with generic keys `$0`, `$1`, … or named ones, so that
// only what a value's type tells is taken from them.

import ObjectGraph

/// NSURLQueryItem.
enum NSURLQueryItemClass: ArchivedClass {
  static let classNames = ["NSURLQueryItem"]
  static let shown = "its name and value"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedObject(spelling: ["NS.name", "NS.value"]) {
      guard let (name, value) = parts(object) else { return nil }
      return [("name", .string(name)), ("value", value.map { .string($0) } ?? .null)]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let (name, value) = parts(object) else { return nil }
    return SummaryText.clipped(name)
      + (value.map { $0.isEmpty ? "=" : "=\(SummaryText.clipped($0))" } ?? "")
  }

  private static func parts(_ object: ArchivedObject) -> (String, String?)? {
    guard let name = object.string("NS.name") else { return nil }
    guard object.has("NS.value") else { return (name, nil) }
    return object.string("NS.value").map { (name, $0) }
  }
}

/// NSURLComponents: a key a component.
enum NSURLComponentsClass: ArchivedClass {
  static let classNames = ["NSURLComponents"]
  static let shown = "the address of its components, before its fields"
  static let isSimple = true

  static func summary(of object: ArchivedObject) -> String? {
    var text = ""
    func part(_ name: String) -> String? { object.string("NS." + name) ?? object.string(name) }
    if let scheme = part("scheme") { text += "\(scheme):" }
    if let host = part("host") {
      text += "//" + (part("user").map { "\($0)@" } ?? "") + host
      if let port = object.integer("NS.port") ?? object.integer("port") { text += ":\(port)" }
    }
    text += part("path") ?? ""
    if let query = part("query") { text += "?\(query)" }
    if let fragment = part("fragment") { text += "#\(fragment)" }
    return text.isEmpty ? nil : SummaryText.clipped(text)
  }
}

/// NSURLRequest and NSURLResponse, whose keys differ from version to version.
enum NSURLMessageClass: ArchivedClass {
  static let classNames = [
    "NSURLRequest", "NSMutableURLRequest", "NSURLResponse", "NSHTTPURLResponse",
    "NSCachedURLResponse", "FoundationNetworking.NSURLRequest",
    "FoundationNetworking.NSMutableURLRequest",
  ]
  static let shown = "its method or status and its URL, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let url = url(of: object, depth: 0) else { return nil }
    let name = object.graph.classIndex(of: object.node).map { object.graph.classes[$0].name } ?? ""
    if name.contains("Request") {
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

  /// The field `NS.httpMethod`, else the first that is spelled as a method of HTTP.
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

/// NSHTTPCookie: its properties, under the names that NSHTTPCookiePropertyKey has.
enum NSHTTPCookieClass: ArchivedClass {
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
