// The forms of a family's values in generated source.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

/// Writes the forms of versions: each declared type is a form, which versions share where it is the same.
struct FormWriter {
  private var names = SwiftNames(reserved: Self.reserved)
  /// The names of the forms that are written, by their source.
  private var known: [String: String] = [:]
  private var classes: [(name: String, patterns: [String])] = []
  private var classNames = SwiftNames(reserved: Set(MigratingSource.reserved))
  /// The cases of `ArchiveForm` that are used.
  private(set) var kinds: Set<String> = []
  /// Whether there may be integers that an Int does not hold.
  private(set) var isWide = false

  /// The cases without a value, in the order in which they are declared.
  private static let scalars = [
    "any", "boolean", "data", "date", "decimal", "integer", "jsonData", "real", "string", "url",
    "uuid",
  ]
  /// The members of `ArchiveForm`.
  private static let reserved = Set(
    scalars + [
      "texts", "list", "map", "only", "record", "open", "object", "either", "jsonDate", "nullable",
      "optional", "deferred", "value", "whole", "anything", "address", "items", "members",
      "newest", "self", "init",
    ])

  /// The cases without a value that are used.
  var scalars: String { Self.scalars.filter(kinds.contains).joined(separator: ", ") }

  /// The source of all forms, the newest version's first.
  private(set) var text = ""
  /// The name of the form of the newest version's models.
  private(set) var newest = ""

  /// The patterns of the cases for records that are used.
  var records: String {
    ["record", "open"].filter(kinds.contains).map { ".\($0)(let forms)" }.joined(separator: ", ")
  }

  /// The case of the switch for values that are what they should be already.
  var exact: String {
    let types = [("string", "String"), ("date", "Date"), ("data", "Data")]
    let cases = types.filter { kinds.contains($0.0) }.map { ".\($0) where stored is \($1)" }
    if cases.isEmpty { return "" }
    let end = cases.count == 1 ? " return stored" : "\n      return stored"
    return "    case \(cases.joined(separator: ", ")):" + end
  }

  /// Whether a case without a value is for some values only.
  var hasConditions: Bool {
    !kinds.isDisjoint(with: ["string", "boolean", "integer", "real", "date", "data"])
  }

  /// Whether some classes are known by patterns rather than by their names.
  var hasPatterns: Bool { !classes.flatMap(\.patterns).allSatisfy(ArchivedClassName.isExact) }

  /// The source of the classes that stand in for those of the application.
  var standIns: String {
    var text = ""
    var rows: [String] = []
    // What stands in for fewer classes comes first, and inherits from what stands in for those and others.
    let sorted = classes.indices.sorted { one, other in
      let counts = [one, other].map { index in wider(than: classes[index]).count }
      return counts[0] == counts[1] ? one < other : counts[0] > counts[1]
    }
    for item in sorted.map({ classes[$0] }) {
      let names =
        hasPatterns ? item.patterns.flatMap(ArchivedClassName.expressions) : item.patterns
      let list = names.map { SwiftWriter.literal($0) }.joined(separator: ", ")
      let parents = wider(than: item)
      let parent = parents.max { wider(than: $0).count < wider(than: $1).count }
      let isFinal = !classes.contains { wider(than: $0).contains { $0.name == item.name } }
      text +=
        "private \(isFinal ? "final " : "")class \(item.name): \(parent?.name ?? "ArchivedObject") {}\n"
      rows.append("(\(item.name).self, [\(list)])")
    }
    let start = text + Self.standInStart
    if let only = classes.first, classes.count == 1, !hasPatterns {
      let names = only.patterns.map { SwiftWriter.literal($0) }
      let test =
        names.count == 1
        ? "names.contains(\(names[0]))"
        : "!Set(names).isDisjoint(with: [\(names.joined(separator: ", "))])"
      return start + "  \(test) ? \(only.name).self : ArchivedObject.self\n}\n\n"
    }
    text = start + Self.known + SwiftLines.rows(rows, "  ") + "\n  for name in names {\n"
    text += hasPatterns ? Self.matching : Self.equal
    return text + "  }\n  return ArchivedObject.self\n}\n\n"
  }

  /// The classes that stand in for those of another class, and for more.
  private func wider(
    than narrow: (name: String, patterns: [String])
  ) -> [(name: String, patterns: [String])] {
    func covers(_ wide: [String], _ narrow: [String]) -> Bool {
      narrow.allSatisfy { name in
        wide.contains {
          $0 == name
            || ArchivedClassName.isExact(name) && ClassName(stored: name).matches(pattern: $0)
        }
      }
    }
    return classes.filter {
      covers($0.patterns, narrow.patterns) && !covers(narrow.patterns, $0.patterns)
    }
  }

  private static let standInStart = """

    /// What stands in for objects of a class, whose name comes before those of its superclasses.
    private func standIn(for names: [String]) -> ArchivedObject.Type {

    """
  private static let known =
    "  let known: [(type: ArchivedObject.Type, names: [String])] = "
  private static let equal =
    "    if let type = known.first(where: { $0.names.contains(name) })?.type { return type }\n"
  private static let matching = """
        func matches(_ pattern: String) -> Bool {
          name.range(of: "^(\\(pattern))$", options: .regularExpression) != nil
        }
        if let type = known.first(where: { $0.names.contains(where: matches) })?.type { return type }

    """

  /// Writes the forms of a version; the first is the newest.
  ///
  /// - Returns: the source of the form of its models.
  mutating func write(
    _ version: SchemaVersion, typeName: String
  ) throws(ArchiveError) -> String {
    var model = SwiftModel(version.tree, typeName: typeName)
    let (name, type) = try model.run()
    guard type == .named(name), let root = model.declaration(name),
      case .record = root.form
    else {
      throw ArchiveError(
        .unsupported, "no Swift code for \(version.label): its model is no object",
        path: GraphPath())
    }
    var run = VersionForms(model: model, version: version, root: name)
    let recursive = model.recursiveNames
    let declared = model.declarations.filter { .named($0.name) != model.anyValue }
    for item in declared where recursive.contains(item.name) {
      run.names[item.name] = formName(item, root: name, version)
    }
    for declaration in declared { try emit(declaration, &run) }
    let form = "." + (run.names[name] ?? "")
    if newest.isEmpty { newest = run.names[name] ?? "" }
    guard version.envelope == .nscoding, version.topKey != nil else { return form }
    kinds.insert("object")
    if version.classPatterns.isEmpty { return ".object(ArchivedObject.self, \(form))" }
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
    text += "  static let \(form): ArchiveForm = \(source)\n"
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
    let list = SwiftLines.list(rows, indentation: "  ", prefix: "private static let \(name) = ")
    return (name, "\n" + list + "\n")
  }

  private mutating func formName(
    _ declaration: SwiftDeclaration, root: String, _ version: SchemaVersion
  ) -> String {
    names.lower(declaration.name == root ? version.name : declaration.name, fallback: "version")
  }

  /// What the forms of one version need.
  private struct VersionForms {
    let model: SwiftModel
    let version: SchemaVersion
    let root: String
    /// The names of forms, by those of the types.
    var names: [String: String] = [:]
    var written: Set<String> = []
  }

  private mutating func body(
    of declaration: SwiftDeclaration, _ run: inout VersionForms
  ) throws(ArchiveError) -> String {
    switch declaration.form {
    case .record(let properties, _, let rule):
      var rows: [String] = []
      for property in properties {
        var form = try self.form(of: property.valueType, &run)
        if property.valueType == .scalar(.integer), !property.integers.isEmpty {
          form = use(".only", "[\(property.integers.map(String.init).joined(separator: ", "))]")
        }
        let whole = property.isRequired ? form : use(".optional", form)
        rows.append("\(SwiftWriter.literal(property.key)): \(whole)")
      }
      let list = rows.isEmpty ? "[:]" : SwiftLines.filledRows(rows, "  ")
      return use(rule.isOpen ? ".open" : ".record", list)
    case .strings(let cases):
      return use(".texts", SwiftLines.filledRows(cases.map { SwiftWriter.literal($0.text) }, "  "))
    case .union(let alternatives):
      var rows: [String] = []
      for item in alternatives { rows.append(try form(of: item.type, &run)) }
      return use(".either", SwiftLines.rows(rows, "  "))
    }
  }

  /// The source of a form, whose case is used now.
  private mutating func use(_ name: String, _ value: String? = nil) -> String {
    kinds.insert(String(name.dropFirst()))
    return value.map { "\(name)(\($0))" } ?? name
  }

  private mutating func form(
    of type: SwiftType, _ run: inout VersionForms
  ) throws(ArchiveError) -> String {
    let isJSON = run.version.envelope == .json
    switch type {
    case run.model.anyValue: return use(".any")
    case .scalar(.unsigned):
      isWide = true
      return use(".integer")
    case .scalar(.real): return use(".real")
    case .scalar(.date):
      if !isJSON { return use(".date") }
      kinds.insert("jsonDate")
      return ".jsonDate { \(LensWriter.date(in: run.version.jsonCoding)) }"
    case .scalar(.data): return use(isJSON ? ".jsonData" : ".data")
    case .scalar(let scalar): return use("." + scalar.rawValue)
    case .list(let element), .set(let element): return use(".list", try form(of: element, &run))
    case .map(let value): return use(".map", try form(of: value, &run))
    case .optional(let wrapped): return use(".nullable", try form(of: wrapped, &run))
    case .stored(let classes, let inner):
      return object(of: [classes.first ?? "NS"], try form(of: inner, &run), run)
    case .named(let name):
      if let declaration = run.model.declaration(name) { try emit(declaration, &run) }
      var form = "." + (run.names[name] ?? "")
      if run.model.recursiveNames.contains(name) {
        kinds.insert("deferred")
        form = ".deferred { \(form) }"
      }
      guard let declaration = run.model.declaration(name),
        case .record(_, _, let rule) = declaration.form
      else { return form }
      if rule.classes.isEmpty, run.version.envelope == .nscoding {
        kinds.formUnion(["either", "object"])
        return ".either([.object(ArchivedObject.self, \(form)), \(form)])"
      }
      return object(of: rule.classes, form, run)
    }
  }

  /// The form of an object of some classes: that of its members if they are no application's.
  private mutating func object(
    of classes: [String], _ form: String, _ run: VersionForms
  ) -> String {
    guard run.version.envelope == .nscoding, let first = classes.first, !first.hasPrefix("NS")
    else { return form }
    kinds.insert("object")
    return ".object(\(standIn(for: classes)).self, \(form))"
  }

  /// The class that stands in for those of some patterns.
  private mutating func standIn(for patterns: [String]) -> String {
    if let known = classes.first(where: { Set($0.patterns) == Set(patterns) }) {
      return known.name
    }
    let last = patterns.first?.split(separator: ".").last.map(String.init) ?? ""
    let name = classNames.upper("Archived " + last, fallback: "ArchivedModel")
    classes.append((name: name, patterns: patterns))
    return name
  }
}

// MARK: - Names of classes in archives

/// The names of classes that a schema gives as they are shown, or as patterns.
enum ArchivedClassName {
  /// Whether an archive has the class under this very name: those of nested types are mangled.
  static func isExact(_ pattern: String) -> Bool {
    !pattern.includes("*") && pattern.count(where: { $0 == "." }) < 2
  }

  /// The regular expressions of a pattern in which `*` stands for any characters.
  ///
  /// The second is for the mangled names of Swift's nested and private types: `_TtCV3App5Movie5Genre`.
  static func expressions(_ pattern: String) -> [String] {
    let plain = escaped(pattern)
    let parts = pattern.split(separator: ".")
    if isExact(pattern) || parts.count < 2 || pattern.hasPrefix("_Tt") { return [plain] }
    let mangled = parts.filter { $0 != "*" }.map { part in
      part.includes("*") ? escaped(String(part)) : "\(part.utf8.count)\(escaped(String(part)))"
    }
    return [plain, "_Tt.*" + mangled.joined(separator: ".*")]
  }

  private static func escaped(_ pattern: String) -> String {
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
