// `archtool schema swift`: generates Codable types for a schema.

import ArchiveBasics
import ArchiveSchemas
import CommandLineInterface

struct SchemaSwift: Command {
  static let name = "schema swift"
  static let description = CommandDescription(
    name: name,
    abstract: "write Codable types for a schema",
    operands: Operands(name: "SCHEMA", minimum: 1, maximum: 1),
    options: [.typeName, .schemaFolders, .output, .force],
    commonOptions: [.quiet, .help],
    rules: [.needs(.force, anyOf: [.output])],
    discussion: """
      A SCHEMA is NAME@VERSION or a file. Members that are not Swift identifiers get coding keys,
      members that are not required are optional, and dates and data have the types that they have
      in a property list.
      """,
    examples: [
      "archtool schema swift WeatherFeed@v2 -o WeatherFeed.swift":
        "Write structs that decode the second version of WeatherFeed."
    ],
    exits: [.done, .undecodable, .cannotOpen, .cannotCreate])

  private let session: Session
  private let version: SchemaVersion

  init(_ session: Session) throws {
    self.session = session
    version = try SchemaSources(session.arguments).version(session.arguments.operands[0])
  }

  func run() throws {
    let name = session.arguments.value(of: .typeName) ?? defaultName
    let source = try ArchiveError.inFile(session.arguments.operands[0]) {
      () throws(ArchiveError) in
      try SwiftSource(schema: version.tree, typeName: name).source()
    }
    session.streams.sources.add(version.permissions)
    try session.write(result: source)
  }

  /// The family's name, or that of the schema file up to its first dot.
  private var defaultName: String {
    version.family.isEmpty ? String(version.name.prefix { $0 != "." }) : version.family
  }
}

extension OptionDescription {
  static let typeName = text(
    "type", valueName: "NAME",
    completedFrom: .nothing,
    help: "Name the outermost type NAME. The default is the family's name.")
}
