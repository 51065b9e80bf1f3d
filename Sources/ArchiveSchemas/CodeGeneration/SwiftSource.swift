// Source code for a schema: Codable types that decode its models.

import ArchiveBasics
import ArchivePropertyLists

/// Swift types for one version of a model.
///
/// Models that an encoder of Codable wrote decode with `PropertyListDecoder`, which is strict: it does not decode a
/// number of 0 or 1 as a boolean, a real without a fraction as a real, or a date as a string. Where a schema allows
/// several types for a value, an enumeration with a case for each is declared.
package struct SwiftSource {
  private let schema: JSONTree
  private let typeName: String

  /// Takes a schema (JSON Schema 2020-12 with `x-plist-type`) and a name, from which an identifier is made.
  package init(schema: JSONTree, typeName: String) {
    self.schema = schema
    self.typeName = typeName
  }

  /// The source code of a file, as swift-format leaves it.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` or `malformed` and the path of a schema without a Swift type: a
  ///   UID, `allOf` of several schemas, references to other documents, a reference to itself without a record between.
  package func source() throws(ArchiveError) -> String {
    var model = SwiftModel(schema, typeName: typeName)
    let (name, type) = try model.run()
    var writer = SwiftWriter()
    let id = schema["$id"]?.string.map(SwiftWriter.words)?.joined(separator: " ") ?? ""
    writer.line("// Models of \(id.isEmpty ? "a JSON Schema" : "the schema \(id.prefix(80))").")
    if let advice { writer.line("// \(advice)") }
    writer.line()
    if model.declarations.contains(where: { $0.types.contains(where: \.needsFoundation) })
      || type.needsFoundation
    {
      writer.line("import Foundation")
      writer.line()
    }
    if !writer.write(model, name) {
      writer.documentation(schema["description"]?.string ?? schema["title"]?.string)
      writer.line("typealias \(name) = \(type.source)")
      writer.nested(model.declarations)
    }
    return writer.text
  }

  /// How to read the models of an archive that no decoder of Codable opens; nil for other archives.
  private var advice: String? {
    switch schema["x-archive"]?["envelope"]?.string {
    case "nscoding", "dictionariable", "sequential":
      "NSKeyedUnarchiver opens its archives, PropertyListDecoder does not."
    default: nil
    }
  }
}

// MARK: - Swift names for the names in a schema

/// The names of one scope.
package struct SwiftNames {
  /// The names that a generated type would shadow.
  static let reservedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys",
    "Data", "Date", "Decimal", "Decodable", "Decoder", "DecodingError", "Dictionary", "Double",
    "Encodable",
    "Encoder", "Equatable", "Error", "Foundation", "Hashable", "Hasher", "Int", "Never", "Optional",
    "Protocol", "RawRepresentable", "Self", "Sendable", "Set", "String", "Swift", "Type", "UInt64",
    "URL", "UUID", "Void",
  ]
  /// The names that enumerations declare themselves, or that are confused with a case of an optional.
  static let reservedCases: Set<String> = ["allCases", "none", "self", "some"]
  /// The names that properties cannot have, even in backticks.
  static let reservedProperties: Set<String> = ["self"]

  private static let longest = 40
  private let reserved: Set<String>
  private var names: UniqueNames

  /// Names that differ from the reserved ones.
  package init(reserved: Set<String>) {
    self.reserved = reserved
    names = UniqueNames(known: reserved)
  }

  /// A name that begins in lower case: `localizedName` for `LocalizedName`, `id` for `ID`.
  package mutating func lower(_ text: String, fallback: String) -> String {
    let words = UniqueNames.words(text)
    guard let first = words.first else { return unique(fallback) }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return unique(Self.startingWithLetter(Self.lowered(first) + rest, prefix: fallback))
  }

  /// A name that begins with a capital.
  package mutating func upper(_ text: String, fallback: String) -> String {
    let words = UniqueNames.words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard !words.isEmpty else { return unique(fallback) }
    return unique(Self.startingWithLetter(words.joined(), prefix: fallback))
  }

  /// A name that begins in lower case for one element of a list.
  package mutating func lowerSingular(_ text: String, fallback: String) -> String {
    lower(UniqueNames.singular(text), fallback: fallback)
  }

  private mutating func unique(_ name: String) -> String {
    var stem = String(name.prefix(Self.longest))
    // A name that Swift reserves gets another word; a name that the schema repeats gets a number.
    if reserved.contains(stem) { stem += "Value" }
    return names.name(stem)
  }

  /// A word with its leading capitals in lower case, except the one that begins its next word: `urlString`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }.count
    let next = word.dropFirst(capitals).first
    let count = capitals > 1 && next?.isLowercase == true ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
  }

  private static func startingWithLetter(_ name: String, prefix: String) -> String {
    name.first?.isNumber == true ? prefix + name : name
  }
}

// MARK: - Swift types that a schema needs, before they are written as source

/// A type that a property has.
package indirect enum SwiftType: Hashable {
  /// A type of the standard library or of Foundation.
  case scalar(Scalar)
  /// A declared type.
  case named(String)
  /// An array.
  case list(SwiftType)
  /// A set.
  case set(SwiftType)
  /// A dictionary whose keys are strings.
  case map(SwiftType)
  /// A value that may be null or absent.
  case optional(SwiftType)
  /// A value that keyed archives hold as an object of a class that does not follow from its type, before its superclasses.
  case stored([String], SwiftType)

  /// The types without parts: the raw value is the name of a union's case that holds the type.
  package enum Scalar: String, CaseIterable {
    case boolean, integer, unsigned
    case real = "number"
    case date, data, uuid, url, decimal, string

    fileprivate var source: String {
      switch self {
      case .boolean: "Bool"
      case .integer: "Int"
      case .unsigned: "UInt64"
      case .real: "Double"
      case .date: "Date"
      case .data: "Data"
      case .uuid: "UUID"
      case .url: "URL"
      case .decimal: "Decimal"
      case .string: "String"
      }
    }
  }

  /// The type in Swift source.
  package var source: String { source { $0 } }

  /// The type in Swift source, in which a closure names the declared types.
  package func source(naming name: (String) -> String) -> String {
    switch self {
    case .scalar(let scalar): scalar.source
    case .named(let declared): name(declared)
    case .list(let element): "[\(element.source(naming: name))]"
    case .set(let element): "Set<\(element.source(naming: name))>"
    case .map(let value): "[String: \(value.source(naming: name))]"
    case .optional(let wrapped): "\(wrapped.source(naming: name))?"
    case .stored(_, let inner): inner.source(naming: name)
    }
  }

  /// The type of its elements or values, or the one that it wraps.
  private var inner: SwiftType? {
    switch self {
    case .scalar, .named: nil
    case .list(let inner), .set(let inner), .map(let inner), .optional(let inner),
      .stored(_, let inner):
      inner
    }
  }

  /// Whether Foundation declares the type or a type in it.
  var needsFoundation: Bool {
    guard case .scalar(let scalar) = self else { return inner?.needsFoundation == true }
    return [.date, .data, .uuid, .url, .decimal].contains(scalar)
  }

  /// The declared type that a value of this type contains directly, not behind an array or a dictionary.
  var contained: String? {
    switch self {
    case .named(let name): name
    case .optional(let wrapped), .stored(_, let wrapped): wrapped.contained
    default: nil
    }
  }

  /// The declared types in it.
  var names: [String] {
    if case .named(let name) = self { [name] } else { inner?.names ?? [] }
  }

  /// The types of the elements of sets in it.
  var inSets: [SwiftType] {
    if case .set(let element) = self { [element] } else { inner?.inSets ?? [] }
  }

  /// Whether a value may be null or absent.
  package var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The type of a value that is there.
  package var unwrapped: SwiftType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }

  var asOptional: SwiftType { isOptional ? self : .optional(self) }

  /// The type as an optional if a value may be null or absent.
  func optional(if isNullable: Bool) -> SwiftType { isNullable ? asOptional : self }

  /// The name of a union's case that holds the type.
  var caseName: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .named(let name): name
    case .list: "list"
    case .set: "set"
    case .map: "dictionary"
    case .optional(let wrapped), .stored(_, let wrapped): wrapped.caseName
    }
  }

  /// The order in which a union tries its cases: the type that decodes the fewest values comes first.
  var decodingRank: Int {
    switch self {
    // The scalars are declared in this order, and every text is a string.
    case .scalar(.string): Scalar.allCases.count
    case .scalar(let scalar): Scalar.allCases.firstIndex(of: scalar) ?? 0
    case .named: Scalar.allCases.count - 1
    case .list, .set: Scalar.allCases.count + 1
    case .map: Scalar.allCases.count + 2
    case .optional(let wrapped), .stored(_, let wrapped): wrapped.decodingRank
    }
  }
}

// MARK: - What generated source declares: records, strings of an enumeration, unions

/// A declared type.
package struct SwiftDeclaration {
  /// A stored property.
  package struct Property {
    /// The member of the model.
    package let key: String
    /// The property's name, without backticks.
    package let name: String
    /// The type of the member where it is present.
    package let valueType: SwiftType
    /// Whether the member is always present.
    package let isRequired: Bool
    let documentation: String?
    /// How the schema stores it in its object: `inline` or `boxed`; nil if it does not say.
    package let storage: String?
    /// The integers that the schema lists; empty if it does not.
    package let integers: [Int]

    var type: SwiftType { valueType.optional(if: !isRequired) }
  }

  /// What a schema says of the objects of a record.
  package struct RecordRule {
    /// The patterns of their classes; empty if it does not say.
    package let classes: [String]
    /// Their class before its superclasses; empty if it does not say.
    package let chain: [String]
    /// Whether their class is NSMutableDictionary.
    package let isMutable: Bool
    /// Whether they may have members that it does not name.
    package let isOpen: Bool
    /// Whether a required member that is null is written.
    let writesNull: Bool
  }

  /// A case of a union: its name, without backticks, and its type.
  package typealias Alternative = (name: String, type: SwiftType)

  /// The form of the declaration.
  package enum Form {
    /// Members, each with a type; `isReference` if values contain values of the same type.
    case record([Property], isReference: Bool, RecordRule)
    /// Some strings, each with the name of its case.
    case strings([(name: String, text: String)])
    /// One of several types.
    case union([Alternative])
  }

  /// The name of the type.
  package let name: String
  /// What the schema says about it.
  package let documentation: String?
  /// What it declares.
  package internal(set) var form: Form
  /// Whether sets hold values of it.
  var isHashable = false

  /// The types of its properties or its cases.
  package var types: [SwiftType] {
    switch form {
    case .record(let properties, _, _): properties.map(\.type)
    case .union(let alternatives): alternatives.map(\.type)
    case .strings: []
    }
  }
}

extension SwiftDeclaration {
  fileprivate var protocols: String {
    "Codable, \(isHashable ? "Hashable" : "Equatable"), Sendable"
  }
}

// MARK: - Swift source, line by line, in the layout of swift-format with its default settings

/// Writes declarations.
package struct SwiftWriter {
  /// How many columns a line may have.
  package static let width = 100

  /// What is written.
  package private(set) var text = ""
  private var indentation = ""

  /// Begins a file.
  package init() {}

  // MARK: Lines

  /// Writes a line; of a comment nothing that a schema or lens names can begin another.
  package mutating func line(_ content: String = "") {
    let content =
      content.hasPrefix("//") ? Self.words(content).joined(separator: " ") : content
    text += content.isEmpty ? "\n" : indentation + content + "\n"
  }

  /// Writes indented lines between braces; `opening` comes before the first, `parameters` after it.
  package mutating func block<Failure: Error>(
    _ opening: String, parameters: String = "",
    _ content: (inout SwiftWriter) throws(Failure) -> Void
  ) throws(Failure) {
    line(opening + " {" + (parameters.isEmpty ? "" : " " + parameters + " in"))
    indentation += "  "
    try content(&self)
    indentation.removeLast(2)
    line("}")
  }

  /// The words of a text, separated at every character that could end a comment's line.
  package static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { scalar in
      scalar.properties.isWhitespace
        || [.control, .format, .lineSeparator, .paragraphSeparator].contains(
          scalar.properties.generalCategory)
    }.map { String(Substring($0)) }
  }

  /// A documentation comment: a summary sentence, an empty line, the remaining text.
  package mutating func documentation(_ text: String?) {
    let words = Self.words(text ?? "")
    guard let last = words.last else { return }
    let end = words.firstIndex { $0.hasSuffix(".") || $0.hasSuffix("!") || $0.hasSuffix("?") }
    guard let end else { return fill(words.dropLast() + [last + "."]) }
    // swift-format requires a period after the summary.
    fill(words[..<end] + [words[end].dropLast() + "."])
    if end == words.count - 1 { return }
    line("///")
    fill(words[(end + 1)...])
  }

  private mutating func fill(_ words: some Sequence<String>) {
    var row = "///"
    for word in words {
      if row.count + word.count + indentation.count >= Self.width, row.count > 3 {
        line(row)
        row = "///"
      }
      row += " " + word
    }
    line(row)
  }

  // MARK: Declarations

  /// Writes the type of a model with the other types in it; false if the model has no type of its own.
  package mutating func write(_ model: SwiftModel, _ name: String) -> Bool {
    guard let main = model.declaration(name) else { return false }
    write(main, holding: model.declarations.filter { $0.name != name })
    return true
  }

  mutating func write(_ declaration: SwiftDeclaration, holding others: [SwiftDeclaration]) {
    documentation(declaration.documentation)
    switch declaration.form {
    case .record(let properties, let isReference, let rule):
      record(declaration, properties, isReference, others, writesNull: rule.writesNull)
    case .strings(let cases):
      block("enum \(declaration.name): String, Codable, CaseIterable, Sendable") { writer in
        for item in cases { writer.enumCase(item.name, item.text) }
        writer.nested(others)
      }
    case .union(let alternatives): union(declaration, alternatives, others)
    }
  }

  mutating func nested(_ declarations: [SwiftDeclaration]) {
    for declaration in declarations {
      line()
      write(declaration, holding: [])
    }
  }

  private mutating func record(
    _ declaration: SwiftDeclaration, _ properties: [SwiftDeclaration.Property],
    _ isReference: Bool, _ others: [SwiftDeclaration], writesNull: Bool
  ) {
    let (name, protocols) = (declaration.name, declaration.protocols)
    if properties.isEmpty, others.isEmpty { return line("struct \(name): \(protocols) {}") }
    block("\(isReference ? "final class" : "struct") \(name): \(protocols)") { writer in
      for property in properties {
        writer.documentation(property.documentation)
        let word = isReference ? "let" : "var"
        writer.line("\(word) \(Self.quoted(property.name)): \(property.type.source)")
      }
      if properties.contains(where: { $0.key != $0.name }) {
        writer.line()
        writer.block("enum CodingKeys: String, CodingKey") { writer in
          for property in properties { writer.enumCase(property.name, property.key) }
        }
      }
      if writesNull, properties.contains(where: { $0.isRequired && $0.valueType.isOptional }) {
        writer.encodingNull(properties)
      }
      if isReference {
        writer.members(ofClass: name, properties, isHashable: declaration.isHashable)
      }
      writer.nested(others)
    }
  }

  /// A function that writes null for required members, which Codable's own would leave out.
  private mutating func encodingNull(_ properties: [SwiftDeclaration.Property]) {
    line()
    block("func encode(to encoder: any Encoder) throws") { writer in
      writer.line("var container = encoder.container(keyedBy: CodingKeys.self)")
      for property in properties {
        let function = property.isRequired ? "encode" : "encodeIfPresent"
        let name = Self.quoted(property.name)
        writer.line("try container.\(function)(\(name), forKey: .\(name))")
      }
    }
  }

  /// The members that Swift generates for structs only.
  private mutating func members(
    ofClass name: String, _ properties: [SwiftDeclaration.Property], isHashable: Bool
  ) {
    let parameters = properties.map { "\(Self.quoted($0.name)): \($0.type.source)" }
    line()
    line("init(")
    for (index, parameter) in parameters.enumerated() {
      line("  " + parameter + (index < parameters.count - 1 ? "," : ""))
    }
    block(")") { writer in
      for property in properties {
        writer.line("self.\(Self.quoted(property.name)) = \(Self.quoted(property.name))")
      }
    }
    line()
    block("static func == (left: \(name), right: \(name)) -> Bool") { writer in
      for (index, property) in properties.enumerated() {
        let name = Self.quoted(property.name)
        writer.line((index > 0 ? "  && " : "") + "left.\(name) == right.\(name)")
      }
    }
    guard isHashable else { return }
    line()
    block("func hash(into hasher: inout Hasher)") { writer in
      for property in properties {
        writer.line("hasher.combine(\(Self.quoted(property.name)))")
      }
    }
  }

  private mutating func enumCase(_ name: String, _ text: String) {
    if name == text { return line("case \(Self.quoted(name))") }
    let start = "case \(Self.quoted(name)) ="
    let literal = Self.literal(text)
    if indentation.count + start.count + 1 + literal.count <= Self.width {
      return line(start + " " + literal)
    }
    line(start)
    line("  " + literal)
  }

  private mutating func union(
    _ declaration: SwiftDeclaration, _ alternatives: [SwiftDeclaration.Alternative],
    _ others: [SwiftDeclaration]
  ) {
    block("enum \(declaration.name): \(declaration.protocols)") { writer in
      for item in alternatives {
        writer.line("case \(Self.quoted(item.name))(\(item.type.source))")
      }
      writer.line()
      writer.decoding(alternatives)
      writer.line()
      writer.block("func encode(to encoder: any Encoder) throws") { writer in
        writer.line("var container = encoder.singleValueContainer()")
        writer.line("switch self {")
        for item in alternatives {
          writer.line(
            "case .\(Self.quoted(item.name))(let value): try container.encode(value)")
        }
        writer.line("}")
      }
      writer.nested(others)
    }
  }

  /// An initializer that tries each case; the user sees the error of the last one.
  private mutating func decoding(_ alternatives: [SwiftDeclaration.Alternative]) {
    block("init(from decoder: any Decoder) throws") { writer in
      writer.line("let container = try decoder.singleValueContainer()")
      var start = ""
      for item in alternatives.dropLast() {
        let type = item.type.source
        writer.line("\(start)if let value = try? container.decode(\(type).self) {")
        writer.line("  self = .\(Self.quoted(item.name))(value)")
        start = "} else "
      }
      guard let last = alternatives.last else { return }
      let decoded = "try container.decode(\(last.type.source).self)"
      let assignment = "self = .\(Self.quoted(last.name))(\(decoded))"
      if start.isEmpty { return writer.line(assignment) }
      writer.line("} else {")
      writer.line("  " + assignment)
      writer.line("}")
    }
  }

  // MARK: Literals

  private static func quoted(_ name: String) -> String { SourceIdentifier.quotedInSwift(name) }

  /// A string literal; invisible characters, and those that change the direction of text, are escaped.
  package static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\" + String(scalar)
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }
}
