// `archtool extract`: turns a part of an archive into a separate archive, or the resources of a web archive into files.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import CommandLineInterface
import KeyedArchives

struct Extract: Command {
  static let name = "extract"
  static let description = CommandDescription(
    name: name,
    abstract: "write a part of an archive as an archive of its own",
    operands: Operands(name: "FILE", first: "PATH", minimum: 2, maximum: nil),
    options: [.resources, .output, .resultFolder, .force] + OptionDescription.inputKinds
      + [.failFast, .report, .noProgress],
    commonOptions: OptionDescription.common,
    rules: [
      .namesInputs(.resources), .exclusive([.output, .resources, .resultFolder]),
      .severalNeed([.resultFolder]), .needs(.force, anyOf: [.output, .resultFolder, .resources]),
    ] + OptionRule.ofOneFile(.output) + OptionRule.ofOneFile(.resources),
    discussion: """
      PATH is a path in any notation that get takes, such as $.cities[2]: $ is the root, or the
      dictionary of all top-level keys if there are several. The object at PATH becomes the root of
      a keyed archive, with everything that it refers to; classes, storage and sharing stay as they
      are, and nothing else of FILE is included. A string or a number becomes an archive with that
      root, and so does data, whose bytes get writes to a file. From a plain property list the value becomes a property list. A path may continue into
      an archive in a data value.

      The encoding is that of FILE. The result is decoded again and compared with the extracted
      value before it is written, to standard output without --output. Of several files, the parts
      are files in the folder of --output-dir. FILE itself is not changed. An existing output file
      is replaced only with --force.

      With --resources FILE is a web archive, or has one at PATH, which may be missing: the page,
      what it loads and the pages of its frames become files of DIR. Their names are the last parts
      of the URLs, with percent signs and hexadecimal digits for unusual characters, numbers where
      two are the same, and an extension of the media type where there is none. A line names each
      file, its URL, its type and its size.
      """,
    examples: [
      "archtool extract '$.topCityWeathers[0]' Saved -o Part":
        "Write the first city in Saved as an archive to Part.",
      "archtool extract --resources Page Saved.webarchive":
        "Write the page in Saved.webarchive, its pictures and its scripts to the folder Page.",
    ],
    exits: .writing,
    meanings: [
      .answerIsNo: "There is no value at PATH, or it cannot be a root or is no web archive."
    ])

  private let session: Session
  private let path: ValuePath

  init(_ session: Session) throws {
    self.session = session
    let operands = session.arguments.operands
    if operands.isEmpty {
      throw UsageError("missing operand FILE for \(Self.name)")
    }
    // Of a web archive all is wanted if there is no PATH.
    path = try ValuePath(operand: operands.count > 1 ? operands[0] : "$")
  }

  func run() throws {
    if let folder = ResultFolder(session.arguments) {
      return try session.forEachInput { (input, storage) throws(ArchiveError) in
        let part = try part(of: storage, input)
        try folder.write([UInt8](part.bytes), for: input)
      }
    }
    let operand = session.arguments.operands.last ?? "-"
    session.withInput(operand) { (input, storage) throws(ArchiveError) in
      if let folder = session.arguments.value(of: .resources) {
        return try writeResources(of: storage, input, to: folder)
      }
      try session.write(to: OutputDestination(of: session.arguments), part(of: storage, input))
    }
  }

  private func part(
    of storage: ByteStorage, _ input: Input
  ) throws(ArchiveError) -> ByteStorage {
    let graph = try ArchiveReader().read(storage)
    for line in Session.messages(of: graph, input, storage) { session.post(line) }
    let (node, location) = try path.resolve(in: graph)
    if case .data(let bytes) = graph.value(of: node), let kind = RecognizedData(bytes)?.kind {
      let command = "archtool get \(input.name.shellWord) \(location.description.shellWord) -o FILE"
      session.printNote(
        "\(input.name): note: an archive of the data is written; '\(command)' writes its bytes, which are \(kind)"
      )
    }
    return try ArchiveExtraction.extract(location, from: storage)
  }

  /// Writes the resources of a web archive to a folder; one that cannot be written is reported.
  private func writeResources(
    of storage: ByteStorage, _ input: Input, to folder: String
  ) throws(ArchiveError) {
    let graph = try ArchiveReader().read(storage)
    for line in Session.messages(of: graph, input, storage) { session.post(line) }
    let archive = try path.resolve(in: graph).node
    let resources = try WebResource.all(in: graph.opened(archive).node, of: graph)
    let files = try ExtractedFiles(
      folder, allowing: input.folderPermissions, replacing: session.arguments.has(.force))
    for resource in resources {
      do throws(ArchiveError) {
        let name = resource.fileName
        let file = try files.write(
          resource.data, origin: name.stem, ending: name.extension,
          allowing: input.permissions(session.streams))
        let facts = [resource.mediaType, Counted.text(resource.data.count, "byte")]
        session.output.append(
          escapedLine:
            "\(file): \(resource.url) (\(facts.compactMap { $0 }.joined(separator: ", ")))")
      } catch {
        session.report(error, file: input.name)
      }
    }
  }
}

extension OptionDescription {
  static let resources = text(
    "resources", valueName: "DIR",
    help: "Write a web archive's resources to files in DIR.")
}
