// `archtool info`: what files are.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering

struct Info: Command {
  static let description = CommandDescription.info

  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let catalog = try SchemaSources(session.arguments).catalog()
    let isJSON = session.arguments.value(of: .reportFormat) == "json"
    var isFirst = true
    var reports: [JSONTree] = []
    let dataPath = try Session.dataPath(session.arguments)
    session.forEachArchive(at: dataPath) { (input, storage) throws(ArchiveError) in
      let graph = try session.reader().read(storage)
      for warning in graph.warnings {
        session.warn(warning.located(in: storage.bytes), file: input.name)
      }
      session.reportRoot(of: graph, file: input.name)
      let info = try ArchiveInfo(graph, byteCount: storage.bytes.count, catalog: catalog)
      if isJSON {
        reports.append(info.report(file: input.name))
      } else {
        if !isFirst { session.output.bytes.append("\n") }
        session.output.bytes.append(info.text(file: input.name))
        session.output.flushIfFull()
      }
      isFirst = false
    }
    if isJSON { try JSONTree.list(reports).write(to: &session.output) }
  }
}

extension CommandDescription {
  /// Says what files are.
  public static let info = CommandDescription(
    name: "info",
    abstract: "say what archives and property lists are",
    operands: .files,
    options: [
      .at, .schemaFolders, .json5, .reportFormat,
    ],
    commonOptions: OptionDescription.common,
    rules: [.exclusive([.at, .json5])],
    discussion: [
      """
      For each file the report gives its size and encoding, the archiver and the top-level keys \
      of an archive, the class of the root object, the envelope, the schema family and version \
      that fit, and the number of objects of each class.
      """
    ],
    examples: [
      Example(
        command: "archtool info WeatherFeed",
        explanation: "Say what kind of archive WeatherFeed is and which schema it fits.")
    ],
    exits: [Exit(.done), Exit(.undecodable), Exit(.cannotOpen), Exit(.inputOutput)])
}
