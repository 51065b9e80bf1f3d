// Options of `archtool migrate`.

extension OptionDescription {
  /// `--from`: the version that files are in.
  public static let from = text(
    "from", valueName: "VERSION", help: "Migrate files that are in VERSION, such as v1.")

  /// `--to`: the version that files shall be in.
  public static let to = text(
    "to", valueName: "VERSION", help: "Migrate them to VERSION, such as v2.")

  /// `--schema NAME[@VERSION]`: the family of the files, and the version that they are in.
  public static let family = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Treat the files as family NAME, in VERSION if it is given, instead of detecting it.")

  /// `--in-place`: the files themselves are replaced.
  public static let inPlace = flag(
    "in-place", help: "Replace each file by its new form once that is verified.")

  /// `--backup`: the old file stays beside the new one.
  public static let backup = text(
    "backup", valueName: "SUFFIX",
    help: "Keep the old file under its name with SUFFIX added; needs --in-place.")

  /// `--output-dir`: where the migrated files go.
  public static let outputDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write each result under its own name in the folder DIR.")

  /// `-n`: nothing is written.
  public static let dryRun = flag(
    "dry-run", letter: "n", help: "Say what would change and write nothing.")
}

// Options of commands that rewrite archives with lenses and plans.
extension OptionDescription {
  /// `--via`: a version that the way leads through.
  public static let via = text(
    "via", valueName: "VERSION", isRepeatable: true,
    help: "Lead the way through VERSION, instead of the shortest.")

  /// `--allow-loss`: values may be lost.
  public static let allowLoss = flag(
    "allow-loss", help: "Migrate although values are lost that the lenses cannot carry.")

  /// `--keep-lost`: lost values lie beside the archive.
  public static let keepLost = flag(
    "keep-lost", help: "Keep lost values in FILE.lost.json, from which the way back restores them.")

  /// `--keep-lost-inside`: lost values lie in the archive.
  public static let keepLostInside = flag(
    "keep-lost-inside", help: "Keep lost values in the model itself, in its member x-lost.")

  /// `--plan`: what would be done, with operations and losses.
  public static let plan = flag(
    "plan",
    help: "Say what would be done, with operations and losses; with --format json for --apply.")

  /// `--apply`: a plan is done.
  public static let applyPlan = text(
    "apply", valueName: "PLAN",
    help: "Do what PLAN says, and nothing to files that were changed since.")

  /// `--no-journal`: no journal is written.
  public static let noJournal = flag(
    "no-journal", help: "Write no journal although files are replaced; the run cannot be undone.")

  /// The options about the places, transactions and plans of commands that rewrite archives.
  static let rewriting = replacing + [.records]

  /// The same of commands that are not given records.
  static let replacing: [OptionDescription] =
    [
      .output, .inPlace, .backup, .outputDirectory, .dryRun, .force, .keepTimes, .journal,
      .noJournal, .backupDirectory, .resume, .trust, .wait,
    ] + fleet
}
