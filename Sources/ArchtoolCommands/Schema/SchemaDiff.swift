// `archtool schema diff`: shows the changes between two schemas, and whether they are compatible.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveRendering
import ArchiveSchemas
import CommandLineInterface

struct SchemaDiff: Command {
  static let name = "schema diff"
  static let description = CommandDescription(
    name: name,
    abstract: "show what changed between schemas and whether it is compatible",
    operands: Operands(name: "SCHEMA", minimum: 2, maximum: 2),
    options: [.comparedFamily, .models, .compatibility, .notes, .schemaFolders, .reportFormat],
    commonOptions: [.color, .noPager, .quiet, .help],
    discussion: """
      A SCHEMA is NAME@VERSION or a file; with --family it is a version only. The first is the old
      one. A change is backward compatible if everything that fits the old schema fits the new one,
      so that new readers can read old data; forward compatible if everything that fits the new
      schema fits the old one; and fully compatible if both hold. Whether everything fits is tried
      with 1,000 generated values of each schema, near the limits of both: a value that does not fit
      is shown, and a verdict without one says that none was found. Readers of one envelope cannot
      open another, so versions with different envelopes are not compatible; --models ignores
      envelopes.
      """,
    examples: [
      "archtool schema diff --family WeatherFeed v1 v2": "Compare the versions of WeatherFeed.",
      "archtool schema diff --compatibility backward old.json new.json":
        "Fail if data that fits old.json might not fit new.json.",
    ],
    exits: [.undecodable, .cannotOpen],
    meanings: [
      .done: "Nothing changed, or the change is compatible as required.",
      .answerIsNo: "The schemas differ, or the change is not compatible as required.",
    ])

  private let session: Session
  private let old: SchemaVersion
  private let new: SchemaVersion

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    // Formats are assertions: a reader may rely on them.
    let sources = SchemaSources(arguments, assertsFormats: true)
    if let name = arguments.value(of: .comparedFamily) {
      let family = try SchemaSelection.family(name, in: try sources.catalog())
      old = try SchemaSelection.version(arguments.operands[0], of: family)
      new = try SchemaSelection.version(arguments.operands[1], of: family)
    } else {
      old = try sources.version(arguments.operands[0])
      try SchemaComparison.requireComparable(old)
      new = try sources.version(arguments.operands[1])
    }
  }

  func run() throws {
    let arguments = session.arguments
    let comparison = try SchemaComparison(
      old: old, new: new, includesNotes: arguments.has(.notes),
      options: SchemaComparison.Options(comparesArchives: !arguments.has(.models)))
    if arguments.reportsJSON {
      try comparison.tree(old: old.label, new: new.label).write(to: &session.output)
    } else {
      session.output.bytes.append(comparison.text(old: old.label, new: new.label))
    }
    session.merge(isAsRequested(comparison) ? .done : .answerIsNo)
  }

  /// Whether the comparison has the requested result: compatible in the chosen sense, or without changes.
  private func isAsRequested(_ comparison: SchemaComparison) -> Bool {
    switch session.arguments.value(of: .compatibility) {
    case "backward": comparison.verdict == .full || comparison.verdict == .backward
    case "forward": comparison.verdict == .full || comparison.verdict == .forward
    case "full": comparison.verdict == .full
    default: comparison.changes.isEmpty
    }
  }
}

extension OptionDescription {
  static let comparedFamily = text(
    "family", valueName: "NAME", help: "Treat the operands as versions of family NAME.")

  static let compatibility = choice(
    "compatibility", valueName: "KIND", of: ["backward", "forward", "full"], hasDefault: false,
    help: """
      Exit with 1 unless the change is compatible. KIND is the direction in which it must \
      be.
      """)

  static let models = flag(
    "models", help: "Compare the models and ignore the envelopes.")

  static let notes = flag(
    "notes", help: "Also list changes of titles and descriptions.")
}
