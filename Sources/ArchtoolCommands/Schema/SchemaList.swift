// `archtool schema list`: lists the known families.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface

struct SchemaList: Command {
  static let name = "schema list"
  static let description = CommandDescription(
    name: name,
    abstract: "list the known schema families",
    operands: Operands(name: "NAME", minimum: 0, maximum: nil),
    options: [.schemaFolders, .reportFormat],
    commonOptions: [.color, .noPager, .quiet, .help],
    discussion: """
      Families are found in the folders of --schemas, in those of the environment variable
      ARCHTOOL_SCHEMAS, and in archtool/schemas below XDG_CONFIG_HOME; some are built in. If two
      families have the same name, the first counts. After its versions come the losses that a
      family allows or keeps.
      """,
    examples: [
      "archtool schema list --schemas Schemas":
        "List the families in the folder Schemas and the built-in ones."
    ],
    exits: [.done, .undecodable, .cannotOpen], meanings: [.answerIsNo: "There is no family NAME."])

  private let session: Session
  private let families: [SchemaFamily]

  init(_ session: Session) throws {
    self.session = session
    let catalog = try SchemaSources(session.arguments).catalog()
    let names = session.arguments.operands
    families =
      try names.isEmpty
      ? catalog.families : names.map { try SchemaSelection.family($0, in: catalog) }
  }

  func run() throws {
    if session.arguments.reportsJSON {
      return try JSONTree.list(families.map(Self.tree)).write(to: &session.output)
    }
    for family in families {
      let suffix = family.folder.map { ", \($0)" } ?? ", built in"
      let line = "\(family.name): \(family.title)\(suffix)".escapedLine
      session.output.bytes.append(session.outputStyle.labeling(lines: line) + "\n")
      for version in family.versions {
        let envelope = version.envelope?.rawValue ?? "any"
        session.output.append(escapedLine: "  \(version.label)  \(envelope)")
      }
      for line in family.losses.lines { session.output.append(escapedLine: "  losses \(line)") }
    }
  }

  private static func tree(_ family: SchemaFamily) -> JSONTree {
    .members([
      ("family", .string(family.name)), ("title", .string(family.title)),
      ("folder", family.folder.map { .string($0.shownPath) } ?? .null),
      (
        "versions",
        .list(
          family.versions.map { version in
            .members([
              ("version", .string(version.name)),
              ("envelope", version.envelope.map { .string($0.rawValue) } ?? .null),
              ("schema", .string(version.schema.location)),
            ])
          })
      ),
      ("losses", .list(family.losses.lines.map { .string($0) })),
    ])
  }
}
