// `archtool migrate`: files taken from one version of their schema to another.

import CommandLineInterface
import Migrations
import ObjectGraph
import Rendering
import Schemas

struct Migrate {
  private let session: Session
  private let migration: Migration

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let catalog = try SchemaSources(session.arguments).catalog()
    let family = try arguments.value(of: .family).map {
      (name) throws(UsageError) in try SchemaSelection.family(name, in: catalog)
    }
    let names = Set((family?.versions ?? catalog.versions).map(\.name)).sorted()
    let from = try Self.versionName(.from, arguments, names)
    let to = try Self.versionName(.to, arguments, names)
    if from == to { throw UsageError("'--from' and '--to' name the same version") }
    migration = Migration(
      catalog: catalog, family: family, from: from, to: to,
      className: arguments.value(of: .className))
  }

  private static func versionName(
    _ option: OptionDescription, _ arguments: ParsedArguments, _ names: [String]
  ) throws(UsageError) -> String {
    let name = arguments.value(of: option) ?? ""
    if names.contains(name) { return name }
    throw UsageError(SchemaSelection.unknown("version", name, among: names))
  }

  func run() throws {
    session.forEachInput { (input, storage) throws(ArchiveError) in
      switch try migration.run(storage) {
      case .current(let version):
        session.say("\(input.name): is \(version.label) already; left alone")
      case .refused(let refusal):
        report(refusal, input)
      case .migrated(let bytes, let summary):
        try place(bytes.bytes, of: input, summary)
      }
    }
  }

  private func report(_ refusal: Migration.Refusal, _ input: Input) {
    for violation in refusal.violations {
      session.complain(Diagnostic(violation).line(file: input.name))
    }
    session.complain("\(input.name): error: not migrated: \(refusal.reason)")
    session.merge(.answerIsNo)
  }

  /// Writes the migrated bytes where the options say.
  private func place(
    _ bytes: UnsafeRawBufferPointer, of input: Input, _ summary: Migration.Summary
  ) throws(ArchiveError) {
    let arguments = session.arguments
    let step = "\(summary.source.label) to \(summary.target.name)"
    let sizes = "\(summary.sourceBytes) to \(bytes.count) bytes"
    if arguments.has(.dryRun) {
      session.output.bytes.append("\(input.name): would migrate \(step), \(sizes)\n")
      return session.output.flushIfFull()
    }
    let place = OutputPlace(for: input, arguments)
    try session.write(to: place) { (output) throws(ArchiveError) in output.bytes.append(bytes) }
    session.say("\(input.name): migrated \(step), \(sizes), in \(place.name)")
  }
}
