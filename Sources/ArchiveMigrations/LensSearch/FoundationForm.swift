// Foundation's types in schemas, in the form that each envelope gives them.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// The schemas of values of Foundation's types.
enum FoundationForm {
  /// A URL as Codable writes it.
  ///
  /// - Parameter base: the schema of its base; nil if it has none.
  static func url(base: JSONTree?) -> JSONTree {
    let members = [("relative", text())] + (base.map { [("base", $0)] } ?? [])
    return object(members, required: ["relative"])
  }

  /// A decimal number as Codable writes it.
  static let decimal: JSONTree = {
    let integer = JSONTree.members([("type", .string("integer"))])
    let flag = JSONTree.members([("type", .string("boolean"))])
    let words = JSONTree.members([
      ("type", .string("array")), ("items", integer), ("minItems", .integer(8)),
      ("maxItems", .integer(8)),
    ])
    let members = [
      ("exponent", integer), ("length", integer), ("isNegative", flag), ("isCompact", flag),
      ("mantissa", words),
    ]
    return object(members, required: members.map(\.0))
  }()

  /// A UUID as Codable writes it, in capitals.
  static let uuid = text("format", "uuid").setting(
    "pattern", .string("^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$"))

  /// A text, perhaps of a format or a class.
  static func text(_ keyword: String? = nil, _ value: String = "") -> JSONTree {
    .members([("type", .string("string"))] + (keyword.map { [($0, .string(value))] } ?? []))
  }

  private static func object(_ members: [(String, JSONTree)], required: [String]) -> JSONTree {
    .members([
      ("type", .string("object")), ("properties", .members(members)),
      ("required", .list(required.map { .string($0) })), ("additionalProperties", .boolean(false)),
    ])
  }

  /// Classes without a form that is derived.
  static let underived: Set<String> = [
    "NSAttributedString", "NSCalendar", "NSColor", "NSDateComponents", "NSDateInterval",
    "NSIndexPath", "NSIndexSet", "NSLocale", "NSMutableAttributedString", "NSMutableIndexSet",
    "NSPersonNameComponents", "NSTimeZone", "NSURLQueryItem", "NSValue", "UIColor", "CLLocation",
  ]

  /// Classes of Foundation whose values every envelope holds.
  static let collections: Set<String> = [
    "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet",
    "NSOrderedSet", "NSMutableOrderedSet", "NSString", "NSMutableString", "NSData",
    "NSMutableData", "NSDate", "NSNumber",
  ]
}

extension SchemaDerivation {
  /// Refuses what the envelope cannot hold, or in a form that is not derived.
  func check(_ shape: SchemaShape, _ position: Position) throws(ArchiveError) {
    if shape.isOpen, (source.envelope == .json) != (envelope == .json) {
      throw problem("any value is allowed there, and JSON has no dates and data", position)
    }
    if (source.envelope == .nscoding) != isOfObjects {
      if shape.isOpen {
        throw problem("any value is allowed there, and its classes would not be known", position)
      }
      if shape.kind == .list, shape.tree["x-storage"] != nil {
        throw problem("a list that an object holds inline has no form elsewhere", position)
      }
    }
    let isOfValues = !source.envelope.isOfObjects
    if shape.kind == .decimal, (source.envelope == .json) != (envelope == .json), isOfValues {
      throw problem("no operation leads from Codable's decimal number to a number", position)
    }
    if isOfValues || envelope.isOfObjects { return }
    if let name = shape.className, FoundationForm.underived.contains(name) {
      throw problem("what \(envelope.rawValue) holds for \(name) is not derived", position)
    }
    if let keys = shape.tree["x-key-class"]?.string, !["NSString", "NSNumber"].contains(keys) {
      throw problem(
        "a dictionary with keys of class \(keys) becomes a list of keys and values, which is not derived",
        position)
    }
  }

  /// The schema of a URL, a UUID or a decimal number; nil for other values, and if the form stays.
  mutating func foundationForm(
    of shape: SchemaShape, _ position: Position
  ) throws(ArchiveError) -> JSONTree? {
    let form: JSONTree
    switch (shape.kind, envelope) {
    case (.url, .codable), (.url, .plist):
      // A schema whose URLs are texts has none with a base.
      form = shape.types == ["string"] ? FoundationForm.url(base: nil) : urlReference()
    case (.url, .json): form = FoundationForm.text("format", "uri-reference")
    case (.url, _): form = FoundationForm.text("x-class", "NSURL")
    case (.uuid, .codable), (.uuid, .plist), (.uuid, .json):
      form = FoundationForm.uuid
    case (.uuid, _): form = FoundationForm.text("x-class", "NSUUID")
    case (.decimal, .codable), (.decimal, .plist): form = FoundationForm.decimal
    case (.decimal, .json): form = .members([("type", .string("number"))])
    case (.decimal, _): form = FoundationForm.text("x-class", "NSDecimalNumber")
    default: return nil
    }
    if shape.isNullable, !position.dropsNull {
      return .members([("anyOf", .list([form, .members([("type", .string("null"))])]))])
    }
    return form
  }

  /// What remains of a keyword about classes and storage.
  func kept(_ keyword: String, _ value: JSONTree, _ shape: SchemaShape) -> JSONTree? {
    if isOfObjects {
      // Classes and storage come from what was asked for, where that says something.
      return source.envelope == .nscoding || keyword == "x-key-class" || shape.isFoundationClass
        ? value : nil
    }
    guard envelope == .dictionariable else { return nil }
    switch keyword {
    case "x-class": return shape.hasApplicationClass ? nil : value
    case "x-mutable", "x-key-class": return value
    default: return nil
    }
  }

  /// The schema with the class and the storage of the values of a location, and with what tells a set.
  func withStructure(
    _ schema: JSONTree, _ shape: SchemaShape, _ position: Position
  ) throws(ArchiveError) -> JSONTree {
    let isSet = ["NSSet", "NSMutableSet"].contains(shape.className ?? "")
    if isSet, !envelope.isOfObjects {
      return schema.setting("uniqueItems", .boolean(true))
    }
    guard isOfObjects else { return schema }
    switch shape.kind {
    case .record where position.isVariant: return schema
    case .record where position.path.steps.isEmpty: return withRootClass(schema, position)
    case .record: return try withClass(schema, shape, position)
    case .mixed where shape.isOfRecords && !position.path.steps.isEmpty:
      return try withClass(schema, shape, position)
    case .map where shape.className == nil:
      return schema.setting("x-class", .string("NSDictionary"))
    case .integer, .number, .boolean:
      // Elements of lists and values of dictionaries are objects of their own.
      guard case .key? = position.path.steps.last else { return schema }
      guard let storage = structure.storage ?? position.example?.storage ?? shape.storage else {
        throw problem(
          "the storage is open: --storage inline or boxed, or --like FILE", position)
      }
      return schema.setting("x-storage", .string(storage))
    case .list where shape.tree["uniqueItems"] == .boolean(true) && shape.className == nil:
      return schema.setting("x-class", .string("NSSet"))
    default: return schema
    }
  }

  /// The schema of the root; the class is named there only if it was, or if references lead to it.
  private func withRootClass(_ schema: JSONTree, _ position: Position) -> JSONTree {
    guard schema["x-class"] != nil || position.isDefinition, let rootClass else { return schema }
    if schema["x-class"]?.strings.first == rootClass { return schema }
    return schema.removing("x-classes").setting("x-class", .string(rootClass))
  }

  private func withClass(
    _ schema: JSONTree, _ shape: SchemaShape, _ position: Position
  ) throws(ArchiveError) -> JSONTree {
    let pattern = GraphPath(position.path.steps.map { $0 == .anyMember ? .anyElement : $0 })
    let given = structure.classes.first { $0.path == pattern }?.name
    if let given { return schema.removing("x-classes").setting("x-class", .string(given)) }
    if let example = position.example, let name = example.className {
      let renamed = schema.setting("x-class", .string(name))
      return example.tree["x-classes"].map { renamed.setting("x-classes", $0) } ?? renamed
    }
    if source.envelope == .nscoding, shape.className != nil { return schema }
    throw problem("the class is open: --class-of '\(pattern)=NAME', or --like FILE", position)
  }
}

extension SchemaShape {
  /// Whether the class is one that every envelope has a form for, or one of another framework.
  var isFoundationClass: Bool {
    guard let className else { return false }
    return FoundationForm.collections.contains(className)
      || FoundationForm.underived.contains(className)
      || ["NSURL", "NSUUID", "NSDecimalNumber"].contains(className)
  }

  /// Whether it allows values of which it says nothing.
  var isOpen: Bool {
    switch kind {
    case .mixed: types.isEmpty && alternatives.isEmpty
    case .list: tree["items"] == nil
    case .map: mapValue == nil && tree["properties"] == nil
    default: false
    }
  }

  /// Whether its values are several kinds of objects.
  var isOfRecords: Bool { kind == .mixed && variants.allSatisfy { $0.kind == .record } }

  /// Whether the class is one of an application.
  var hasApplicationClass: Bool { className != nil && !isFoundationClass }

  /// The values as a table of changes shows them.
  func words(isRequired: Bool) -> String {
    if isNothing { return document.envelope == .nscoding ? "always nil" : "always null" }
    var text = formWords
    if let storage { text += ", \(storage)" }
    if tree["x-mutable"] == .boolean(true) { text += ", mutable" }
    if isNullable { text += document.envelope == .nscoding ? " or nil" : " or null" }
    if !isRequired { text += ", may be absent" }
    return text
  }

  private var formWords: String {
    switch (kind, document.envelope) {
    case (_, let envelope) where envelope.isOfObjects && className != nil: return className ?? ""
    case (.url, .codable), (.url, .plist): return "URL, {\"relative\": text}"
    case (.url, .json): return "URL, text"
    case (.uuid, _): return "UUID, text"
    case (.decimal, _): return "Decimal, {\"mantissa\": …}"
    case (.date, .json): return "date, number"
    case (.data, .json): return "data, Base64"
    case (.record, _): return "object"
    case (.map, _): return "dictionary"
    case (.list, _): return tree["uniqueItems"] == .boolean(true) ? "set, list" : "list"
    case (.mixed, _): return types.isEmpty ? "any value" : types.joined(separator: " or ")
    default: return kind.rawValue
    }
  }
}
