// One version of a family: an envelope and a schema of the model in it.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import KeyedArchives
import Synchronization

/// One version of a family, or a single schema without a family.
package final class SchemaVersion {
  /// The family's name; empty for a single schema.
  package let family: String
  /// The version's name: `v1`; for a single schema, the file's name.
  package let name: String
  let archive: ArchiveRule
  /// How the model is wrapped; nil if the schema does not specify it, so that any envelope is valid.
  package var envelope: Envelope? { archive.envelope }
  /// Patterns of the classes that the root object may have; empty for any.
  package var classPatterns: [String] { archive.classPatterns }
  /// The top-level key of the model in a keyed archive; nil if the keys are the members of the model.
  package var topKey: String? { archive.topKey }
  /// Whether the root may be a list of models.
  package var allowsList: Bool { archive.allowsList }
  /// The schema as written.
  package var tree: JSONTree { content.tree }
  /// The schema of the model.
  package var schema: CompiledSchema { content.schema }
  var requiredMembers: [String] { builtIn?.members ?? schema.requiredMembers }
  func names(_ member: String) -> Bool {
    builtIn?.members.contains(member) ?? schema.members.contains(member)
  }

  /// The schema with all documents that it refers to, under their identifiers.
  var documents: JSONTree { content.documents }

  /// All values in the schema and in the documents that it refers to, each schema among them.
  package var schemaParts: [JSONTree] {
    var parts: [JSONTree] = []
    var waiting = [documents]
    while let tree = waiting.popLast() {
      parts.append(tree)
      waiting += (tree.list ?? []) + (tree.members ?? []).map(\.1)
    }
    return parts
  }

  /// The members that values may have anywhere; nil if an object may have members that are not named.
  package var onlyNames: Set<CodePointString>? {
    var names: Set<CodePointString> = []
    for part in schemaParts {
      let members = part["properties"]?.members ?? []
      let isClosed = ["additionalProperties", "unevaluatedProperties"].contains {
        part[$0] == .boolean(false)
      }
      if part["patternProperties"] != nil || !members.isEmpty && !isClosed { return nil }
      names.formUnion(members.map { CodePointString($0.0) })
    }
    return names
  }

  /// How dates, data and names are written in JSON.
  package var jsonCoding: JSONCoding { schema.jsonCoding }

  /// The classes that objects may have anywhere.
  package var classNames: Set<String> {
    Set(schemaParts.flatMap { $0["x-class"]?.strings ?? [] })
  }

  var hasArchivedData: Bool { schemaParts.contains { $0["x-archived"] != nil } }

  private typealias Content = (tree: JSONTree, schema: CompiledSchema, documents: JSONTree)

  /// What the program itself knows of the version; nil for the schema of a file.
  private let builtIn: BuiltInVersion?
  private let assertsFormats: Bool
  /// Who may read the schema's file.
  package let permissions: FilePermissions
  /// Held while a built-in schema is compiled: threads may share a version.
  private let lock = Mutex(())
  private var compiled: Content?

  /// `WeatherFeed@v2`.
  package var label: String { family.isEmpty ? name : "\(family)@\(name)" }

  /// Compiles a version.
  ///
  /// - Parameters:
  ///   - tree: its schema.
  ///   - uri: where the schema was found; references are resolved against it unless it has an `$id`.
  ///   - library: where to find schemas that it refers to.
  ///   - assertsFormats: whether `format` is an assertion.
  /// - Throws: `ArchiveError` if the schema is invalid.
  package init(
    family: String, name: String, tree: JSONTree, uri: String,
    library: SchemaLibrary = SchemaLibrary(), assertsFormats: Bool = false,
    permissions: FilePermissions = .any
  ) throws(ArchiveError) {
    self.permissions = permissions
    self.family = family
    self.name = name
    self.assertsFormats = assertsFormats
    builtIn = nil
    archive = try ArchiveRule(tree["x-archive"], isNeeded: !family.isEmpty)
    compiled = try Self.compile(tree, archive, uri: uri, library, assertsFormats)
  }

  /// Makes a built-in version, whose schema is compiled when it is first needed: few runs need more than one or two.
  init(family: String, name: String, builtIn: BuiltInVersion, assertsFormats: Bool) {
    self.family = family
    self.name = name
    self.assertsFormats = assertsFormats
    permissions = .any
    self.builtIn = builtIn
    archive = builtIn.archive
  }

  private static func compile(
    _ tree: JSONTree, _ archive: ArchiveRule, uri: String, _ library: SchemaLibrary,
    _ assertsFormats: Bool
  ) throws(ArchiveError) -> Content {
    let store = SchemaStore(library: library)
    let resource = try store.add(tree, uri: uri)
    let schema = try SchemaCompiler.compile(
      resource: resource, of: store, in: archive,
      jsonCoding: JSONCoding(archive: tree["x-archive"]), assertsFormats: assertsFormats)
    return (tree, schema, store.joined(tree))
  }

  private var content: Content {
    lock.withLock { _ in
      if compiled == nil, let builtIn, let tree = try? JSONTree(json: builtIn.json) {
        compiled = try? Self.compile(tree, archive, uri: "", SchemaLibrary(), assertsFormats)
      }
    }
    // No input leads here: the schemas are part of the program, and its tests compile each.
    guard let compiled else { fatalError("the built-in schema \(label) is invalid") }
    return compiled
  }

  /// Reads a single schema file.
  ///
  /// - Throws: `ArchiveError` that names the file if it cannot be read or the schema is invalid.
  package convenience init(
    file path: String, library: SchemaLibrary, assertsFormats: Bool = false
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try self.init(
        family: "", name: Self.name(ofFile: path), tree: SchemaLibrary.read(path),
        uri: SchemaLibrary.uri(ofFile: path), library: library, assertsFormats: assertsFormats,
        permissions: FilePermissions(of: path))
    } catch {
      throw error.inFile(path)
    }
  }

  /// The last name in a path, but the whole path of a descriptor, which a shell makes of `<(…)`.
  private static func name(ofFile path: String) -> String {
    if path.hasPrefix("/dev/fd/") { return path }
    return path.split(separator: "/").last.map(String.init) ?? path
  }
}

// MARK: - The model of a version in an archive: for JSON, the values that JSONDecoder would decode

extension SchemaVersion {
  /// A model as this version decodes it: dates and data in JSON become values of those types.
  ///
  /// - Parameter model: a model whose envelope was removed.
  package func model(_ model: UnwrappedModel, in graph: ObjectGraph) -> UnwrappedModel {
    guard model.envelope == .json, envelope == .json, schema.hasOwnJSONForm else { return model }
    return model.replacingRoot(
      JSONDecodedModel.root(
        of: model.root, in: graph, shape: schema, coding: schema.jsonCoding))
  }

  /// The names that this version uses for the members of a model in JSON.
  func memberNames(_ names: Set<String>) -> Set<String> {
    guard envelope == .json, schema.jsonCoding.hasSnakeCaseKeys else { return names }
    return Set(
      names.map { name in
        let camel = JSONCoding.camelCase(name)
        return schema.members.contains(camel) ? camel : name
      })
  }
}

// MARK: - Validating archives and models against a version

/// The result of validating a value against a schema, or an archive against the versions of a catalog.
package struct ValidationOutcome {
  /// How many violations get a message by default.
  package static let usualViolations = 10_000

  /// The version that an archive was validated against; nil if none fits.
  package fileprivate(set) var version: SchemaVersion?
  /// The root of the model in the archive; nil if no version fits.
  package fileprivate(set) var model: Node?
  /// The violations with a message, up to the requested number.
  package let violations: [Diagnostic]
  /// How many violations there are.
  package let violationCount: Int
  /// Warnings about values that fit, but not the class that decodes them, and about deprecated values.
  package let warnings: [Diagnostic]
  /// Why the version was chosen, or why none was; nil if it was specified.
  package fileprivate(set) var reason: String?
  /// What may help if no version fits: which one is nearest, unless it is far; nil if nothing does.
  package fileprivate(set) var hint: String?

  init(_ violations: [Diagnostic], count: Int? = nil, warnings: [Diagnostic] = []) {
    self.violations = violations
    violationCount = count ?? violations.count
    self.warnings = warnings
  }
}

extension SchemaVersion {
  /// Validates an archive against this version.
  ///
  /// - Parameters:
  ///   - graph: the archive.
  ///   - family: the family of the version, for its error payloads.
  /// - Returns: every violation; empty if the archive fits.
  /// - Throws: `ArchiveError` with code `limit` if the model is too large to be walked.
  package func validate(
    _ graph: ObjectGraph, family: SchemaFamily? = nil
  ) throws(ArchiveError) -> [Diagnostic] {
    try examine(graph.unwrapModel(), in: graph, family: family).violations
  }

  /// Validates an archive against this version, and warns about values that fit but that its class could not decode.
  ///
  /// - Parameters:
  ///   - model: the archive without its envelope; nil if it has none.
  ///   - mostViolations: how many violations get a message; all are counted.
  /// - Throws: as `validate(_:family:)`.
  package func examine(
    _ model: UnwrappedModel?, in graph: ObjectGraph, family: SchemaFamily? = nil,
    mostViolations: Int = ValidationOutcome.usualViolations
  ) throws(ArchiveError) -> ValidationOutcome {
    guard envelope != nil else {
      // If the schema does not specify an envelope, the model is the entire input.
      return try examine(
        model?.root ?? graph.root, in: graph, family: family, mostViolations: mostViolations)
    }
    let found = ValidationReport.text(of: graph.value(of: graph.root), in: graph)
    let isEmpty = model.map { isEmptyList($0, in: graph) } ?? false
    if let mismatch = archive.mismatch(model, found: found, isEmptyList: isEmpty) {
      let root = model?.envelope == envelope ? model?.root : nil
      return ValidationOutcome([
        Diagnostic(
          rule: "x-archive", message: "expected \(mismatch.expected), found \(mismatch.found)",
          path: GraphPath(), offset: graph.fileOffset(of: root ?? graph.root),
          expectation: Expectation(
            expected: mismatch.expected, found: mismatch.found, keywordLocation: "/x-archive",
            absoluteKeywordLocation: schema.location + "/x-archive"))
      ])
    }
    guard let model else { return ValidationOutcome([]) }
    return try examine(
      self.model(model, in: graph).root, in: graph, family: family,
      mostViolations: mostViolations)
  }

  /// Validates a model value.
  package func validate(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily? = nil
  ) throws(ArchiveError) -> [Diagnostic] {
    try examine(model, in: graph, family: family).violations
  }

  /// Validates a model value, and warns about values that fit but that its class could not decode.
  package func examine(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily? = nil,
    mostViolations: Int = ValidationOutcome.usualViolations
  ) throws(ArchiveError) -> ValidationOutcome {
    var validator = Validator(
      graph, schema, errorPayloads: family?.errorPayloads ?? [], mostViolations: mostViolations)
    try validator.run(model)
    var violations = validator.report.log.violations
    if envelope != nil, !allowsList, case .array = graph.value(of: model) {
      for index in violations.indices
      where violations[index].rule == "type" && violations[index].path?.steps.isEmpty == true {
        violations[index].message += "; for a list of models x-archive needs \"list\": true"
      }
    }
    return ValidationOutcome(
      violations, count: validator.report.log.total, warnings: validator.report.warnings)
  }

  /// Whether an archive is an empty list of objects, which may be of any class.
  private func isEmptyList(_ model: UnwrappedModel, in graph: ObjectGraph) -> Bool {
    guard allowsList, envelope == .nscoding, model.envelope == .dictionariable,
      case .array(let elements) = graph.value(of: model.root)
    else { return false }
    return elements.count == 0
  }
}

// MARK: - Validates an archive whose version is specified, or has to be detected

/// Validates archives against the versions of a catalog.
package struct Validation {
  private let catalog: SchemaCatalog
  private let family: SchemaFamily?
  private let version: SchemaVersion?

  private let mostViolations: Int

  /// Makes a validation.
  ///
  /// - Parameters:
  ///   - catalog: the families to try.
  ///   - family: the only family to try; nil for all.
  ///   - version: the only version of that family to try; nil for all.
  ///   - mostViolations: how many violations of an archive get a message; all are counted.
  package init(
    catalog: SchemaCatalog, family: SchemaFamily?, version: SchemaVersion?,
    mostViolations: Int = ValidationOutcome.usualViolations
  ) {
    self.mostViolations = mostViolations
    self.catalog = catalog
    self.family = family
    self.version = version
  }

  /// Validates an archive.
  ///
  /// - Throws: `ArchiveError` if the root's data begins as a property list but is not valid.
  package func run(_ graph: ObjectGraph) throws(ArchiveError) -> ValidationOutcome {
    if let error = graph.contentError(of: graph.root) { throw error.at(path: GraphPath()) }
    let model = graph.unwrapModel()
    if let version {
      var found = try version.examine(
        model, in: graph, family: family, mostViolations: mostViolations)
      (found.version, found.model) = (version, model?.root)
      return found
    }
    guard let model, let detection = catalog.detect(model, in: graph, family: family) else {
      return nothingFits(model, in: graph)
    }
    var found = try detection.version.examine(
      detection.model.root, in: graph, family: detection.family, mostViolations: mostViolations)
    (found.version, found.model) = (detection.version, model.root)
    found.reason = detection.candidate.reason
    return found
  }

  /// Whether an archive of no version is invalid: one family was to be tried.
  package var isForOneFamily: Bool { family != nil }

  /// The result for an archive that no version fits, and which one is nearest.
  private func nothingFits(
    _ model: UnwrappedModel?, in graph: ObjectGraph
  ) -> ValidationOutcome {
    let described = model.map { "envelope \($0.envelope.rawValue)" } ?? "no envelope that is known"
    let subject = family.map { "no version of \($0.name)" } ?? "no known schema"
    let nearest = model.flatMap { catalog.nearest(to: $0, in: graph, family: family) }
    var hints =
      nearest.map { ["the nearest is \($0.version.label), which \($0.obstacle(model))"] } ?? []
    // Its top-level keys say little about an archive that is of no family.
    if nearest != nil || family != nil || catalog.families.contains(where: { !$0.isBuiltIn }) {
      hints += [graph.unusualTopLevelKeys].compactMap { $0 }
    }
    var outcome = ValidationOutcome([])
    outcome.hint = hints.isEmpty ? nil : hints.joined(separator: "; ")
    outcome.reason = (["\(subject) fits (\(described))"] + hints).joined(separator: "; ")
    return outcome
  }
}

// MARK: - The rules of a schema for the archive around its model: `x-archive`

/// The envelope that a model must have, and the other rules for the archive.
struct ArchiveRule {
  /// How the model is wrapped; nil if the schema does not specify it.
  let envelope: Envelope?
  /// Patterns of the classes that the root object may have; empty for any.
  let classPatterns: [String]
  /// The top-level key of the model in a keyed archive; nil if the keys are the members of the model.
  let topKey: String?
  /// Whether the root may be a list of models.
  let allowsList: Bool
  /// The Foundation that reads the archives.
  var foundation = FoundationKind.apple

  /// Makes the rule for a model under the usual top-level key.
  init(_ envelope: Envelope, classPatterns: [String], allowsList: Bool) {
    self.envelope = envelope
    self.classPatterns = classPatterns
    self.allowsList = allowsList
    topKey = UnwrappedModel.rootKey
  }

  /// Reads the value of `x-archive`.
  ///
  /// - Parameter isNeeded: whether a schema without it is invalid.
  /// - Throws: `ArchiveError` with code `malformed` and the path of the fault.
  init(_ archive: JSONTree?, isNeeded: Bool) throws(ArchiveError) {
    envelope = try Self.envelope(archive, isNeeded: isNeeded)
    classPatterns = archive?["classes"]?.strings ?? []
    allowsList = archive?["list"]?.boolean ?? false
    if let kind = archive?["foundation"]?.string.flatMap({ FoundationKind(rawValue: $0) }) {
      foundation = kind
    }
    let hasKeys = archive?["keys"]?.boolean ?? false
    topKey = hasKeys ? nil : archive?["key"]?.string ?? UnwrappedModel.rootKey
  }

  /// What was expected and what was found if a model is wrapped differently; nil if it matches.
  ///
  /// - Parameters:
  ///   - found: the text for a value that is not an archive.
  ///   - isEmptyList: whether the model is an empty list of objects, which is valid in every envelope of archives.
  func mismatch(
    _ model: UnwrappedModel?, found: @autoclosure () -> String, isEmptyList: Bool = false
  ) -> (expected: String, found: String)? {
    guard let envelope else { return nil }
    guard let model, model.envelope == envelope || isEmptyList else {
      return (
        "the envelope \(envelope.rawValue)",
        model.map { "the envelope \($0.envelope.rawValue)" } ?? found()
      )
    }
    if !hasTopKey(model) { return (Self.keyText(topKey), Self.keyText(model.topKey)) }
    if let name = model.className, !accepts(name) {
      return (
        "an object of class \(classPatterns.joined(separator: " or "))", "class \(name.display)"
      )
    }
    return nil
  }

  /// Whether a model is the value of the top-level key.
  func hasTopKey(_ model: UnwrappedModel) -> Bool {
    ![.codable, .nscoding, .dictionariable].contains(model.envelope) || topKey == model.topKey
  }

  /// Whether the root object may have a class.
  func accepts(_ name: ClassName) -> Bool {
    classPatterns.isEmpty || classPatterns.contains { name.matches(pattern: $0) }
  }

  private static func keyText(_ key: String?) -> String {
    key.map { "the top-level key \($0)" } ?? "several top-level keys"
  }

  private static func envelope(
    _ archive: JSONTree?, isNeeded: Bool
  ) throws(ArchiveError) -> Envelope? {
    if archive == nil, !isNeeded { return nil }
    guard let text = archive?["envelope"]?.string, let envelope = Envelope(rawValue: text) else {
      let known = Envelope.allCases.map(\.rawValue).joined(separator: ", ")
      throw ArchiveError(
        .malformed, "the schema is wrong: 'x-archive' must name an envelope, one of \(known)",
        path: GraphPath([.key("x-archive")]))
    }
    for (name, value) in archive?.members ?? [] {
      let isRight =
        switch name {
        case "envelope": true
        case "classes": value.differentNames != nil
        case "list": value.boolean != nil
        case "key": value.string?.isEmpty == false
        case "keys": envelope == .json || value.boolean != nil
        case "dates", "data": envelope == .json
        case "foundation": value.string.flatMap { FoundationKind(rawValue: $0) } != nil
        default: false
        }
      guard isRight else {
        throw ArchiveError(
          .malformed,
          "the schema is wrong: 'x-archive' holds 'envelope', 'classes' (different names), 'list' (true or false), 'key' (a name), 'keys' (true or false) and 'foundation' (apple or swift-corelibs), and for json 'dates', 'data' and 'keys'",
          path: GraphPath([.key("x-archive"), .key(name)]))
      }
    }
    return envelope
  }
}

// MARK: - The settings of JSON in `x-archive`

extension JSONCoding {
  /// The settings in `x-archive`; by default those of a new JSONEncoder.
  ///
  /// - Throws: `ArchiveError` that names the invalid member.
  init(archive: JSONTree?) throws(ArchiveError) {
    self.init()
    if let dates = archive?["dates"] {
      guard let known = Self.dates(dates) else {
        throw Self.fault(
          "dates",
          "is reference, iso8601, unix, unixMilliseconds or {\"format\": PATTERN}, a pattern of dates such as \"yyyy-MM-dd HH:mm\""
        )
      }
      self.dates = known
    }
    if let data = archive?["data"], data != .string("base64") {
      throw Self.fault("data", "is base64")
    }
    if let keys = archive?["keys"] {
      guard keys == .string("snake_case") else { throw Self.fault("keys", "is snake_case") }
      hasSnakeCaseKeys = true
    }
  }

  private static func dates(_ tree: JSONTree) -> Dates? {
    switch tree.string {
    case "reference"?: return .number(.reference)
    case "iso8601"?: return .iso8601
    case "unix"?: return .number(.unix)
    case "unixMilliseconds"?: return .number(.unixMilliseconds)
    default:
      guard let members = tree.members, members.count == 1 else { return nil }
      return tree["format"]?.string.flatMap { DatePattern($0) }.map { .format($0) }
    }
  }

  private static func fault(_ name: String, _ message: String) -> ArchiveError {
    ArchiveError(
      .malformed, "the schema is wrong: '\(name)' of 'x-archive' \(message)",
      path: GraphPath([.key("x-archive"), .key(name)]))
  }
}
