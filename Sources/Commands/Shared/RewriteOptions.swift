// Options of commands that replace archives.

import CommandLineInterface

extension OptionDescription {
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

  /// `--journal`: a journal is written.
  public static let journal = text(
    "journal", valueName: "FILE",
    help: "Write to the new file FILE what is done, so that it can be resumed and undone.")

  /// `--resume`: an interrupted run goes on.
  public static let resume = text(
    "resume", valueName: "JOURNAL",
    help: "Go on with the interrupted run of JOURNAL, or with its files that failed.")

  /// `--trust`: a journal or a plan is used though its seals cannot be verified.
  public static let trust = flag(
    "trust",
    help: "Use the journal or plan as it is, although its seals do not show who wrote it.")

  /// `--backup-dir`: where old files are kept.
  public static let backupDirectory = text(
    "backup-dir", valueName: "DIR",
    help: "Keep the old files in DIR, not beside the journal in FILE.backup.")

  /// `--keep-times`: new files get the old ones' times.
  public static let keepTimes = flag(
    "keep-times", help: "Give each new file the times of the old one.")

  /// `--wait`: a run waits for another.
  public static let wait = flag(
    "wait", help: "Wait while another run works in a folder, instead of giving up.")

  /// The options about the places, transactions and plans of commands that rewrite archives.
  static let rewriting = replacing + [.records]

  /// The same of commands that are not given records.
  static let replacing: [OptionDescription] =
    [
      .output, .inPlace, .backup, .outputDirectory, .dryRun, .force, .keepTimes, .journal,
      .noJournal, .backupDirectory, .resume, .trust, .wait,
    ] + batch + [.allowEmpty]
}
