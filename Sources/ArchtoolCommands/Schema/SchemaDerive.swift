// `archtool schema derive`: adds a version to a family, with the same model in another envelope.

import ArchiveBasics
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveRendering
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct SchemaDerive: Command {
  static let name = "schema derive"
  static let description = CommandDescription(
    name: name,
    abstract: "add a version with the same model in another envelope",
    operands: Operands(name: "SCHEMA", minimum: 1, maximum: 1),
    options: [
      .inferredVersion, .envelope, .className, .classOf, .openStorage, .like, .tries,
      .schemaFolders, .force,
    ],
    commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.inferredVersion]), .oneOf([.envelope])],
    discussion: """
      SCHEMA is NAME@VERSION, a version of a family in a folder. The new version has the same model
      as the other envelope holds it: what may be nil is left out, URLs, UUIDs and decimal numbers
      are what Codable or JSONEncoder writes for them, and keywords about classes and storage are
      left out where the envelope has none. The family gets the version and the lens that leads to
      it, which is checked, and a table shows what changed.

      An archive of objects, nscoding, needs what other envelopes do not tell: the classes of
      objects and the storage of numbers. They are named, or taken from an example of the new
      archives. What an envelope cannot hold, and what is left open, is refused with its path.
      """,
    examples: [
      "archtool schema derive --schemas . --version v2 --envelope json F@v1":
        "Add the version v2, as JSONEncoder writes the model of v1."
    ],
    exits: .writing,
    meanings: [.answerIsNo: "The lens is not sound, or a part of the model cannot be derived."])

  private let session: Session
  private let family: SchemaFamily
  private let version: SchemaVersion
  private let folder: String
  private let newName: String
  private let envelope: Envelope

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let operand = arguments.operands[0]
    let selection = try SchemaSelection(operand, in: SchemaSources(arguments).catalog())
    guard let family = selection.family, let version = selection.version else {
      throw UsageError("'\(operand)' names a family; name a version of it, as in \(operand)@v1")
    }
    (self.family, self.version) = (family, version)
    folder = try family.requireFolder()
    newName = arguments.value(of: .inferredVersion) ?? ""
    envelope = arguments.value(of: .envelope).flatMap(Envelope.init(rawValue:)) ?? .codable
    for option in [OptionDescription.className, .classOf, .openStorage, .like]
    where arguments.has(option) && envelope != .nscoding {
      throw UsageError("'\(option.longForm)' is for archives of objects, '--envelope nscoding'")
    }
  }

  func run() throws {
    var derivation = SchemaDerivation(
      of: version, in: envelope, named: newName, structure: try structure())
    let file = folder + "/" + FamilyFolder.schemaFile(version.name)
    let (tree, changes) = try ArchiveError.inFile(file) { () throws(ArchiveError) in
      try derivation.run()
    }
    let sources = SchemaSources(session.arguments)
    let derived = try SchemaVersion(
      family: family.name, name: newName, tree: tree, uri: "",
      library: SchemaLibrary(folders: [folder] + sources.folders))
    session.streams.sources.add(version.permissions)
    do throws(ArchiveError) {
      try FamilyWriter(
        folder: folder, isFamily: true, allowing: session.streams.sources.bound
      ).write(
        tree, family: family.name, version: newName, replacing: session.arguments.has(.force))
    } catch {
      if error.code == .outOfRange { throw UsageError(error.message) }
      throw error
    }
    session.printNote(
      "\(folder): wrote \(family.name)@\(newName) from \(version.label)")
    show(changes)
    try writeLenses(to: derived)
  }

  /// The classes and the storage that were asked for.
  private func structure() throws -> SchemaDerivation.Structure {
    let arguments = session.arguments
    var structure = SchemaDerivation.Structure()
    structure.rootClass = arguments.value(of: .className)
    structure.classes = try arguments.values(of: .classOf).map(Migrate.namedClass).map {
      (path: $0.0.pattern, name: $0.1)
    }
    structure.storage = arguments.value(of: .openStorage)
    guard let path = arguments.value(of: .like) else { return structure }
    structure.example = try ArchiveError.inFile(path) { () throws(ArchiveError) in
      var inference = SchemaInference()
      try inference.add(ArchiveReader().read(ByteStorage.open(path: path)))
      guard inference.envelope == .nscoding else {
        throw ArchiveError(.mismatch, "is no archive of objects, whose classes could be taken")
      }
      return try inference.schema(family: family.name, version: newName)
    }
    return structure
  }

  /// Writes the lens, and those between versions that had none because they had one model.
  private func writeLenses(to derived: SchemaVersion) throws {
    var search = LensSearch(from: version, to: derived)
    let lens = search.run()
    let lenses = try FamilyLenses(of: family)
    if lenses.files.isEmpty, family.versions.count > 1 {
      if lens.tree["lens"]?.list?.isEmpty == true {
        return session.printNote("\(folder): no lens is needed, since all versions have one model")
      }
      for (older, newer) in zip(family.versions, family.versions.dropFirst())
      where older !== newer && newer.name != newName && older.name != newName {
        let samples = try LensSample.samples(of: family, [older, newer])
        var search = LensSearch(from: older, to: newer, samples: samples)
        try session.write(search.run(), from: older.name, to: newer.name, in: folder)
      }
    }
    try session.write(lens, from: version.name, to: newName, in: folder)
  }

  private func show(_ changes: [SchemaDerivation.Change]) {
    if changes.isEmpty || session.isQuiet { return }
    var table = TextTable(["PATH", version.name, newName].map { ($0.escapedLine, .left) })
    for change in changes { table.append([change.path.description, change.old, change.new]) }
    for line in table.lines(session.outputStyle) { session.output.bytes.append("  " + line + "\n") }
  }
}

extension OptionDescription {
  static let envelope = choice(
    "envelope", valueName: "ENVELOPE",
    of: ["codable", "json", "dictionariable", "nscoding", "plist"], hasDefault: false,
    help: "Write the version in ENVELOPE.")

  static let like = text(
    "like", valueName: "FILE",
    help: "Use classes and storage of the archive FILE. It is an example of the new version.")
}
