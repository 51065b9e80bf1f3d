// `archtool info`: describes files.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering

struct Info: Command {
  static let name = "info"
  static var description: CommandDescription { .info }

  private let session: Session
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    dataPath = try Session.dataPath(session.arguments)
  }

  func run() throws {
    let arguments = session.arguments
    let isJSON = arguments.reportsJSON
    try session.showInputs(at: dataPath) { () throws(ArchiveError) in
      let catalog = try SchemaSources(arguments).catalog()
      return { (input, storage, writer) throws(ArchiveError) in
        let graph = try arguments.reader(recovering: arguments.has(.recover))
          .read(storage)
        for warning in graph.warnings {
          let line = warning.located(in: storage.bytes).line(file: input.name, severity: .warning)
          writer.post(.warning(line))
        }
        if let error = graph.rootError { writer.report(error, file: input.name) }
        let info = try ArchiveInfo(graph, byteCount: storage.bytes.count, catalog: catalog)
        for loss in graph.losses { writer.report(loss, file: input.name) }
        if isJSON { return writer.add(info.report(file: input.name)) }
        writer.begin()
        writer.write { $0.bytes.append(info.text(file: input.name)) }
      }
    }
    if isJSON { try JSONTree.list(session.elements).write(to: &session.output) }
  }
}

extension CommandDescription {
  /// Describes files.
  package static let info = CommandDescription(
    name: Info.name,
    abstract: "describe archives and property lists",
    operands: .files,
    options: [.at, .schemaFolders, .json5, .recover, .reportFormat, .archivesOnly]
      + OptionDescription.batch,
    commonOptions: OptionDescription.common,
    rules: [.exclusive([.at, .json5]), .exclusive([.archivesOnly, .json5])],
    discussion: [
      """
      For each file the report shows its size and encoding, the archiver and the top-level \
      keys of an archive, the class of the root object, the envelope, the schema family and \
      version that fit, and the number of objects of each class.
      """
    ],
    examples: [
      Example(
        command: "archtool info WeatherFeed",
        explanation: "Show what kind of archive WeatherFeed is and which schema it fits.")
    ],
    exits: [Exit(.done), Exit(.undecodable), Exit(.cannotOpen), Exit(.inputOutput)])
}
