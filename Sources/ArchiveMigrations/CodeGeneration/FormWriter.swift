// The forms of a family's values in generated source.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Writes the forms of versions: each declared type is a form, which versions share where it is the same.
struct FormWriter {
  private var names = SwiftNames(reserved: Self.reserved)
  /// The names of the forms that are written, by their source.
  private var known: [String: String] = [:]
  private var declarations = ""
  private var classes: [(name: String, patterns: [String])] = []
  private var classNames = SwiftNames(reserved: Set(MigratingSource.reserved))

  /// The members of `ArchiveForm`.
  private static let reserved: Set<String> = [
    "any", "string", "boolean", "integer", "real", "date", "data", "url", "uuid", "decimal",
    "texts", "list", "map", "record", "open", "object", "either", "jsonDate", "jsonData",
    "nullable", "optional", "deferred", "value", "scalar", "anything", "address", "items",
    "members", "label", "newest", "self", "init", "renamed",
  ]

  /// The source of all forms.
  var text: String {
    declarations.isEmpty ? "" : "extension ArchiveForm {\n" + declarations + "}\n\n"
  }

  /// The source of the classes that stand in for those of the application.
  var standIns: String {
    var text = "// MARK: - The classes of earlier versions\n\n"
    for item in classes {
      let list = item.patterns.map { SwiftWriter.literal($0) }.joined(separator: ", ")
      text += "private final class \(item.name): ArchivedObject {\n"
      text += "  override class var names: [String] { [\(list)] }\n}\n\n"
    }
    let all = classes.map { $0.name + ".self" }
    text += "extension ArchivedObject {\n  fileprivate static var all: [ArchivedObject.Type] {\n"
    text +=
      "    \(all.count > 2 ? Self.rows(all, "    ") : "[\(all.joined(separator: ", "))]")\n  }\n}\n\n"
    return text
  }

  /// Writes the forms of a version; the first is the newest.
  ///
  /// - Returns: the source of the form of its models.
  mutating func write(
    _ version: SchemaVersion, typeName: String
  ) throws(ArchiveError) -> String {
    var model = SwiftModel(version.tree, typeName: typeName)
    let (name, type) = try model.run()
    guard type == .named(name), let root = model.declarations.first(where: { $0.name == name }),
      case .record = root.form
    else {
      throw ArchiveError(
        .unsupported, "no Swift code for \(version.label): its model is no object",
        path: GraphPath())
    }
    var run = VersionForms(model: model, version: version, root: name)
    let isNewest = declarations.isEmpty
    let recursive = model.recursiveNames
    let declared = model.declarations.filter { .named($0.name) != model.anyValue }
    for item in declared where recursive.contains(item.name) {
      run.names[item.name] = formName(item, root: name, version)
    }
    for declaration in declared { try emit(declaration, &run) }
    let form = "." + (run.names[name] ?? "")
    if isNewest {
      declarations =
        "  fileprivate static var newest: ArchiveForm { \(form) }\n\n" + declarations
    }
    guard version.envelope == .nscoding, !version.classPatterns.isEmpty else { return form }
    return ".object(\(standIn(for: version.classPatterns)).self, \(form))"
  }

  /// Writes a form after those of the types in it, unless another version has the same.
  private mutating func emit(
    _ declaration: SwiftDeclaration, _ run: inout VersionForms
  ) throws(ArchiveError) {
    guard run.written.insert(declaration.name).inserted else { return }
    let source = try body(of: declaration, &run)
    let isRoot = declaration.name == run.root
    if !isRoot, run.names[declaration.name] == nil, let same = known[source] {
      run.names[declaration.name] = same
      return
    }
    let form =
      run.names[declaration.name] ?? formName(declaration, root: run.root, run.version)
    run.names[declaration.name] = form
    known[source] = known[source] ?? form
    declarations += declarations.isEmpty ? "" : "\n"
    if isRoot {
      let words = SwiftWriter.words("\(run.version.label).")
      declarations += "  /// \(words.joined(separator: " "))\n"
    }
    declarations += "  fileprivate static let \(form): ArchiveForm = \(source)\n"
  }

  /// The names of a version's members by those in JSON, where they differ.
  ///
  /// - Returns: the name of the declaration and its source; nil if none differs.
  mutating func jsonKeys(
    of version: SchemaVersion
  ) throws(ArchiveError) -> (name: String, source: String)? {
    guard version.jsonCoding.hasSnakeCaseKeys else { return nil }
    var model = SwiftModel(version.tree, typeName: "Model")
    _ = try model.run()
    var keys: Set<String> = []
    for case .record(let properties, _, _) in model.declarations.map(\.form) {
      keys.formUnion(properties.map(\.key))
    }
    var rows: [String] = []
    for key in keys.sorted() {
      guard let written = JSONCoding.snakeCase(key) else {
        throw ArchiveError(
          .unsupported,
          "no Swift code for \(version.label): '\(key)' does not return from snake case")
      }
      if written != key {
        rows.append("\(SwiftWriter.literal(written)): \(SwiftWriter.literal(key))")
      }
    }
    if rows.isEmpty { return nil }
    let name = names.lower(version.name + " keys", fallback: "keys")
    return (name, "\n  private static let \(name) = \(Self.rows(rows))\n")
  }

  private mutating func formName(
    _ declaration: SwiftDeclaration, root: String, _ version: SchemaVersion
  ) -> String {
    names.lower(declaration.name == root ? version.name : declaration.name, fallback: "version")
  }

  /// A collection literal of several lines.
  private static func rows(_ rows: [String], _ indentation: String = "  ") -> String {
    let separator = rows.count > 1 ? "," : ""
    return "[\n" + rows.map { "\(indentation)  \($0)\(separator)\n" }.joined() + indentation + "]"
  }

  /// What the forms of one version need.
  private struct VersionForms {
    let model: SwiftModel
    let version: SchemaVersion
    let root: String
    /// The names of forms, by those of the types.
    var names: [String: String] = [:]
    var written: Set<String> = []

    func declaration(_ name: String) -> SwiftDeclaration? {
      model.declarations.first { $0.name == name }
    }
  }

  private mutating func body(
    of declaration: SwiftDeclaration, _ run: inout VersionForms
  ) throws(ArchiveError) -> String {
    switch declaration.form {
    case .record(let properties, _, let rule):
      let function = rule.isOpen ? "open" : "record"
      if properties.isEmpty { return ".\(function)([:])" }
      var rows: [String] = []
      for property in properties {
        let form = try self.form(of: property.valueType, &run)
        let whole = property.isRequired ? form : ".optional(\(form))"
        rows.append("\(SwiftWriter.literal(property.key)): \(whole)")
      }
      return ".\(function)(\(Self.rows(rows)))"
    case .strings(let cases):
      return ".texts(\(Self.rows(cases.map { SwiftWriter.literal($0.text) })))"
    case .union(let alternatives):
      var rows: [String] = []
      for item in alternatives { rows.append(try form(of: item.type, &run)) }
      return ".either(\(Self.rows(rows)))"
    }
  }

  private mutating func form(
    of type: SwiftType, _ run: inout VersionForms
  ) throws(ArchiveError) -> String {
    switch type {
    case run.model.anyValue: return ".any"
    case .scalar(.boolean): return ".boolean"
    case .scalar(.integer), .scalar(.unsigned): return ".integer"
    case .scalar(.real): return ".real"
    case .scalar(.date):
      guard run.version.envelope == .json else { return ".date" }
      return ".jsonDate { \(LensWriter.date(in: run.version.jsonCoding)) }"
    case .scalar(.data): return run.version.envelope == .json ? ".jsonData" : ".data"
    case .scalar(.uuid): return ".uuid"
    case .scalar(.url): return ".url"
    case .scalar(.decimal): return ".decimal"
    case .scalar(.string): return ".string"
    case .list(let element), .set(let element): return ".list(\(try form(of: element, &run)))"
    case .map(let value): return ".map(\(try form(of: value, &run)))"
    case .optional(let wrapped): return ".nullable(\(try form(of: wrapped, &run)))"
    case .named(let name):
      if let declaration = run.declaration(name) { try emit(declaration, &run) }
      var form = "." + (run.names[name] ?? "")
      if run.model.recursiveNames.contains(name) { form = ".deferred { \(form) }" }
      guard run.version.envelope == .nscoding, let declaration = run.declaration(name),
        case .record(_, _, let rule) = declaration.form, let first = rule.classes.first,
        !first.hasPrefix("NS")
      else { return form }
      return ".object(\(standIn(for: rule.classes)).self, \(form))"
    }
  }

  /// The class that stands in for those of some patterns.
  private mutating func standIn(for patterns: [String]) -> String {
    let expressions = patterns.map(Self.expression)
    if let known = classes.first(where: { Set($0.patterns) == Set(expressions) }) {
      return known.name
    }
    let last = patterns.first?.split(separator: ".").last.map(String.init) ?? ""
    let name = classNames.upper("Archived " + last, fallback: "ArchivedModel")
    classes.append((name: name, patterns: expressions))
    return name
  }

  /// The regular expression of a pattern in which `*` stands for any characters.
  private static func expression(_ pattern: String) -> String {
    var result = ""
    for character in pattern {
      switch character {
      case "*": result += ".*"
      case let character where character.isLetter || character.isNumber || character == "_":
        result.append(character)
      default: result += "[\(character == "^" || character == "\\" ? "\\" : "")\(character)]"
      }
    }
    return result
  }
}
