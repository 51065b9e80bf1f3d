// `archtool validate`: whether files fit a schema, and what is wrong with those that cannot be read.

import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering
import Schemas

struct Validate {
  private let session: Session
  private let validation: Validation
  private let integrity: IntegrityCheck
  /// Whether sound files are looked through as well.
  private let looksThrough: Bool
  private let isFormatOnly: Bool
  private let output: ValidationOutput
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    isFormatOnly = arguments.has(.formatOnly)
    validation = try Validation(arguments)
    let allowed = try arguments.value(of: .allowedClasses).map(AllowedClasses.read)
    let lints = Lint.allCases.filter { arguments.has(.lint) || !$0.isAdvisory }
    integrity = IntegrityCheck(
      lints: Set(lints), allowedClasses: allowed, allowsJSON5: arguments.has(.json5))
    looksThrough = arguments.has(.lint) || allowed != nil
    output = try ValidationOutput(session)
    dataPath = try Session.dataPath(arguments)
  }

  func run() throws {
    if session.arguments.has(.records) { return try ValidateRecords(session).run() }
    var output = output
    session.forEachArchive(
      at: dataPath, until: { output.isEnough },
      { (input, storage) throws(ArchiveError) in
        try examine(input, storage, &output)
      },
      failed: { name, error in
        session.merge(ExitStatus(error.code))
        output.add(FileReport(file: name, unreadable: [Diagnostic(error)]), nil)
      })
    try output.finish()
  }

  private func examine(
    _ input: Input, _ storage: ByteStorage, _ output: inout ValidationOutput
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      let graph = try session.reader(keepsPlaces: true).read(storage)
      session.warn(of: graph, input, storage)
      let faults = looksThrough ? findings(storage) : []
      let report = try report(on: graph, input, faults)
      if report.verdict == .invalid { session.merge(.answerIsNo) }
      output.add(report, Examined(storage: storage, graph: graph))
    } catch {
      // What cannot be read may be too large to be looked through as well.
      guard error.code != .limit else { throw error }
      let found = findings(storage)
      guard found.contains(where: { $0.severity == .error }) else { throw error }
      session.merge(ExitStatus(error.code))
      output.add(
        FileReport(file: input.name, unreadable: found), Examined(storage: storage, graph: nil))
    }
  }

  private func findings(_ storage: ByteStorage) -> [Diagnostic] {
    integrity.run(storage).map { Diagnostic($0) }
  }

  private func report(
    on graph: ObjectGraph, _ input: Input, _ faults: [Diagnostic]
  ) throws(ArchiveError) -> FileReport {
    guard isFormatOnly else {
      return FileReport(
        file: input.name, try validation.run(graph), faults: faults,
        tellsDeprecated: session.arguments.has(.lint))
    }
    if let fault = graph.contentFaults(from: graph.root).first { throw fault }
    return FileReport(
      file: input.name, format: FormatDescription(graph).text, faults: faults)
  }
}
