// `archtool info`: describes files.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveRendering
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct Info: Command {
  static let name = "info"
  static let description = CommandDescription(
    name: name,
    abstract: "describe archives and property lists",
    operands: .files,
    options: [.at, .schemaFolders, .skip, .json5, .recover, .reportFormat]
      + OptionDescription.inputKinds + OptionDescription.recordStream
      + OptionDescription.batch,
    commonOptions: OptionDescription.common + [.noPager],
    rules: [.exclusive([.at, .json5])] + OptionRule.readRecords(as: .reportFormat),
    discussion: """
      For each file the report shows its size and encoding, the archiver and the top-level keys of
      an archive, the class of the root object, the envelope, the schema family and version that
      fit, and the number of objects of each class.

      Archives and property lists in data values are listed as nested, with their paths, the
      versions of schemas that they are, and the classes of their roots; objects of keyed archives
      among them are counted, too. Data values of known kinds, such as PNG and PDF, are counted in
      parentheses.

      In JSON, dataKinds has the numbers of data values of each kind, wrappings what the input is
      enclosed in (gzip, cms, base64, hexadecimal), and nested a list with path, kind, encoding,
      rootClass, envelope, schema (family and version, or null) and objects (null for property
      lists). inflatedSize is the size of the content if offsets refer to it.

      With --records each line is a record, as for dump; its answer has the report as info.
      """,
    examples: [
      "archtool info WeatherFeed":
        "Show what kind of archive WeatherFeed is and which schema it fits."
    ],
    exits: .reading, meanings: [.answerIsNo: "There is no data value at the PATH of --at."])

  private let session: Session
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    dataPath = try Session.dataPath(session.arguments)
  }

  func run() throws {
    if session.arguments.has(.records) { return try answerRecords() }
    let arguments = session.arguments
    let (isJSON, style) = (arguments.reportsJSON, session.outputStyle)
    try session.showInputs(at: dataPath) { () throws(ArchiveError) in
      let catalog = try SchemaSources(arguments).catalog()
      return { (input, storage, writer) throws(ArchiveError) in
        let graph: ObjectGraph
        do throws(ArchiveError) {
          graph = try arguments.reader(recovering: arguments.has(.recover)).read(storage)
        } catch {
          // What is not read has a name all the same.
          guard let info = ArchiveInfo.unread(storage, file: input.name) else { throw error }
          if isJSON {
            writer.add(info.report)
          } else {
            writer.begin()
            writer.write { $0.bytes.append(style.labeling(lines: info.text)) }
          }
          throw error
        }
        for warning in graph.warnings {
          let line = warning.located(in: storage.bytes).line(file: input.name, severity: .warning)
          writer.post(.problem(line))
        }
        if let error = graph.rootError { writer.report(error, file: input.name) }
        let info = try ArchiveInfo(graph, byteCount: storage.bytes.count, catalog: catalog)
        for loss in graph.losses { writer.report(loss, file: input.name) }
        if isJSON { return writer.add(info.report(file: input.name)) }
        writer.begin()
        writer.write { $0.bytes.append(style.labeling(lines: info.text(file: input.name))) }
      }
    }
    if isJSON { try JSONTree.list(session.elements).write(to: &session.output) }
  }

  private func answerRecords() throws {
    let (arguments, dataPath) = (session.arguments, dataPath)
    try session.answerRecords(reading: ["info"]) { () throws(ArchiveError) in
      let catalog = try SchemaSources(arguments).catalog()
      let reader = arguments.reader(recovering: arguments.has(.recover))
      return { (storage, content) throws(ArchiveError) in
        let storage = try storage.onlyArchive(at: dataPath)
        let graph: ObjectGraph
        do throws(ArchiveError) {
          graph = try content.read(storage, reader)
        } catch {
          if let info = ArchiveInfo.unread(storage, file: nil) {
            content.members.add("info", info.report)
          }
          throw error
        }
        if let error = graph.rootError { content.errors.append(error) }
        let losses = graph.losses.count
        let info = try ArchiveInfo(graph, byteCount: storage.bytes.count, catalog: catalog)
        content.members.add("info", info.report(file: nil))
        content.errors += graph.losses[losses...]
      }
    }
  }
}
