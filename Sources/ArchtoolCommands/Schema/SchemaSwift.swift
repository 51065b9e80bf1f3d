// `archtool schema swift`: generates Codable types for a schema, and code that reads every version of a family.

import ArchiveBasics
import ArchiveMigrations
import ArchiveSchemas
import CommandLineInterface

struct SchemaSwift: Command {
  static let name = "schema swift"
  static let description = CommandDescription(
    name: name,
    abstract: "write Codable types for a schema",
    operands: Operands(name: "SCHEMA", minimum: 1, maximum: 1),
    options: [
      .typeName, .migrating, .testsFolder, .module, .schemaFolders, .output, .force,
    ],
    commonOptions: [.quiet, .help],
    rules: [
      .needs(.force, anyOf: [.output, .testsFolder]), .needs(.testsFolder, anyOf: [.migrating]),
      .needs(.module, anyOf: [.testsFolder]),
    ],
    discussion: """
      A SCHEMA is NAME@VERSION or a file. Members that are not Swift identifiers get coding keys,
      members that are not required are optional, and dates and data have the types that they have
      in a property list. URLs, UUIDs, decimal numbers and sets have their own types.

      With --migrating the SCHEMA is a family or its newest version, and the file also reads the
      archives of every version: load(from:) recognizes the version of an archive and applies the
      lenses, archive() writes the newest version. It needs Foundation alone, and names the path of
      what does not fit. Values that a migration drops are not kept. What Swift code cannot do is
      refused. An archive inside an archive is migrated by the file of its own family.

      With --tests a folder gets tests for Swift Testing and their fixtures: the family's samples
      and generated archives of each version, with what migrate makes of them.
      """,
    examples: [
      "archtool schema swift --migrating Movie -o Movie.swift":
        "Write a type that loads the archives of every version of Movie.",
      "archtool schema swift --migrating Movie --tests Tests -o Movies.swift":
        "Also write tests that hold it to what migrate does.",
      "archtool schema swift WeatherFeed@v2 -o WeatherFeed.swift":
        "Write structs that decode the second version of WeatherFeed.",
    ],
    exits: [.done, .undecodable, .cannotOpen, .cannotCreate])

  private let session: Session
  private let version: SchemaVersion
  /// The family whose versions the code reads; nil to write the types alone.
  private let family: SchemaFamily?
  /// The families whose archives its lenses may enter.
  private var families: [SchemaFamily] = []

  init(_ session: Session) throws {
    self.session = session
    let operand = session.arguments.operands[0]
    let sources = SchemaSources(session.arguments)
    guard session.arguments.has(.migrating) else {
      family = nil
      version = try sources.version(operand)
      return
    }
    let catalog = try sources.catalog()
    let selection = try SchemaSelection(operand, in: catalog)
    guard let family = selection.family, let newest = family.versions.last else {
      throw UsageError("'--migrating' needs a family with versions")
    }
    if let version = selection.version, version.name != newest.name {
      throw UsageError("'--migrating' leads to the newest version, \(newest.label)")
    }
    self.family = family
    version = newest
    families = catalog.families
  }

  func run() throws {
    let name = session.arguments.value(of: .typeName) ?? defaultName
    let tests = session.arguments.value(of: .testsFolder)
    let source = try ArchiveError.inFile(session.arguments.operands[0]) {
      () throws(ArchiveError) in
      guard let family else {
        return try SwiftSource(schema: version.tree, typeName: name).source()
      }
      return try MigratingSource(
        of: family, FamilyLenses(of: family), typeName: name, families: families
      ).source()
    }
    session.streams.sources.add(version.permissions)
    try session.write(result: source)
    if let tests, let family { try writeTests(of: family, name, to: tests) }
  }

  private func writeTests(of family: SchemaFamily, _ name: String, to folder: String) throws {
    let module = session.arguments.value(of: .module) ?? name
    let tests = MigratingTests(
      of: family, in: try SchemaSources(session.arguments).catalog(), typeName: name,
      module: module)
    let fixtures = try tests.fixtures()
    guard !fixtures.isEmpty else {
      throw ArchiveError(.mismatch, "no archive of \(family.name) could be generated")
    }
    let existing: AtomicFile.Existing = session.arguments.has(.force) ? .replace : .refuse
    for fixture in fixtures {
      for (part, storage) in [("Archives", fixture.archive), ("Expected", fixture.expected)] {
        let path = "\(folder)/Fixtures/\(part)/\(fixture.name)"
        try AtomicFile.makeFolder(AtomicFile.folder(of: path), allowing: fixture.permissions)
        try AtomicFile.write(
          storage.bytes, to: path, existing: existing, allowing: fixture.permissions)
      }
    }
    let source = ByteStorage(copying: Array(tests.source(of: fixtures).utf8))
    try AtomicFile.write(
      source.bytes, to: "\(folder)/\(tests.fileName)", existing: existing,
      allowing: version.permissions)
    session.printNote(
      "\(folder): wrote tests with \(Counted.text(fixtures.count, "archive")) of \(family.name)")
  }

  /// The family's name, or that of the schema file up to its first dot.
  private var defaultName: String {
    version.family.isEmpty ? String(version.name.prefix { $0 != "." }) : version.family
  }
}

extension OptionDescription {
  static let migrating = flag(
    "migrating", help: "Read archives of every version.")

  static let testsFolder = text(
    "tests", valueName: "DIR",
    help: "Write tests and their archives into the folder DIR.")

  static let module = text(
    "module", valueName: "NAME",
    completedFrom: .nothing,
    help: "Name the module that tests import. The default is the type's name.")

  static let typeName = text(
    "type", valueName: "NAME",
    completedFrom: .nothing,
    help: "Name the outermost type NAME. The default is the family's name.")
}
