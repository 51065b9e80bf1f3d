// NSURLComponents: a key for each component.

import ObjectGraph

/// NSURLComponents: a key a component.
enum NSURLComponentsClass: FrameworkClass {
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
