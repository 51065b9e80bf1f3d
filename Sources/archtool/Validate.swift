// `archtool validate`: whether files fit a schema.

import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering
import Schemas

struct Validate {
  private let session: Session
  private let validation: Validation
  private let limit: Int
  private let isJSON: Bool
  private let isFormatOnly: Bool

  init(_ session: Session) throws {
    self.session = session
    let catalog = try SchemaCatalog.builtIn()
    let selection = try SchemaSelection(session.arguments.value(of: .schema), in: catalog)
    validation = Validation(catalog: catalog, family: selection.family, version: selection.version)
    limit = try session.arguments.integer(of: .maximumErrors) ?? 0
    isJSON = session.arguments.value(of: .reportFormat) == "json"
    isFormatOnly = session.arguments.has(.formatOnly)
  }

  func run() throws {
    var reports: [JSONTree] = []
    session.forEachInput { (input, storage) throws(ArchiveError) in
      let graph = try session.reader().read(storage)
      for warning in graph.warnings { session.warn(warning, file: input.name) }
      let report = try report(on: graph, input)
      if !report.isValid { session.merge(.answerIsNo) }
      if isJSON {
        reports.append(report.report(limit: limit))
        return
      }
      for line in report.lines(limit: limit) { session.complain(line) }
      for line in report.warningLines(limit: limit) { session.complain(line) }
      if !session.isQuiet {
        session.output.bytes.append(report.verdict + "\n")
        session.output.flushIfFull()
      }
    }
    if isJSON { try JSONTree.list(reports).write(to: &session.output) }
  }

  private func report(
    on graph: ObjectGraph, _ input: Input
  ) throws(ArchiveError) -> ValidationReport {
    guard isFormatOnly else {
      return ValidationReport(file: input.name, try validation.run(graph))
    }
    let faults = graph.contentFaults(from: graph.root)
    for fault in faults.dropFirst() { session.report(fault, file: input.name) }
    if let first = faults.first { throw first }
    return ValidationReport(file: input.name, format: FormatDescription(graph).text)
  }
}
