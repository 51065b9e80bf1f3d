// `archtool migrate`: converts files from one version of their schema to another.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchiveMigrations
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface

struct Migrate: Command {
  static let name = "migrate"
  static let description = CommandDescription(
    name: name,
    abstract: "migrate archives from one version of their schema to another",
    operands: .files,
    options: [
      .at, .from, .to, .via, .family, .schemaFolders, .className, .classOf, .openStorage,
      .plainContainers, .allowLoss, .strictLosses, .keepLost, .keepLostInside, .plan, .applyPlan,
      .reportFormat, .outputDatabase,
    ] + OptionDescription.rewriting + OptionDescription.substitutions,
    commonOptions: OptionDescription.common,
    rules: [
      .oneOf([.to, .resume, .applyPlan]),
      .exclusive([.allowLoss, .keepLost, .keepLostInside]),
      .exclusive([.strictLosses, .keepLost]), .exclusive([.strictLosses, .keepLostInside]),
      .needs(.reportFormat, anyOf: [.plan]), .replacesOperands(.applyPlan),
      .exclusive([.plan, .dryRun, .records, .resume, .applyPlan]),
      .exclusive([.plan, .output]), .exclusive([.applyPlan, .output]),
    ]
      + OptionRule.exclusive(
        [.outputDatabase],
        with: [
          .output, .inPlace, .outputDirectory, .dryRun, .plan, .applyPlan, .records, .resume,
          .keepLost, .recursive, .filesFrom, .include, .exclude, .allowEmpty,
        ]) + OptionRule.substitutions
      + OptionRule.rewriting(orElse: [.plan, .applyPlan, .outputDatabase]),
    discussion: """
      The lenses of the family lead from version to version, by the shortest path or by way of
      --via; a family without lenses has one model in all its versions. Before the new archive is
      written, it is decoded again, validated against the schema of its version, migrated back as a
      later command would do it, and matched with the old one object by object. A file is replaced
      completely or not at all. A file that is already in the target version is left alone; with
      --output and --output-dir it is copied unchanged.

      If values would be lost, the archive is refused and the error lists them. With --allow-loss
      they are lost, of one kind or all. Classes, storage and mutability, which an envelope without
      objects cannot hold, are lost and counted at the end of the run; --strict refuses them as
      well. With --keep-lost losses are saved in the file FILE.lost.json beside the archive, with
      --keep-lost-inside in the archive itself, and are restored when the archive is migrated back.
      What the family's own "losses" allow or keep needs no option; options count before them.
      The options that rename, as in rename-class, are applied before the version is detected.

      The new archive of one FILE is written to standard output unless --output, --in-place,
      --output-dir, --output-database, --dry-run, --plan or --records is given; of several files one
      of them is required. With --dry-run and --plan nothing is ever written. An existing output
      file is replaced only with --force.

      With --output-database the archives in columns of one database are migrated, in a copy that
      SQLite's backup makes: all of them in one transaction, and then each row is compared with the
      database. If one of them is refused, there is no copy. The database is not changed, nor is
      anything beside it. Triggers of the copy do not run; columns that are computed from others are
      computed anew. Values may be in Base64 or gzip, and are JSON where the schema says so.

      With --in-place a journal is written, to the FILE of --journal or to the folder archtool in
      XDG_STATE_HOME, and the old files are kept beside it: archtool undo undoes the run, --resume
      continues one that was interrupted or tries its failed files again. The guide is
      archtool-migrate(1).

      References that share an object become copies where the target cannot share objects, or where
      a lens changes the object. A cycle that the target cannot express is refused with its path.
      """,
    examples: [
      "archtool migrate --from v1 --to v2 WeatherFeed -o WeatherFeed.v2":
        "Migrate the v1 archive WeatherFeed to v2, as WeatherFeed.v2.",
      "archtool migrate --to v2 --plan -r Feeds":
        "Show what migrating every file in the folder Feeds would do and lose.",
      "archtool migrate --to v2 --output-database New.db My.db#feeds.archive":
        "Write a copy of My.db in which the archives of a column are migrated.",
      "archtool migrate --to v2 --in-place --journal feeds.journal -r Feeds":
        "Migrate every file in the folder Feeds, so that it can be undone.",
    ],
    exits: .writing,
    meanings: [
      .done: "Every file is in the target version.",
      .answerIsNo: "A file does not fit its version or the target, or values would be lost.",
      .cannotOpen: ExitStatus.cannotOpenOrNone,
    ])

  private let session: Session
  private let request: Migration.Request

  init(_ session: Session) throws {
    self.session = session
    request = try Self.request(session.arguments)
  }

  /// The requested migration; invalid schemas and names of versions are reported before any file is read.
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
        "'--keep-lost' saves lost values beside the output file, so it cannot be used with standard output"
      )
    }
    let hasObjects = targets.contains { $0.envelope == .nscoding }
    for option in [OptionDescription.classOf, .openStorage, .plainContainers]
    where arguments.has(option) && !hasObjects {
      throw UsageError(
        "'\(option.longForm)' is for objects of an application, which no \(target) has")
    }
    var request = Migration.Request(
      from: source, to: target, via: try arguments.values(of: .via).map(check),
      className: arguments.value(of: .className), losses: try losses(arguments))
    request.classes = try arguments.values(of: .classOf).map(namedClass)
    request.allowsPlainContainers = arguments.has(.plainContainers)
    request.openStorage = arguments.value(of: .openStorage).flatMap(FieldStorage.init)
    return request
  }

  /// Reads `PATH=NAME`.
  static func namedClass(_ text: String) throws(UsageError) -> (DataPath, String) {
    guard let sign = text.lastIndex(of: "="), text.index(after: sign) != text.endIndex else {
      throw UsageError("'--class-of' needs PATH=NAME; found \(quoted(text))")
    }
    let path = text[..<sign]
    do throws(ArchiveError) {
      return (try DataPath(parsing: String(path)), String(text[text.index(after: sign)...]))
    } catch {
      throw UsageError("'--class-of': \(quoted(path)) is not a path: \(error.message)")
    }
  }

  private static func losses(_ arguments: ParsedArguments) throws(UsageError) -> LossPolicy {
    var policy = LossPolicy(isStrict: arguments.has(.strictLosses))
    for text in arguments.values(of: .allowLoss) {
      do throws(ArchiveError) {
        policy.allowances.append(try LossPolicy.Allowance(parsing: text))
      } catch {
        throw UsageError("'--allow-loss': \(error.message)")
      }
    }
    if arguments.has(.keepLost) { policy.keeping = .beside }
    if arguments.has(.keepLostInside) { policy.keeping = .inside }
    return policy
  }

  func run() throws {
    let (arguments, request) = (session.arguments, request)
    let substitutions = try RenameClass.substitutions(arguments)
    let dataPath = try Session.dataPath(arguments)
    let tally = SubstitutionTally()
    let losses = LossTally()
    session.warn(before: substitutions)
    let run = RewriteRun(
      session: session, wording: .init(done: "migrated", undone: "not migrated", verb: "migrate"))
    let isWhole = try run.run { () throws(ArchiveError) in
      // Schemas and graphs are used by one thread: each worker has its own.
      let catalog = try SchemaSources(arguments).catalog()
      let family = arguments.value(of: .family).flatMap {
        catalog.family(String($0.prefix { $0 != "@" }))
      }
      var migration = Migration(catalog: catalog, family: family, request)
      migration.tally = losses
      let rewriting: any ArchiveRewriting =
        substitutions.isEmpty
        ? migration : migration.after(RenameRewriter(substitutions, tally: tally))
      return rewriting.embedded(at: dataPath)
    }
    if isWhole { session.warn(after: tally) }
    // How many archives a run has reached that stops at the first failure is chance.
    let lines = arguments.has(.failFast) ? [] : losses.lines
    for line in lines { session.printNote("archtool: \(line)") }
  }
}

extension OptionDescription {
  static let from = text(
    "from", valueName: "VERSION", help: "Migrate files that are in VERSION, such as v1.")

  static let to = text(
    "to", valueName: "VERSION", help: "Migrate files to VERSION, such as v2.")

  static let family = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Treat files as this family or version. The default is to detect it.")

  static let via = text(
    "via", valueName: "VERSION", isRepeatable: true,
    help: "Go by way of VERSION instead of the shortest path.")

  static let allowLoss = optional(
    "allow-loss", valueName: "KIND[:PATH]", words: FamilyLosses.words,
    help:
      """
      Migrate even if values are lost. KIND is value, absence, sharing, key, class, storage or \
      mutability; without it, all kinds are meant. With PATH, only that value and those in it.
      """)

  static let strictLosses = flag(
    "strict",
    help: "Refuse lost classes, storage and mutability too.")

  static let classOf = text(
    "class-of", valueName: "PATH=NAME", isRepeatable: true,
    help:
      """
      Give objects at PATH the class NAME. Only where the schema names no class; [*] and .* match \
      all items and members.
      """)

  static let openStorage = choice(
    "storage", valueName: "STORAGE", of: FieldStorage.allCases.map(\.rawValue), hasDefault: false,
    help:
      "Write open numbers as STORAGE. Open are those of objects whose schema has no x-storage.")

  static let plainContainers = flag(
    "plain-containers",
    help:
      """
      Make objects dictionaries without a named class. Those whose class neither the schema nor \
      --class-of names become NSDictionary.
      """)

  static let keepLost = flag(
    "keep-lost", help: "Save lost values in FILE.lost.json. Migrating back restores them.")

  static let keepLostInside = flag(
    "keep-lost-inside",
    help: "Save lost values in the archive, as x-lost. Migrating back restores them.")
}
