// One version of a family: an envelope and a schema of the model in it.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import Synchronization

/// One version of a family, or a single schema without a family.
public final class SchemaVersion {
  /// The family's name; empty for a single schema.
  public let family: String
  /// The version's name: `v1`; for a single schema, the file's name.
  public let name: String
  /// The rules for the archive around the model.
  let archive: ArchiveRule
  /// How the model is wrapped; nil if the schema does not specify it, so that any envelope is valid.
  public var envelope: Envelope? { archive.envelope }
  /// Patterns of the classes that the root object may have; empty for any.
  public var classPatterns: [String] { archive.classPatterns }
  /// The top-level key of the model in a keyed archive; nil if the keys are the members of the model.
  public var topKey: String? { archive.topKey }
  /// Whether the root may be a list of models.
  public var allowsList: Bool { archive.allowsList }
  /// The schema as written.
  public var tree: JSONTree { content.tree }
  /// The schema of the model.
  public var schema: CompiledSchema { content.schema }
  /// The members that a model must have.
  var requiredMembers: [String] { builtIn?.members ?? schema.requiredMembers }
  /// Whether the schema names a member.
  func names(_ member: String) -> Bool {
    builtIn?.members.contains(member) ?? schema.members.contains(member)
  }

  /// The schema with all documents that it refers to, under their identifiers.
  var documents: JSONTree { content.documents }

  /// All values in the schema and in the documents that it refers to, each schema among them.
  var schemaParts: [JSONTree] {
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

  /// Whether data values hold archives.
  var hasArchivedData: Bool { schemaParts.contains { $0["x-archived"] != nil } }

  private typealias Content = (tree: JSONTree, schema: CompiledSchema, documents: JSONTree)

  /// What the program itself knows of the version; nil for the schema of a file.
  private let builtIn: BuiltInVersion?
  private let options: Options
  /// Who may read the schema's file.
  public let permissions: FilePermissions
  /// Held while a built-in schema is compiled: threads may share a version.
  private let lock = Mutex(())
  private var compiled: Content?

  /// `WeatherFeed@v2`.
  public var label: String { family.isEmpty ? name : "\(family)@\(name)" }

  /// How schemas are interpreted.
  public struct Options: Sendable {
    /// Whether `format` is an assertion.
    public var assertsFormats: Bool

    /// Makes the options.
    public init(assertsFormats: Bool = false) { self.assertsFormats = assertsFormats }
  }

  /// Compiles a version.
  ///
  /// - Parameters:
  ///   - tree: its schema.
  ///   - uri: where the schema was found; references are resolved against it unless it has an `$id`.
  ///   - library: where to find schemas that it refers to.
  /// - Throws: `ArchiveError` if the schema is invalid.
  public init(
    family: String, name: String, tree: JSONTree, uri: String,
    library: SchemaLibrary = SchemaLibrary(), options: Options = Options(),
    permissions: FilePermissions = .any
  ) throws(ArchiveError) {
    self.permissions = permissions
    self.family = family
    self.name = name
    self.options = options
    builtIn = nil
    archive = try ArchiveRule(tree["x-archive"], isNeeded: !family.isEmpty)
    compiled = try Self.compile(tree, archive, uri: uri, library, options)
  }

  /// Makes a built-in version, whose schema is compiled when it is first needed: few runs need more than one or two.
  init(family: String, name: String, builtIn: BuiltInVersion, options: Options) {
    self.family = family
    self.name = name
    self.options = options
    permissions = .any
    self.builtIn = builtIn
    archive = builtIn.archive
  }

  private static func compile(
    _ tree: JSONTree, _ archive: ArchiveRule, uri: String, _ library: SchemaLibrary,
    _ options: Options
  ) throws(ArchiveError) -> Content {
    let store = SchemaStore(library: library)
    let resource = try store.add(tree, uri: uri)
    let schema = try SchemaCompiler.compile(
      resource: resource, of: store,
      options: SchemaCompiler.Options(
        assertsFormats: options.assertsFormats, allowsList: archive.allowsList,
        jsonCoding: try JSONCoding(archive: tree["x-archive"]), foundation: archive.foundation))
    return (tree, schema, store.joined(tree))
  }

  private var content: Content {
    lock.withLock { _ in
      if compiled == nil { compiled = compileBuiltIn() }
    }
    // No input leads here: the schemas are part of the program, and its tests compile each.
    guard let compiled else { fatalError("the built-in schema \(label) is invalid") }
    return compiled
  }

  private func compileBuiltIn() -> Content? {
    guard let builtIn, let tree = try? JSONTree(json: builtIn.json) else { return nil }
    return try? Self.compile(tree, archive, uri: "", SchemaLibrary(), options)
  }

  /// Reads a single schema file.
  ///
  /// - Throws: `ArchiveError` that names the file if it cannot be read or the schema is invalid.
  public convenience init(
    file path: String, library: SchemaLibrary, options: Options = Options()
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      try self.init(
        family: "", name: Self.name(ofFile: path), tree: SchemaLibrary.read(path),
        uri: SchemaLibrary.uri(ofFile: path), library: library, options: options,
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
  public func model(_ model: UnwrappedModel, in graph: ObjectGraph) -> UnwrappedModel {
    guard model.envelope == .json, envelope == .json, schema.isRespelled else { return model }
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

/// The result of validating a value against a schema.
public struct ValidationOutcome: Sendable {
  /// How many violations get a message by default.
  public static let usualViolations = 10_000

  /// The violations with a message, up to the requested number.
  public let violations: [Diagnostic]
  /// How many violations there are.
  public let violationCount: Int
  /// Warnings about values that fit, but not the class that decodes them, and about deprecated values.
  public let warnings: [Diagnostic]

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
  public func validate(
    _ graph: ObjectGraph, family: SchemaFamily? = nil
  ) throws(ArchiveError) -> [Diagnostic] {
    try examine(graph, family: family).violations
  }

  /// Validates an archive against this version, and warns about values that fit but that its class could not decode.
  ///
  /// - Parameter mostViolations: how many violations get a message; all are counted.
  /// - Throws: as `validate(_:family:)`.
  public func examine(
    _ graph: ObjectGraph, family: SchemaFamily? = nil,
    mostViolations: Int = ValidationOutcome.usualViolations
  ) throws(ArchiveError) -> ValidationOutcome {
    try examine(
      UnwrappedModel(graph), in: graph, family: family, mostViolations: mostViolations)
  }

  /// Examines an archive whose envelope was removed.
  ///
  /// - Parameter model: nil for an archive without an envelope.
  func examine(
    _ model: UnwrappedModel?, in graph: ObjectGraph, family: SchemaFamily?, mostViolations: Int
  ) throws(ArchiveError) -> ValidationOutcome {
    guard envelope != nil else {
      // If the schema does not specify an envelope, the model is the entire input.
      return try examine(
        model?.root ?? graph.root, in: graph, family: family, mostViolations: mostViolations)
    }
    let found = Validator.text(of: graph.value(of: graph.root), in: graph)
    let isEmpty = model.map { isEmptyList($0, in: graph) } ?? false
    if let mismatch = archive.mismatch(model, found: found, isEmptyList: isEmpty) {
      let isWrapped = model?.envelope == envelope
      return ValidationOutcome([
        archiveViolation(mismatch, (isWrapped ? model?.root : nil) ?? graph.root, graph)
      ])
    }
    guard let model else { return ValidationOutcome([]) }
    return try examine(
      self.model(model, in: graph).root, in: graph, family: family,
      mostViolations: mostViolations)
  }

  /// Validates a model value.
  public func validate(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily? = nil
  ) throws(ArchiveError) -> [Diagnostic] {
    try examine(model, in: graph, family: family).violations
  }

  /// Validates a model value, and warns about values that fit but that its class could not decode.
  public func examine(
    _ model: Node, in graph: ObjectGraph, family: SchemaFamily? = nil,
    mostViolations: Int = ValidationOutcome.usualViolations
  ) throws(ArchiveError) -> ValidationOutcome {
    var validator = Validator(
      graph, schema, errorPayloads: family?.errorPayloads ?? [], mostViolations: mostViolations)
    try validator.run(model)
    var violations = validator.log.violations
    if envelope != nil, !allowsList, case .array = graph.value(of: model) {
      for index in violations.indices
      where violations[index].rule == "type" && violations[index].path?.steps.isEmpty == true {
        violations[index].message += "; for a list of models x-archive needs \"list\": true"
      }
    }
    return ValidationOutcome(
      violations, count: validator.log.total, warnings: validator.warnings)
  }

  /// Whether an archive is an empty list of objects, which may be of any class.
  private func isEmptyList(_ model: UnwrappedModel, in graph: ObjectGraph) -> Bool {
    guard allowsList, envelope == .nscoding, model.envelope == .dictionariable,
      case .array(let elements) = graph.value(of: model.root)
    else { return false }
    return elements.count == 0
  }

  private func archiveViolation(
    _ mismatch: (expected: String, found: String), _ node: Node, _ graph: ObjectGraph
  ) -> Diagnostic {
    Diagnostic(
      rule: "x-archive", message: "expected \(mismatch.expected), found \(mismatch.found)",
      path: GraphPath(), offset: graph.fileOffset(of: node),
      expectation: Expectation(
        expected: mismatch.expected, found: mismatch.found, keywordLocation: "/x-archive",
        absoluteKeywordLocation: schema.location + "/x-archive"))
  }
}
