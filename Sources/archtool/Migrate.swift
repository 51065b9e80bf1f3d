// `archtool migrate`: files taken from one version of their schema to another.

import CommandLineInterface
import Migrations
import ObjectGraph
import Rendering
import Schemas

struct Migrate {
  private let session: Session
  private var migration: Migration

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
      catalog: catalog, family: family,
      Migration.Request(from: from, to: to, className: arguments.value(of: .className)))
  }

  private static func versionName(
    _ option: OptionDescription, _ arguments: ParsedArguments, _ names: [String]
  ) throws(UsageError) -> String {
    let name = arguments.value(of: option) ?? ""
    if names.contains(name) { return name }
    throw UsageError(SchemaSelection.unknown("version", name, among: names))
  }

  mutating func run() throws {
    var migration = migration
    session.forEachInput { (input, storage) throws(ArchiveError) in
      let rewritten = try migration.rewrite(
        RewriteInput(storage: storage, name: input.name, path: input.path))
      switch rewritten {
      case .unchanged(let reason):
        session.say("\(input.name): \(reason); left alone")
      case .refused(let reason, let violations):
        report(reason, violations, input)
      case .changed(let archive):
        try place(archive, of: input, storage.bytes.count)
      }
    }
  }

  private func report(_ reason: String, _ violations: [Violation], _ input: Input) {
    for violation in violations {
      session.complain(Diagnostic(violation).line(file: input.name))
    }
    session.complain("\(input.name): error: not migrated: \(reason)")
    session.merge(.answerIsNo)
  }

  /// Writes the migrated bytes where the options say.
  private func place(
    _ archive: RewrittenArchive, of input: Input, _ before: Int
  ) throws(ArchiveError) {
    let arguments = session.arguments
    let bytes = archive.storage.bytes
    let sizes = "\(before) to \(bytes.count) bytes"
    if arguments.has(.dryRun) {
      session.output.bytes.append("\(input.name): would migrate \(archive.summary), \(sizes)\n")
      return session.output.flushIfFull()
    }
    let place = OutputPlace(for: input, arguments)
    try session.write(to: place) { (output) throws(ArchiveError) in output.bytes.append(bytes) }
    session.say("\(input.name): migrated \(archive.summary), \(sizes), in \(place.name)")
  }
}
