// `archtool schema lens`: writes the lens between two versions of a family.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import CommandLineInterface

struct SchemaLens: Command {
  static let name = "schema lens"
  static let description = CommandDescription(
    name: name,
    abstract: "write the lens between two versions of a family",
    operands: Operands(name: "NAME VERSION VERSION", minimum: 3, maximum: 3),
    options: [.lensSamples, .interactive, .tries, .schemaFolders, .output, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [.exclusive([.tries, .output])],
    discussion: """
      NAME is a family, and the lens leads from the first VERSION to the second. It is found from
      their schemas and from samples: members that were renamed, moved, converted, copied, added or
      removed. It goes into the family's folder, as v1-v2.lens.json, and is checked as by schema
      check, which names the lines that are wrong.

      Samples that exist in both versions, as files of one name, tell most: equal values show what
      was renamed, and which conversion was made. Those in the family's folder samples are used, and
      those of --samples. A default is what the schema says (default or x-default) or what most
      samples have.

      What cannot be known is left open in the file, as the operation "?" with the candidates.
      No lens with it can be used, and schema check names its line. With --interactive it is asked.
      """,
    examples: [
      "archtool schema lens --schemas Schemas Outcomes v1 v2":
        "Write the lens from v1 to v2 of the family Outcomes in the folder Schemas."
    ],
    exits: .writing,
    meanings: [.answerIsNo: "Something is left open, or the lens is not sound."])

  private let session: Session
  private let family: SchemaFamily
  private let source: SchemaVersion
  private let target: SchemaVersion

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    family = try SchemaSelection.family(
      arguments.operands[0], in: SchemaSources(arguments).catalog())
    source = try SchemaSelection.version(arguments.operands[1], of: family)
    target = try SchemaSelection.version(arguments.operands[2], of: family)
    if source === target {
      throw UsageError("a lens leads to another version; both are \(source.name)")
    }
    if arguments.has(.interactive), isatty(session.streams.input) != 1 {
      throw UsageError("'--interactive' needs a terminal")
    }
    if arguments.value(of: .output) == nil { _ = try family.requireFolder() }
  }

  func run() throws {
    let arguments = session.arguments
    var samples = try LensSample.samples(of: family, [source, target])
    for path in arguments.values(of: .lensSamples) { samples += try self.samples(path) }
    let session = session
    var search = LensSearch(from: source, to: target, samples: samples) { question in
      arguments.has(.interactive) ? session.answer(question) : nil
    }
    let lens = search.run()
    session.streams.sources.add(source.permissions)
    session.streams.sources.add(target.permissions)
    guard arguments.value(of: .output) == nil else {
      if !lens.questions.isEmpty { session.merge(.answerIsNo) }
      return try session.write(result: lens.tree)
    }
    try session.write(
      lens, from: source.name, to: target.name, in: try family.requireFolder())
  }

  /// The samples in a file, or in the files of a folder.
  private func samples(_ path: String) throws(ArchiveError) -> [LensSample] {
    let files =
      FolderListing.isFolder(path)
      ? try FolderListing.names(in: path).filter { $0.first != UInt8(ascii: ".") }
        .map { path + "/" + String(pathBytes: $0) }.filter { FolderListing.isFile($0) } : [path]
    var samples: [LensSample] = []
    for file in files {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      let sample = try ArchiveError.inFile(file) { () throws(ArchiveError) in
        try LensSample(ByteStorage.open(path: file), named: name, of: [source, target])
      }
      guard let sample else {
        throw ArchiveError(
          .mismatch, "is neither \(source.label) nor \(target.label)", file: file)
      }
      samples.append(sample)
    }
    return samples
  }
}

extension OptionDescription {
  static let lensSamples = text(
    "samples", valueName: "FILE", isRepeatable: true,
    help: """
      Use the archive FILE as a sample. It may also be a folder of archives. They are of either \
      version; two of one name hold the same model.
      """)

  static let interactive = flag(
    "interactive", help: "Choose on the terminal what cannot be known.")
}
