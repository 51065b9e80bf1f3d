// `archtool schema infer`: derives a schema from example archives.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct SchemaInfer: Command {
  static let name = "schema infer"
  static let description = CommandDescription(
    name: name,
    abstract: "make a schema from example archives",
    operands: .files,
    options: [
      .at, .inferredFamily, .inferredVersion, .title, .familyDirectory, .open, .ranges, .noEnums,
      .noFormats, .eras, .output, .force, .json5,
    ] + OptionDescription.inputKinds,
    commonOptions: OptionDescription.common,
    rules: [
      .needs(.inferredFamily, anyOf: [.inferredVersion, .eras]),
      .needs(.inferredVersion, anyOf: [.inferredFamily]),
      .needs(.familyDirectory, anyOf: [.inferredFamily]),
      .needs(.eras, anyOf: [.inferredFamily]),
      .exclusive([.inferredVersion, .eras]), .exclusive([.at, .json5]),
      .exclusive([.output, .inferredFamily]),
      .needs(.force, anyOf: [.output, .inferredFamily]),
    ],
    discussion: """
      The schema fits every example: it has their types, requires the members that all of them have,
      lists the strings where few different ones occur, and names the format where all strings have
      one. The examples must have one envelope. The schema is a starting point: review it.

      With --family and --version it becomes a version of a family in the folder of that name, which
      is created if necessary. An existing version is replaced only with --force.

      With --eras the examples may be of several versions. They are distinguished by their archives,
      by members that exclude each other, and by members that came later: objects store what is nil,
      and for other archives the dates of the files count. Each version becomes one of the family,
      oldest first, with the lens to the next as schema lens writes it.
      """,
    examples: [
      "archtool schema infer --family Recipe --version v1 Recipes/*":
        "Make the family Recipe from the archives in the folder Recipes.",
      "archtool schema infer --at '$.feed' --family F --version v1 app":
        "Make the family F from the archive in an application's user defaults.",
    ],
    exits: .writing, meanings: [.answerIsNo: "The examples have different envelopes."])

  private let session: Session
  private let options: SchemaInference.Options
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    var options = SchemaInference.Options()
    options.isOpen = arguments.has(.open)
    options.hasRanges = arguments.has(.ranges)
    if arguments.has(.noEnums) { options.enumValues = 0 }
    if !arguments.has(.noFormats) { options.formats = SchemaInference.Options.usualFormats }
    self.options = options
    dataPath = try Session.dataPath(arguments)
  }

  func run() throws {
    if session.arguments.has(.eras) { return try runEras() }
    var inference = SchemaInference(options: options)
    try forEachExample { (input, storage) throws(ArchiveError) in
      try inference.add(try session.arguments.reader().read(storage))
    }
    // A schema derived from some of the examples might not fit the others.
    guard session.status == .done else { return }
    let arguments = session.arguments
    let family = arguments.value(of: .inferredFamily)
    let version = arguments.value(of: .inferredVersion)
    let tree = try schema(of: inference, family: family ?? "Model", version: version ?? "v1")
    guard let family, let version else {
      return try session.write(result: tree)
    }
    try write(tree, family: family, version: version)
    session.printNote(
      "\(folder(of: family)): wrote \(family)@\(version) from \(Counted.text(inference.exampleCount, "example"))"
    )
  }

  /// Examines each example; one of another envelope is an answer of its own.
  private func forEachExample(
    _ body: (Input, ByteStorage) throws(ArchiveError) -> Void
  ) throws {
    try session.forEachInput { (input, storage) throws(ArchiveError) in
      try input.forEachArchive(
        at: dataPath, in: storage,
        { (input, storage) throws(ArchiveError) in
          do throws(ArchiveError) {
            try body(input, storage)
          } catch {
            guard error.code == .mismatch else { throw error }
            session.printProblem(error.line(file: input.name))
            session.merge(.answerIsNo)
          }
        }, failed: { session.report($1, file: $0.name) })
    }
  }

  private func schema(
    of inference: SchemaInference, family: String, version: String
  ) throws(ArchiveError) -> JSONTree {
    guard inference.exampleCount > 0 else {
      throw ArchiveError(.cannotOpen, "a schema needs at least one example")
    }
    return try inference.schema(
      family: family, version: version, title: session.arguments.value(of: .title))
  }

  private func folder(of family: String) -> String {
    session.arguments.value(of: .familyDirectory).map { "\($0)/\(family)" } ?? family
  }

  private func write(_ tree: JSONTree, family: String, version: String) throws {
    let folder = session.arguments.value(of: .familyDirectory) ?? "."
    try session.write(
      tree, family: family, version: version,
      by: FamilyWriter(folder: folder, allowing: session.streams.sources.bound))
  }

  // MARK: Several versions

  private func runEras() throws {
    var search = EraSearch(options: options)
    var count = 0
    try forEachExample { (input, storage) throws(ArchiveError) in
      let written = FileStatus(of: input.path)?.modification
      try search.add(
        session.arguments.reader().read(storage), named: input.name,
        written: Double(written?.tv_sec ?? 0))
      count += 1
    }
    guard session.status == .done else { return }
    let family = session.arguments.value(of: .inferredFamily) ?? "Model"
    if count == 0 { throw ArchiveError(.cannotOpen, "a schema needs at least one example") }
    var versions: [(version: SchemaVersion, samples: [LensSample])] = []
    for (number, era) in try search.eras().enumerated() {
      versions.append(try write(era, named: "v\(number + 1)", in: family))
    }
    for (older, newer) in zip(versions, versions.dropFirst()) {
      var search = LensSearch(
        from: older.version, to: newer.version, samples: older.samples + newer.samples)
      try session.write(
        search.run(), from: older.version.name, to: newer.version.name, in: folder(of: family))
    }
  }

  private func write(
    _ era: EraSearch.Era, named name: String, in family: String
  ) throws -> (version: SchemaVersion, samples: [LensSample]) {
    let tree = try schema(of: era.inference, family: family, version: name)
    try write(tree, family: family, version: name)
    let differences = era.differences.isEmpty ? "" : "; \(era.differences)"
    session.printNote(
      "\(folder(of: family)): wrote \(family)@\(name) from \(era.title)\(differences)")
    let version = try SchemaVersion(family: family, name: name, tree: tree, uri: "")
    return (version, era.samples(of: version))
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

  static let eras = flag(
    "eras", help: "Separate the examples into versions, oldest first.")
}
