// `archtool rename-class`: other names for classes, keys and archivers.

import Basics
import CommandLineInterface
import KeyedArchives
import Migrations

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
        keyRenames: arguments.values(of: .renameKey),
        topRenames: arguments.values(of: .renameTop),
        exemptClasses: arguments.values(of: .unless), prunes: arguments.has(.prune))
    } catch {
      throw UsageError(error.message, command: arguments.command.name)
    }
  }

  func run() throws {
    let substitutions = substitutions
    let dataPath = try Session.dataPath(session.arguments)
    let tally = SubstitutionTally()
    session.warn(before: substitutions)
    let run = RewriteRun(
      session,
      wording: .init(
        done: "rewrote", undone: "not rewritten", verb: "rewrite", unchanged: "without a match"),
      continuation: continuation)
    let isWhole = try run.run { () -> any ArchiveRewriting in
      let rewriting = SubstitutionRewriting(substitutions, tally: tally)
      return dataPath.map { EmbeddedRewriting(at: $0, rewriting) } ?? rewriting
    }
    if isWhole { session.warn(after: tally) }
  }
}

extension Session {
  /// Warns of rules that a second run would apply to what the first one made.
  func warn(before substitutions: Substitutions) {
    for rule in substitutions.repeatingRenames {
      warn(
        "archtool: warning: the rule '\(rule.text)' matches the names that it gives, and a second run would rename them again; --unless '\(rule.new)' leaves them alone"
      )
    }
  }

  /// Warns of rules that nothing in the inputs matched.
  func warn(after tally: SubstitutionTally) {
    for rule in tally.unmatchedRules {
      warn("archtool: warning: \(rule) matched nothing in any input")
    }
  }
}
