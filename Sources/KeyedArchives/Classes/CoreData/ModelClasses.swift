// Core Data models: entities, attributes and relationships (keys as *.mom files have them; the numbers of types and rules are
// those of NSAttributeDescription.h and NSRelationshipDescription.h).

import ArchiveGraph

enum NSEntityDescriptionClass: SimpleClass {
  static let classNames = ["NSEntityDescription"]
  static let shown = "its name and class, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NSEntityName") else { return nil }
    let type = object.string("NSClassNameForEntity").flatMap { $0 == name ? nil : " (\($0))" } ?? ""
    return SummaryText.clipped(name + type)
  }
}

enum NSAttributeDescriptionClass: SimpleClass {
  static let classNames = ["NSAttributeDescription"]
  static let shown = "its name and the name of its type, before its fields"

  private static let types: [Int64: String] = [
    0: "Undefined", 100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 400: "Decimal",
    500: "Double", 600: "Float", 700: "String", 800: "Boolean", 900: "Date", 1000: "Binary",
    1100: "UUID", 1200: "URI", 1800: "Transformable", 2000: "Object ID",
  ]

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NSPropertyName") else { return nil }
    let type = object.integer("NSAttributeType").map { types[$0] ?? "type \($0)" }
    return SummaryText.joined([
      SummaryText.clipped(name) + (type.map { ": \($0)" } ?? ""),
      object.flag("NSIsOptional") == true ? "optional" : nil,
    ])
  }
}

enum NSRelationshipDescriptionClass: SimpleClass {
  static let classNames = ["NSRelationshipDescription"]
  static let shown = "its name, destination and the name of its delete rule, before its fields"

  private static let rules: [Int64: String] = [
    0: "no action", 1: "nullify", 2: "cascade", 3: "deny",
  ]

  static func summary(of object: ArchivedObject) -> String? {
    guard let name = object.string("NSPropertyName") else { return nil }
    let target =
      object.string("_NSDestinationEntityName").map { " → \(SummaryText.clipped($0))" } ?? ""
    let rule = object.integer("NSDeleteRule").map { "\(rules[$0] ?? "rule \($0)") on delete" }
    return SummaryText.joined([
      SummaryText.clipped(name) + target,
      object.integer("NSMaxCount").flatMap { $0 == 1 ? nil : "to many" }, rule,
      object.flag("NSIsOptional") == true ? "optional" : nil,
    ])
  }
}
