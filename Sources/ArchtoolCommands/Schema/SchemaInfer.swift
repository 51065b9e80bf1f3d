// `archtool schema infer`: derives a schema from example archives.

import ArchiveBasics
import ArchiveBatches
import ArchivePropertyLists
import ArchiveSchemas
import CommandLineInterface
import KeyedArchives

struct SchemaInfer: Command {
  static let name = "schema infer"
  static let description = CommandDescription(
    name: name,
    abstract: "make a schema from example archives",
    operands: .files,
    options: [
      .inferredFamily, .inferredVersion, .title, .familyDirectory, .open, .ranges, .noEnums,
      .noFormats, .output, .force, .json5,
    ],
    commonOptions: OptionDescription.common,
    rules: [
      .needs(.inferredFamily, anyOf: [.inferredVersion]),
      .needs(.inferredVersion, anyOf: [.inferredFamily]),
      .needs(.familyDirectory, anyOf: [.inferredFamily]),
      .exclusive([.output, .inferredFamily]),
      .needs(.force, anyOf: [.output, .inferredFamily]),
    ],
    discussion: """
      The schema fits every example: it has their types, requires the members that all of them have,
      lists the strings where few different ones occur, and names the format where all strings have
      one. The examples must have one envelope. The schema is a starting point: review it.

      With --family and --version it becomes a version of a family in the folder of that name, which
      is created if necessary. An existing version is replaced only with --force.
      """,
    examples: [
      "archtool schema infer --family Recipe --version v1 Recipes/*":
        "Make the family Recipe from the archives in the folder Recipes."
    ],
    exits: .writing, meanings: [.answerIsNo: "The examples have different envelopes."])

  private let session: Session
  private var inference: SchemaInference

  init(_ session: Session) {
    self.session = session
    let arguments = session.arguments
    var options = SchemaInference.Options()
    options.isOpen = arguments.has(.open)
    options.hasRanges = arguments.has(.ranges)
    if arguments.has(.noEnums) { options.enumValues = 0 }
    if !arguments.has(.noFormats) { options.formats = SchemaInference.Options.usualFormats }
    inference = SchemaInference(options: options)
  }

  func run() throws {
    var inference = inference
    try session.forEachInput { (input, storage) throws(ArchiveError) in
      let graph = try session.arguments.reader().read(storage)
      do throws(ArchiveError) {
        try inference.add(graph)
      } catch {
        guard error.code == .mismatch else { throw error }
        session.printError(error.line(file: input.name))
        session.merge(.answerIsNo)
      }
    }
    // A schema derived from some of the examples might not fit the others.
    guard session.status == .done else { return }
    guard inference.exampleCount > 0 else {
      throw ArchiveError(.cannotOpen, "a schema needs at least one example")
    }
    let arguments = session.arguments
    let family = arguments.value(of: .inferredFamily)
    let version = arguments.value(of: .inferredVersion)
    let tree = try inference.schema(
      family: family ?? "Model", version: version ?? "v1", title: arguments.value(of: .title))
    guard let family, let version else {
      return try session.write(to: OutputDestination(of: arguments)) {
        output throws(ArchiveError) in
        try tree.write(to: &output)
      }
    }
    let folder = arguments.value(of: .familyDirectory) ?? "."
    do throws(ArchiveError) {
      try FamilyWriter(folder: folder, allowing: session.streams.sources.bound).write(
        tree, family: family, version: version, title: arguments.value(of: .title),
        replacing: arguments.has(.force))
    } catch {
      // An invalid name is an error in the command line.
      if error.code == .outOfRange { throw UsageError(error.message) }
      throw error
    }
    session.printNote(
      "\(folder == "." ? "" : folder + "/")\(family): wrote \(family)@\(version) from \(Counted.text(inference.exampleCount, "example"))"
    )
  }
}

extension OptionDescription {
  static let inferredFamily = text(
    "family", valueName: "NAME",
    help: """
      Write the schema as a version of family NAME. It goes into a folder of that name.
      """)

  static let inferredVersion = text(
    "version", valueName: "NAME", completedFrom: .nothing,
    help: "Name the version NAME, such as v1.")

  static let title = text(
    "title", valueName: "TEXT", help: "Set the schema's title to TEXT.")

  static let familyDirectory = text(
    "output-dir", valueName: "DIR",
    help: """
      Write the family's folder into the folder DIR. The default is the current folder.
      """)

  static let open = flag(
    "open", help: "Allow members that no example has.")

  static let ranges = flag(
    "ranges",
    help: """
      Use the smallest and largest values as limits. This covers numbers, lengths and \
      counts.
      """)

  static let noEnums = flag(
    "no-enums",
    help: """
      Allow any string where few different ones occur. Otherwise those few are the only ones \
      allowed.
      """)

  static let noFormats = flag(
    "no-formats", help: "Do not infer the formats of strings.")
}
