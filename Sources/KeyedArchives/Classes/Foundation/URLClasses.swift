// URLs, their parts, requests and cookies.

import ArchiveBasics
import ArchiveGraph

// MARK: - NSURL

enum NSURLClass: SimpleClass {
  static let classNames = ["NSURL"]
  static let shown = "the address, resolved against its base"
  static let jsonTag: StaticString? = "$url"

  static func value(of object: ArchivedObject) -> Value? {
    guard let relative = object.text(.relative) else { return nil }
    guard let base = object.field(.base), object.archive.family(of: base) == NSURLClass.self else {
      return .string(relative)
    }
    return object.derivedText {
      baseText(of: object).map { URLReference.resolve(relative.string, against: $0) }
        ?? relative.string
    }
  }

  /// The text of the base URL; its own base, and theirs, are resolved up to a bound.
  private static func baseText(of object: ArchivedObject) -> String? {
    var chain: [String] = []
    var current = object.field(.base)
    while let node = current, chain.count < 16 {
      guard object.archive.family(of: node) == NSURLClass.self else { break }
      let base = ArchivedObject(graph: object.graph, archive: object.archive, node: node)
      guard let text = base.text(.relative) else { break }
      object.graph.spend(text.byteCount)
      chain.append(text.string)
      current = base.field(.base)
    }
    guard var resolved = chain.popLast() else { return nil }
    while let next = chain.popLast() { resolved = URLReference.resolve(next, against: resolved) }
    return resolved
  }

  // MARK: Stored form

  static let storedForm = StoredForm.made(shown: ["relative", "base"]) {
    value throws(FormRefusal) in
    if let text = value.text { return fields(text, base: .null) }
    var members = try value.members()
    let relative = try members.required(members.text("relative"), "relative")
    let base = try members.object("base", "NSURL")
    try members.end()
    return fields(relative, base: base ?? .null)
  }

  private static func fields(_ relative: Text, base: StoredValue) -> [StoredField] {
    [StoredField("NS.base", base), StoredField("NS.relative", .text(relative))]
  }

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(
    fields: ["NS.base", "NS.relative"], json: { .string($0) }, encode: { form(of: $0) })

  /// URL: `{relative}`, and `{base: {relative}}` if it has one.
  private static func form(of fields: ObjectFields, depth: Int = 0) -> SyntheticValue? {
    guard depth < 16, let relative = fields["NS.relative"] else { return nil }
    var members: [(name: String, value: SyntheticValue)] = [("relative", .node(relative))]
    if !fields.isNil("NS.base") {
      guard let base = fields["NS.base"],
        let base = form(of: ObjectFields(of: base, in: fields.graph), depth: depth + 1)
      else { return nil }
      members.insert(("base", base), at: 0)
    }
    return .members(members)
  }
}

// MARK: - NSURLComponents: a key for each component

/// NSURLComponents: a key a component.
enum NSURLComponentsClass: SimpleClass {
  static let classNames = ["NSURLComponents"]
  static let shown = "the address of its components, before its fields"

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

// MARK: - NSURLQueryItem

enum NSURLQueryItemClass: SimpleClass {
  static let classNames = ["NSURLQueryItem"]
  static let shown = "its name and value"

  static func value(of object: ArchivedObject) -> Value? {
    object.derivedObject(of: ["NS.name", "NS.value"]) {
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

  // MARK: Stored form

  static let storedForm = StoredForm.made(shown: ["name", "value"]) { value throws(FormRefusal) in
    var members = try value.members()
    let name = try members.required(members.text("name"), "name")
    let text = try members.text("value")
    try members.end()
    return [
      StoredField("NS.name", .text(name)),
      StoredField("NS.value", text.map { .text($0) } ?? .null),
    ]
  }
}

// MARK: - NSURLRequest, NSURLResponse and NSCachedURLResponse

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
    if object.storedClassName.includes("Request") {
      return (method(of: object).map { "\($0) " } ?? "") + SummaryText.clipped(url)
    }
    let status = object.integer("NS.statusCode") ?? object.integer("statusCode")
    return (status.map { "\($0) " } ?? "") + SummaryText.clipped(url)
  }

  /// The field `NS.url`, else the first field that is an NSURL, else that of the first message that a field leads to.
  private static func url(of object: ArchivedObject, depth: Int) -> String? {
    if let own = object.object("NS.url", of: NSURLClass.self),
      let text = NSURLClass.value(of: own)?.text
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

// MARK: - NSHTTPCookie: its properties

/// NSHTTPCookie: its properties, under the names that NSHTTPCookiePropertyKey has.
enum NSHTTPCookieClass: SimpleClass {
  static let classNames = ["NSHTTPCookie"]
  static let shown = "its name, value, domain and path, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("Name"), let value = object.string("Value") else { return nil }
    let scope = (object.string("Domain") ?? "") + (object.string("Path") ?? "")
    let text = "\(SummaryText.clipped(name))=\(SummaryText.clipped(value))"
    return scope.isEmpty ? text : "\(text) for \(SummaryText.clipped(scope))"
  }
}
