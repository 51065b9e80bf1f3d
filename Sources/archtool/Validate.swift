// `archtool validate`: whether files fit a schema.

import CommandLineInterface
import KeyedArchives
import ObjectGraph
import Rendering
import Schemas

struct Validate {
  private let session: Session
  private let validation: Validation
  private let limit: Int
  private let isJSON: Bool

  init(_ session: Session) throws {
    self.session = session
    let catalog = try SchemaCatalog.builtIn()
    let selection = try SchemaSelection(session.arguments.value(of: .schema), in: catalog)
    validation = Validation(catalog: catalog, family: selection.family, version: selection.version)
    limit = try session.arguments.integer(of: .maximumErrors) ?? 0
    isJSON = session.arguments.value(of: .reportFormat) == "json"
  }

  func run() throws {
    var reports: [Report] = []
    session.forEachInput { (input, storage) throws(ArchiveError) in
      let graph = try session.reader().read(storage)
      for warning in graph.warnings { session.warn(warning, file: input.name) }
      let report = ValidationReport(file: input.name, try validation.run(graph))
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
    if isJSON { try Report.list(reports).write(to: &session.output) }
  }
}
