// `archtool create`: makes an archive from a service's JSON answer.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface

struct Create: Command {
  static let name = "create"
  static let description = CommandDescription(
    name: name,
    abstract: "make an archive from JSON",
    operands: Operands(name: "FILE", minimum: 1, maximum: 1),
    options: [.targetSchema, .schemaFolders, .output, .fetchedAt, .className, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.targetSchema]), .needs(.force, anyOf: [.output])],
    discussion: """
      FILE is JSON that fits the model of the schema. For WeatherFeed it is the response of the
      weather service to a request for the top cities; members that the model does not have are
      ignored. Text becomes a date (ISO 8601) or data (Base64) where the schema has x-plist-type
      date or data. A member that is null is kept where the schema allows null, and left out
      elsewhere. JSON from dump is accepted, with --typed with its types; the classes are those of
      the schema. Without --output the archive goes to standard output. An existing output file is
      replaced only with --force.
      """,
    examples: [
      "archtool create --schema WeatherFeed@v2 topcities.json -o TopCities":
        "Make the v2 archive TopCities from the response in topcities.json."
    ],
    exits: .writing, meanings: [.answerIsNo: "The JSON does not fit the schema."])

  private let session: Session
  private let creation: ModelCreation

  init(_ session: Session) throws {
    self.session = session
    let catalog = try SchemaSources(session.arguments).catalog()
    let selection = try SchemaSelection(session.arguments.value(of: .targetSchema), in: catalog)
    guard let family = selection.family,
      let version = selection.version ?? selection.family?.versions.last
    else { throw UsageError("'--schema' names a family without versions") }
    try Self.check(session.arguments, version)
    creation = ModelCreation(
      version: version, family: family,
      stamp: session.arguments.value(of: .fetchedAt) ?? MediumDate.now,
      className: session.arguments.value(of: .className))
  }

  /// Rejects options that a version does not use.
  private static func check(
    _ arguments: ParsedArguments, _ version: SchemaVersion
  ) throws(UsageError) {
    if arguments.has(.className), version.envelope != .nscoding {
      throw UsageError(
        "'--class' is for objects of an application's class, which \(version.label) has not")
    }
    if arguments.has(.fetchedAt), version.tree["properties"]?["fetchedAt"] == nil {
      throw UsageError("'--fetched-at' is for the member fetchedAt, which \(version.label) has not")
    }
  }

  func run() throws {
    try session.forEachInput { (input, storage) throws(ArchiveError) in
      switch try creation.run(storage) {
      case .refused(let violations):
        let positions = TextPositions(of: storage.bytes)
        for var violation in violations {
          violation.position = violation.offset.flatMap { positions?.position(at: $0) }
          session.printProblem(violation.line(file: input.name))
        }
        session.merge(.answerIsNo)
      case .made(let bytes):
        let destination = OutputDestination(of: session.arguments)
        try session.write(to: destination) { (output) throws(ArchiveError) in
          output.bytes.append(bytes.bytes)
        }
        if destination != .standardOutput {
          session.printNote("\(destination.name): made \(creation.version.label)")
        }
      }
    }
  }
}

extension OptionDescription {
  static let targetSchema = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Make an archive of this family and version. The default is the newest version.")

  static let fetchedAt = text(
    "fetched-at", valueName: "TEXT",
    help: """
      Set the time when the answer was fetched. TEXT is written as it is; the default is \
      now.
      """)
}
