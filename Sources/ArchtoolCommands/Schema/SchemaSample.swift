// `archtool schema sample`: writes generated archives of a version, as fixtures for tests.

import ArchiveBasics
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface

struct SchemaSample: Command {
  static let name = "schema sample"
  static let description = CommandDescription(
    name: name,
    abstract: "write generated archives that fit a schema",
    operands: Operands(name: "SCHEMA", minimum: 1, maximum: 1),
    options: [.sampleNumber, .seed, .schemaFolders, .sampleFolder, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.sampleFolder])],
    discussion: """
      A SCHEMA is NAME@VERSION or a file. The archives are in the version's envelope, with the
      classes and the storage that the schema names, for the tests of an application. The first has
      no more than it must have and the second as much as it can; the others are drawn at random:
      each branch, the limits of each keyword, optional members present and absent. validate accepts
      each of them. Their names are numbers, and the same seed gives the same files. Existing files
      are replaced only with --force.
      """,
    examples: [
      "archtool schema sample Movie@v2 --number 20 --output-dir Samples":
        "Write 20 archives of the second version of Movie into the folder Samples."
    ],
    exits: .writing, meanings: [.answerIsNo: "No value that fits could be generated."])

  private let session: Session
  private let version: SchemaVersion
  private let number: Int
  private let seed: UInt64
  private let folder: String

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    version = try SchemaSources(arguments).version(arguments.operands[0])
    number = try arguments.integer(of: .sampleNumber) ?? 10
    seed = UInt64(try arguments.integer(of: .seed) ?? 0)
    folder = arguments.value(of: .sampleFolder) ?? "."
  }

  func run() throws {
    var generator = SampleGenerator(version, seed: seed)
    let width = max(String(number).utf8.count, 3)
    var written = 0
    for index in 0..<number {
      guard let sample = try generator.sample(index), let bytes = try generator.archive(of: sample)
      else { continue }
      if written == 0 { try AtomicFile.makeFolder(folder, allowing: version.permissions) }
      // A number that has no archive leaves a gap, so that the others keep their names.
      let name = String(index + 1, width: width)
      try AtomicFile.write(
        bytes.bytes, to: "\(folder)/\(name)\(suffix)",
        existing: session.arguments.has(.force) ? .replace : .refuse,
        allowing: version.permissions)
      written += 1
    }
    if written == 0 {
      throw ArchiveError(.mismatch, "no value that fits \(version.label) could be generated")
    }
    let missing = number - written
    session.printNote(
      "\(folder): wrote \(Counted.text(written, "archive")) of \(version.label)"
        + (missing == 0 ? "" : "; \(missing) could not be generated"))
  }

  /// The suffix of the files' names: what the envelope is encoded in.
  private var suffix: String {
    switch version.envelope {
    case .json: ".json"
    case .sequential: ".typedstream"
    default: ".plist"
    }
  }
}

extension OptionDescription {
  static let sampleNumber = integer(
    "number", letter: "n", in: 1...1_000_000, default: 10, help: "Write N archives.")

  static let sampleFolder = text(
    "output-dir", letter: "o", valueName: "DIR",
    help: "Write the archives into the folder DIR. It is created if necessary.")
}
