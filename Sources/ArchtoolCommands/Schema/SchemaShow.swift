// `archtool schema show`: shows a schema as written, the meta-schema, or the schema of what a command prints.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveRendering
import ArchiveSchemas
import CommandLineInterface

struct SchemaShow: Command {
  static let name = "schema show"
  static let description = CommandDescription(
    name: name,
    abstract: "show a schema, the meta-schema or the schema of an output",
    operands: Operands(name: "NAME@VERSION", minimum: 0, maximum: 1),
    options: [.meta, .outputForm, .schemaFolders, .output, .force],
    commonOptions: [.color, .noPager, .quiet, .help],
    rules: [
      .needs(.force, anyOf: [.output]), .exclusive([.meta, .outputForm]),
      .exclusive([.meta, .schemaFolders]), .exclusive([.outputForm, .schemaFolders]),
    ],
    discussion: """
      The meta-schema is JSON Schema 2020-12 with the keywords x-plist-type and x-archive of
      archtool. With it, editors can complete and check schema files; its $defs/family describes
      family.json.

      With --output-form the result is the JSON Schema (2020-12) of what a command prints in JSON.
      FORM is the name of the command, with -lines for each line of its format ndjson.
      """,
    examples: [
      "archtool schema show WeatherFeed@v2":
        "Show the schema of the second version of WeatherFeed.",
      "archtool schema show --output-form classes":
        "Show the JSON Schema of what classes --format json prints.",
    ],
    exits: [.done, .undecodable, .cannotOpen, .cannotCreate])

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    let isOwn = arguments.has(.meta) || arguments.has(.outputForm)
    guard isOwn != (arguments.operands.count == 1) else {
      throw UsageError("schema show needs either NAME@VERSION, '--meta' or '--output-form'")
    }
    if arguments.has(.meta) {
      return try session.write(to: OutputDestination(of: arguments)) {
        output throws(ArchiveError) in
        MetaSchemas.archtool.withByteView { output.bytes.append($0) }
      }
    }
    if let form = arguments.choice(of: .outputForm, as: OutputForm.self) {
      return try session.write(result: form.schema())
    }
    let version = try SchemaSources(arguments).version(arguments.operands[0])
    session.streams.sources.add(version.permissions)
    try session.write(result: version.tree)
  }
}

extension OutputForm: OptionChoice {}

extension OptionDescription {
  static let outputForm = choice(
    "output-form", valueName: "FORM", of: OutputForm.allCases.map { $0.rawValue },
    hasDefault: false, help: "Show the JSON Schema of the output FORM.")
}
