// `archtool schema show`: shows a schema as written, or the meta-schema.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import CommandLineInterface

struct SchemaShow: Command {
  static let name = "schema show"
  static let description = CommandDescription(
    name: name,
    abstract: "show a schema or the meta-schema",
    operands: Operands(name: "NAME@VERSION", minimum: 0, maximum: 1),
    options: [.meta, .schemaFolders, .output, .force],
    commonOptions: [.noPager, .quiet, .help],
    rules: [.needs(.force, anyOf: [.output]), .exclusive([.meta, .schemaFolders])],
    discussion: """
      The meta-schema is JSON Schema 2020-12 with the keywords x-plist-type and x-archive of
      archtool. With it, editors can complete and check schema files; its $defs/family describes
      family.json.
      """,
    examples: [
      "archtool schema show WeatherFeed@v2":
        "Show the schema of the second version of WeatherFeed."
    ],
    exits: [.done, .undecodable, .cannotOpen, .cannotCreate])

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    guard arguments.has(.meta) != (arguments.operands.count == 1) else {
      throw UsageError(
        "schema show needs either NAME@VERSION or '--meta'", command: arguments.command.name)
    }
    let destination = OutputDestination(of: arguments)
    if arguments.has(.meta) {
      return try session.write(to: destination) { output throws(ArchiveError) in
        MetaSchemas.archtool.withByteView { output.bytes.append($0) }
      }
    }
    let version = try SchemaSources(arguments).version(arguments.operands[0])
    session.streams.sources.add(version.permissions)
    try session.write(to: destination) { output throws(ArchiveError) in
      try version.tree.write(to: &output)
    }
  }
}
