// NSURLQueryItem: `NS.name` and `NS.value` (swift-corelibs-foundation: NSURLQueryItem.swift).

import ObjectGraph

/// NSURLQueryItem.
enum NSURLQueryItemClass: FrameworkClass {
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

  // MARK: Stored form

  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: ["name", "value"]) { value throws(FormRefusal) in
      var members = try value.members()
      let name = try members.required(members.text("name"), "name")
      let text = try members.text("value")
      try members.end()
      return [
        StoredField("NS.name", .text(name)),
        StoredField("NS.value", text.map { .text($0) } ?? .null),
      ]
    })
}
