// What writes the newest version's objects into keyed archives: classes of the application, and Foundation's.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Writes the classes that stand for those of the application when an archive is written, and what makes the values of
/// other types.
struct ObjectWriter {
  /// What an archive of the type's models holds.
  struct Body {
    /// The expression for the model `self`.
    let one: String
    /// The expression for the list `models`.
    let list: String
    /// Whether there are objects of the application's classes.
    let hasClasses: Bool
  }

  private let model: SwiftModel
  private let root: String
  private let version: SchemaVersion
  private var names = SwiftNames(reserved: Set(MigratingSource.reserved))
  /// The classes that are written, by the type and the classes of the archive.
  private var classes: [(type: String, chain: [String], name: String)] = []
  private var written: Set<String> = []
  private var declarations = ""

  /// Takes the types of the newest version and the name of the model's.
  init(_ model: SwiftModel, _ root: String, _ version: SchemaVersion) throws(ArchiveError) {
    self.model = model
    self.root = root
    self.version = version
  }

  /// Whether there are objects of the application's classes.
  var hasClasses: Bool { !classes.isEmpty }

  /// The source of what writes objects.
  var text: String {
    guard !declarations.isEmpty else { return "" }
    var text = "// MARK: - Writing objects\n\n" + declarations
    guard hasClasses else { return text }
    var known: Set<String> = []
    let all = classes.map(\.name).filter { known.insert($0).inserted }
    text += "private var encodedObjects: [any EncodedObject.Type] {\n"
    text += SwiftLines.list(all.map { $0 + ".self" }, indentation: "  ", prefix: "")
    return text + "\n}\n\n"
  }

  /// Writes what the newest version's models need.
  ///
  /// - Returns: what an archive holds; nil if an encoder of Codable makes it.
  /// - Throws: `ArchiveError` with code `unsupported` that names what cannot be written.
  mutating func run() throws(ArchiveError) -> Body? {
    guard let main = model.declaration(root), case .record(_, _, let rule) = main.form else {
      return nil
    }
    if version.envelope?.isOfObjects == true,
      let keyClass = version.keyClasses.first(where: { $0 != "NSString" })
    {
      throw refusal("the keys of a dictionary are of the class \(keyClass)")
    }
    switch version.envelope {
    case .nscoding?:
      guard version.topKey != nil else {
        throw refusal("its members are the keys of the archive")
      }
      let patterns = version.classPatterns.isEmpty ? rule.classes : version.classPatterns
      let chain = try self.chain(patterns, rule.chain, of: root)
      let name = try object(of: main, chain)
      return Body(one: "\(name)(self)", list: "models.map(\(name).init)", hasClasses: true)
    case .dictionariable?:
      guard needsObjects else { return nil }
      try write(main)
      guard rule.isMutable else {
        return Body(one: "dictionary", list: "models.map(\\.dictionary)", hasClasses: false)
      }
      let mutable = "NSMutableDictionary(dictionary: "
      return Body(
        one: mutable + "dictionary)", list: "models.map { \(mutable)$0.dictionary) }",
        hasClasses: false)
    default: return nil
    }
  }

  /// Whether a property list of Codable is not what the dictionaries hold.
  private var needsObjects: Bool {
    version.classNames.contains { $0 != "NSDictionary" }
      || version.schemaTellsMutability
      || model.declarations.contains { declaration in
        if .named(declaration.name) == model.anyValue { return false }
        return declaration.types.contains { !Self.isPlain($0) }
          || declaration.properties.contains { $0.isRequired && $0.valueType.isOptional }
      }
  }

  /// Whether Codable writes a value as the dictionaries hold it.
  private static func isPlain(_ type: SwiftType) -> Bool {
    switch type {
    case .scalar(.url), .scalar(.uuid), .scalar(.decimal), .stored: false
    case .scalar, .named: true
    case .list(.optional), .map(.optional): false
    case .list(let inner), .map(let inner), .set(let inner), .optional(let inner): isPlain(inner)
    }
  }

  private func refusal(_ message: String) -> ArchiveError {
    ArchiveError(
      .unsupported, "no Swift code that writes \(version.label), which is the newest: \(message)")
  }

  /// The class of some patterns, before its superclasses.
  private func chain(
    _ patterns: [String], _ chain: [String], of type: String
  ) throws(ArchiveError) -> [String] {
    if let first = chain.first, patterns.contains(first) || patterns.isEmpty { return chain }
    guard let name = patterns.first(where: ArchivedClassName.isExact) else {
      throw refusal("the class of \(type) is not named")
    }
    return chain.isEmpty ? [name, "NSObject"] : [name] + chain.dropFirst()
  }

  /// A type's name outside of the model's.
  private func path(_ name: String) -> String { name == root ? name : "\(root).\(name)" }

  // MARK: Declarations

  /// Writes the class for the objects of a record.
  ///
  /// - Returns: the name of the class.
  private mutating func object(
    of declaration: SwiftDeclaration, _ chain: [String]
  ) throws(ArchiveError) -> String {
    try encoded(path(declaration.name), chain) { (run, writer) throws(ArchiveError) in
      for property in declaration.properties { try run.encode(property, &writer) }
    }
  }

  /// Writes a class whose objects encode a value as those of some classes, unless it is there.
  private mutating func encoded(
    _ type: String, _ chain: [String],
    _ content: (inout ObjectWriter, inout SwiftWriter) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> String {
    if let known = classes.first(where: { $0.type == type && $0.chain == chain }) {
      return known.name
    }
    // Foundation on Linux does not archive private classes, so the name must be the file's own.
    let last = type == root ? "" : chain.first?.split(separator: ".").last.map(String.init) ?? ""
    let name = names.upper("Encoded \(root) \(last)", fallback: "EncodedModel")
    classes.append((type: type, chain: chain, name: name))
    var writer = SwiftWriter()
    writer.line("/// An object of the class `\(chain.first ?? "")` in an archive that is written.")
    try writer.block("final class \(name): NSObject, EncodedObject") {
      (writer) throws(ArchiveError) in
      writer.line("static var supportsSecureCoding: Bool { true }")
      let list = chain.map { SwiftWriter.literal($0) }.joined(separator: ", ")
      writer.line("static var classes: [String] { [\(list)] }")
      writer.line("private let model: \(type)")
      writer.line()
      writer.line("init(_ model: \(type)) { self.model = model }")
      writer.line("init?(coder: NSCoder) { nil }")
      writer.line()
      try writer.block("func encode(with coder: NSCoder)") { (writer) throws(ArchiveError) in
        try content(&self, &writer)
      }
    }
    declarations += writer.text + "\n"
    return name
  }

  private mutating func encode(
    _ property: SwiftDeclaration.Property, _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    let name = SourceIdentifier.quotedInSwift(property.name)
    let type = property.valueType.unwrapped
    let isInline = property.storage != "boxed"
    let mayBeNil = property.valueType.isOptional || !property.isRequired
    guard mayBeNil else {
      let value = try expression(type, "model.\(name)", isInline: isInline)
      return Self.encode(value, property.key, &writer)
    }
    if property.isRequired, !type.isNumber || !isInline {
      // Nil is an object, and a number that may be nil is one as well.
      let element = type.isNumber ? "$0" : try expression(type, "$0", isInline: false)
      let value = element == "$0" ? "model.\(name)" : "model.\(name).map { \(element) }"
      return Self.encode(value, property.key, &writer)
    }
    let value = try expression(type, name, isInline: isInline)
    let start = "if let \(name) = model.\(name) {"
    let line = "\(start) coder.encode(\(value), forKey: \(SwiftWriter.literal(property.key))) }"
    if !property.isRequired, line.count + 4 <= SwiftWriter.width { return writer.line(line) }
    writer.line(start)
    Self.encode(value, property.key, indentation: "  ", &writer)
    if property.isRequired {
      writer.line("} else {")
      Self.encode("nil", property.key, indentation: "  ", &writer)
    }
    writer.line("}")
  }

  /// Writes the statement that encodes the value of an expression.
  private static func encode(
    _ value: String, _ key: String, indentation: String = "", _ writer: inout SwiftWriter
  ) {
    let call = SwiftLines.call(
      "coder.encode", [value, "forKey: \(SwiftWriter.literal(key))"],
      indentation: "    " + indentation)
    for line in call.split(separator: "\n") { writer.line(String(line.dropFirst(4))) }
  }

  /// Writes the values of a record or a union, unless they are there.
  private mutating func write(_ declaration: SwiftDeclaration) throws(ArchiveError) {
    guard written.insert(declaration.name).inserted else { return }
    var writer = SwiftWriter()
    try writer.block("extension \(path(declaration.name))") { (writer) throws(ArchiveError) in
      switch declaration.form {
      case .record(let properties, _, _):
        writer.line("/// The dictionary in an archive.")
        try writer.block("fileprivate var dictionary: [String: Any]") {
          (writer) throws(ArchiveError) in
          try self.dictionary(properties, &writer)
        }
      case .union(let alternatives):
        writer.line("/// The value in an archive.")
        try writer.block("fileprivate var stored: Any") { (writer) throws(ArchiveError) in
          writer.line("switch self {")
          for item in alternatives {
            let name = SourceIdentifier.quotedInSwift(item.name)
            let value = try self.expression(item.type, "value", isInline: false)
            writer.line("case .\(name)(let value): \(value)")
          }
          writer.line("}")
        }
      case .strings: break
      }
    }
    declarations += writer.text + "\n"
  }

  private mutating func dictionary(
    _ properties: [SwiftDeclaration.Property], _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    let optional = properties.filter { !$0.isRequired }
    let literals = try properties.filter(\.isRequired).map { (property) throws(ArchiveError) in
      let name = SourceIdentifier.quotedInSwift(property.name)
      let value = try self.expression(property.valueType, name, isInline: true)
      return "\(SwiftWriter.literal(property.key)): \(value)"
    }
    let literal = literals.isEmpty ? "[:]" : SwiftLines.rows(literals, "")
    let lines = literal.split(separator: "\n")
    let start = optional.isEmpty ? "" : "var members: [String: Any] = "
    for (index, line) in lines.enumerated() {
      writer.line(index == 0 ? start + line : String(line))
    }
    guard !optional.isEmpty else { return }
    for property in optional {
      let name = SourceIdentifier.quotedInSwift(property.name)
      let value = try expression(property.valueType.unwrapped, "$0", isInline: true)
      let whole = value == "$0" ? name : "\(name).map { \(value) }"
      writer.line("members[\(SwiftWriter.literal(property.key))] = \(whole)")
    }
    writer.line("return members")
  }

  // MARK: Values

  /// The expression of what an archive holds for a value.
  private mutating func expression(
    _ type: SwiftType, _ value: String, isInline: Bool
  ) throws(ArchiveError) -> String {
    switch type {
    case .scalar(.unsigned) where isInline && type.isNumber: return "NSNumber(value: \(value))"
    case .scalar: return type.isNumber && !isInline ? "NSNumber(value: \(value))" : value
    case .optional(let inner):
      let element = try expression(inner, "$0", isInline: true)
      return "\(value).map { \(element) as Any } ?? NSNull()"
    case .list(let inner):
      let element = try expression(inner, "$0", isInline: true)
      return element == "$0" ? value : "\(value).map { \(element) }"
    case .map(let inner):
      let element = try expression(inner, "$0", isInline: true)
      return element == "$0" ? value : "\(value).mapValues { \(element) }"
    case .set(let inner):
      let element = try expression(inner, "$0", isInline: true)
      return element == "$0" ? "Array(\(value))" : "\(value).map { \(element) }"
    case .stored(let classes, let inner): return try stored(classes, inner, value)
    case .named(let name): return try named(name, value)
    }
  }

  private mutating func named(_ name: String, _ value: String) throws(ArchiveError) -> String {
    guard let declaration = model.declaration(name) else { return value }
    switch declaration.form {
    case .strings: return "\(value).rawValue"
    case .union:
      try write(declaration)
      return "\(value).stored"
    case .record(_, _, let rule):
      let isObject = version.envelope == .nscoding && rule.classes.first?.hasPrefix("NS") == false
      if isObject {
        let chain = try self.chain(rule.classes, rule.chain, of: name)
        return "\(try object(of: declaration, chain))(\(value))"
      }
      if let first = rule.classes.first, first != "NSDictionary", first != "NSMutableDictionary" {
        throw refusal("\(name) is of the class \(first)")
      }
      try write(declaration)
      let dictionary = "\(value).dictionary"
      return rule.isMutable ? "NSMutableDictionary(dictionary: \(dictionary))" : dictionary
    }
  }

  /// The expression of an object of a class that does not follow from the type.
  private mutating func stored(
    _ classes: [String], _ inner: SwiftType, _ value: String
  ) throws(ArchiveError) -> String {
    let name = classes.first ?? ""
    if case .set(let element) = inner, name == "NSSet" || name == "NSMutableSet" {
      let item = try expression(element, "$0", isInline: true)
      let items = item == "$0" ? value : "Set(\(value).map { \(item) })"
      return name == "NSSet" && item == "$0" ? value : "\(name)(set: \(items))"
    }
    let plain = try expression(inner, value, isInline: true)
    switch (name, inner) {
    case ("NSMutableString", .scalar(.string)): return "NSMutableString(string: \(plain))"
    case ("NSMutableData", .scalar(.data)): return "NSMutableData(data: \(plain))"
    case ("NSArray", .set): return plain
    case ("NSMutableArray", .list), ("NSOrderedSet", .list), ("NSMutableOrderedSet", .list),
      ("NSMutableArray", .set), ("NSSet", .list), ("NSMutableSet", .list):
      return "\(name)(array: \(plain))"
    case ("NSMutableDictionary", .map): return "NSMutableDictionary(dictionary: \(plain))"
    case (_, .map(let element)) where !name.hasPrefix("NS") && version.envelope == .nscoding:
      let chain = try self.chain([name], classes.count > 1 ? classes : [], of: name)
      let item = try expression(element, "value", isInline: true)
      let object = try encoded(inner.source(naming: path), chain) { (_, writer) in
        writer.block("for (key, value) in model") { $0.line("coder.encode(\(item), forKey: key)") }
      }
      return "\(object)(\(value))"
    default: throw refusal("a value is of the class \(name)")
    }
  }
}

extension SwiftType {
  /// Whether coders have a function of their own for its values.
  fileprivate var isNumber: Bool {
    [.scalar(.boolean), .scalar(.integer), .scalar(.unsigned), .scalar(.real)].contains(self)
  }
}

extension SwiftDeclaration {
  fileprivate var properties: [Property] {
    if case .record(let properties, _, _) = form { properties } else { [] }
  }
}

extension SchemaVersion {
  fileprivate var keyClasses: [String] {
    schemaParts.compactMap { $0["x-key-class"]?.string }
  }

  /// Whether values are to be mutable somewhere.
  fileprivate var schemaTellsMutability: Bool {
    schemaParts.contains { $0["x-mutable"]?.boolean == true }
  }
}
