// `archtool migrate`: files taken from one version of their schema to another.

import Basics
import CommandLineInterface
import KeyedArchives
import Migrations
import Schemas

struct Migrate {
  private let session: Session
  private let request: Migration.Request
  private let continuation: RewriteContinuation

  init(_ session: Session, _ continuation: RewriteContinuation = RewriteContinuation()) throws {
    self.session = session
    self.continuation = continuation
    request = try Self.request(session.arguments)
  }

  /// What the options ask for; wrong schemas and names of versions are told before anything is read.
  private static func request(_ arguments: ParsedArguments) throws -> Migration.Request {
    let catalog = try SchemaSources(arguments).catalog()
    let selection = try SchemaSelection(arguments.value(of: .family), in: catalog)
    let family = selection.family
    let names = Set((family?.versions ?? catalog.versions).map(\.name)).sorted()
    let check = { (name: String) throws(UsageError) in
      if names.contains(name) { return name }
      throw UsageError(SchemaSelection.unknown("version", name, among: names))
    }
    let target = try check(arguments.value(of: .to) ?? "")
    let from = try arguments.value(of: .from).map(check)
    if let from, let version = selection.version, from != version.name {
      throw UsageError("'--from' and '--schema' name different versions")
    }
    let source = from ?? selection.version?.name
    if source == target {
      let option = from == nil ? "--schema" : "--from"
      throw UsageError("'\(option)' and '--to' name the same version")
    }
    let targets = (family.map { [$0] } ?? catalog.families).compactMap { $0.version(target) }
    if arguments.has(.className), !targets.contains(where: { $0.envelope == .nscoding }) {
      let label = family == nil ? "no \(target) has" : "\(targets.first?.label ?? target) has not"
      throw UsageError("'--class' is for objects of an application's class, which \(label)")
    }
    if arguments.has(.keepLost), arguments.value(of: .output) == "-" {
      throw UsageError(
        "'--keep-lost' needs a file beside which lost values can lie; standard output is none")
    }
    return Migration.Request(
      from: source, to: target, via: try arguments.values(of: .via).map(check),
      className: arguments.value(of: .className), losses: losses(arguments))
  }

  private static func losses(_ arguments: ParsedArguments) -> Migration.LossPolicy {
    if arguments.has(.allowLoss) { return .allow }
    if arguments.has(.keepLost) { return .keepBeside }
    return arguments.has(.keepLostInside) ? .keepInside : .refuse
  }

  func run() throws {
    let (arguments, request) = (session.arguments, request)
    let substitutions = try RenameClass.substitutions(arguments)
    let dataPath = try Session.dataPath(arguments)
    let tally = SubstitutionTally()
    session.warn(before: substitutions)
    let run = RewriteRun(
      session, wording: .init(done: "migrated", undone: "not migrated", verb: "migrate"),
      continuation: continuation)
    let isWhole = try run.run { () throws(ArchiveError) in
      // Schemas and graphs are of one thread: each worker has its own.
      let catalog = try SchemaSources(arguments).catalog()
      let family = arguments.value(of: .family).flatMap {
        catalog.family(String($0.prefix { $0 != "@" }))
      }
      let migration = Migration(catalog: catalog, family: family, request)
      let rewriting: any ArchiveRewriting =
        substitutions.isEmpty
        ? migration : SubstitutedRewriting(substitutions, tally: tally, then: migration)
      return dataPath.map { EmbeddedRewriting(at: $0, rewriting) } ?? rewriting
    }
    if isWhole { session.warn(after: tally) }
  }
}
