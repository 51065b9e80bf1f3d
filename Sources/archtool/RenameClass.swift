// `archtool rename-class`: other names for classes, keys and archivers.

import CommandLineInterface
import KeyedArchives
import Migrations
import ObjectGraph

struct RenameClass {
  private let session: Session
  private let substitutions: Substitutions
  private let continuation: RewriteContinuation

  init(_ session: Session, _ continuation: RewriteContinuation = RewriteContinuation()) throws {
    self.session = session
    self.continuation = continuation
    substitutions = try Self.substitutions(session.arguments)
  }

  /// The rules that the options spell.
  static func substitutions(_ arguments: ParsedArguments) throws(UsageError) -> Substitutions {
    do {
      return try Substitutions(
        classRenames: arguments.values(of: .renameClass),
        archiver: arguments.value(of: .setArchiver),
        droppedClasses: arguments.values(of: .dropClass),
        keyRenames: arguments.values(of: .renameKey))
    } catch {
      throw UsageError(error.message, command: arguments.command.name)
    }
  }

  func run() throws {
    let substitutions = substitutions
    let dataPath = try Session.dataPath(session.arguments)
    let run = RewriteRun(
      session, wording: .init(done: "rewrote", undone: "not rewritten", verb: "rewrite"),
      continuation: continuation)
    try run.run { () -> any ArchiveRewriting in
      let rewriting = SubstitutionRewriting(substitutions)
      return dataPath.map { EmbeddedRewriting(at: $0, rewriting) } ?? rewriting
    }
  }
}
