// `archtool rename-class`: renames classes, keys and archivers.

import ArchiveBasics
import ArchiveEditing
import ArchiveMigrations
import CommandLineInterface

struct RenameClass: Command {
  static let name = "rename-class"
  static let description = CommandDescription(
    name: name,
    abstract: "rename classes, keys and the archiver in archives",
    operands: .renamings,
    options: [.at] + OptionDescription.substitutions + OptionDescription.rewriting,
    commonOptions: OptionDescription.common,
    rules: [.oneOf(OptionDescription.substitutionRules + [.resume])] + OptionRule.substitutions
      + OptionRule.rewriting(),
    discussion: """
      An app whose module or class was renamed cannot open its old archives, because they name the
      old class. This command changes the name in binary and XML keyed archives, in typedstreams,
      and in archives inside the data of others. Only class records change, never a value that
      happens to be the same text. A file in which no rule matches is left alone; with --output and
      --output-dir it is copied unchanged.

      All rules apply to the original names, and the first rule that matches a name counts, so that
      A=B and B=A together swap two names. There is a warning about a rule that matches the names
      that it makes, such as MS*=MSAC*, because a second run would rename them again; --unless
      'MSAC*' prevents that. There is also a warning about a rule that matches nothing in any file.
      A rule for OldApp.Movie also matches the mangled name _TtC6OldApp5Movie, which then becomes a
      mangled name.

      Objects of a class that is dropped are removed from arrays, sets and dictionaries; other
      references to them become nil. What they contained stays in the file, without references,
      unless --prune removes it together with everything else that nothing refers to; the other
      objects keep their order and get new numbers. A root object cannot be dropped. A rename that
      would make a key occur twice is an error, and so are keys for a typedstream, which has none.
      With --rename-top the keys of $top change, under which an app decodes its objects:
      decodeObject(forKey: "tabs") finds nothing in an archive whose key is root.

      Before the new archive is written, it is decoded again and compared with the old one, value by
      value. The new archive of one FILE is written to standard output unless --output, --in-place,
      --output-dir, --dry-run or --records is given; of several files one of them is required. With
      --dry-run nothing is ever written. An existing output file is replaced only with --force.
      Journals are written as by migrate. OLD=NEW before the first FILE is the same as
      --rename-class OLD=NEW, unless a file has that name.
      """,
    examples: [
      "archtool rename-class 'Demo.*=NewApp.*' Library -o Library.new":
        "Move all classes of the module Demo to NewApp.",
      "archtool rename-class -c 'Demo*=Demo2*' --unless 'Demo2*' -n Library":
        "Count the names that would change, except those that begin with Demo2.",
      "archtool rename-class -c Demo.MovieClass=NewApp.Film -n Library":
        "Count how often the class Demo.MovieClass would be renamed.",
    ],
    exits: .writing,
    meanings: [
      .done: "Every file has the new names, or had none of the old ones.",
      .answerIsNo: "A rule cannot be applied to an input.",
      .cannotOpen: ExitStatus.cannotOpenOrNone,
    ])

  private let session: Session
  private let substitutions: Substitutions

  init(_ session: Session) throws {
    self.session = session
    substitutions = try Self.substitutions(session.arguments)
  }

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
      throw UsageError(error.message)
    }
  }

  func run() throws {
    let substitutions = substitutions
    let dataPath = try Session.dataPath(session.arguments)
    let tally = SubstitutionTally()
    session.warn(before: substitutions)
    let run = RewriteRun(
      session: session,
      wording: .init(
        done: "rewrote", undone: "not rewritten", verb: "rewrite", unchanged: "without a match"))
    let isWhole = try run.run { () -> any ArchiveRewriting in
      RenameRewriter(substitutions, tally: tally).embedded(at: dataPath)
    }
    if isWhole { session.warn(after: tally) }
  }
}

extension Session {
  /// Warns about rules that a second run would apply to the result of the first.
  func warn(before substitutions: Substitutions) {
    for rule in substitutions.repeatingRenames {
      printProblem(
        "archtool: warning: the rule '\(rule.text)' matches the names that it makes, and a second run would rename them again; --unless '\(rule.new)' leaves them alone"
      )
    }
  }

  /// Warns about rules that matched nothing in the inputs, unless a refused or unread input might match them.
  func warn(after tally: SubstitutionTally) {
    let inputs = status == .done ? "any input" : "any input that was not refused"
    for rule in tally.unmatchedRules {
      printProblem("archtool: warning: \(rule) matched nothing in \(inputs)")
    }
  }
}
