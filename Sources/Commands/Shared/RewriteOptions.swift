// Options of commands that replace archives.

import CommandLineInterface

extension OptionDescription {
  /// `--in-place`: the files themselves are replaced.
  public static let inPlace = flag(
    "in-place", help: "Replace each file by its new form. The new form is verified first.")

  /// `--backup`: the old file stays beside the new one.
  public static let backup = text(
    "backup", valueName: "SUFFIX",
    help: "Keep each old file with SUFFIX added to its name. This needs --in-place.")

  /// `--output-dir`: where the migrated files go.
  public static let outputDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write results to the folder DIR. Each keeps the name of its file.")

  /// `-n`: nothing is written.
  public static let dryRun = flag(
    "dry-run", letter: "n", help: "Show what would change and write nothing.")

  /// `--plan`: what would be done, with operations and losses.
  public static let plan = flag(
    "plan",
    help: """
      Show operations and losses, and write nothing. With --format json the output is a plan \
      for --apply.
      """)

  /// `--apply`: a plan is done.
  public static let applyPlan = text(
    "apply", valueName: "PLAN",
    help: "Do what PLAN says. Files that have changed since are left alone.")

  /// `--no-journal`: no journal is written.
  public static let noJournal = flag(
    "no-journal", help: "Write no journal. The run cannot be undone then.")

  /// `--journal`: a journal is written.
  public static let journal = text(
    "journal", valueName: "FILE",
    help: "Write a journal to the new file FILE. With it the run can be resumed and undone.")

  /// `--resume`: an interrupted run goes on.
  public static let resume = text(
    "resume", valueName: "JOURNAL",
    help: "Continue the interrupted run of JOURNAL. Files that failed are tried again.")

  /// `--trust`: a journal or a plan is used though its seals cannot be verified.
  public static let trust = flag(
    "trust",
    help: "Accept a journal or plan without valid seals. Seals show who wrote it.")

  /// `--backup-dir`: where old files are kept.
  public static let backupDirectory = text(
    "backup-dir", valueName: "DIR",
    help: "Keep the old files in DIR. The default is FILE.backup beside the journal FILE.")

  /// `--keep-times`: new files get the old ones' times.
  public static let keepTimes = flag(
    "keep-times", help: "Give each new file the times of the old one.")

  /// `--wait`: a run waits for another.
  public static let wait = flag(
    "wait",
    help: """
      Wait for other runs instead of giving up. Two runs cannot work in one folder at the \
      same time.
      """)

  /// The options about the places, transactions and plans of commands that rewrite archives.
  static let rewriting = replacing + [.records]

  /// The same of commands that are not given records.
  static let replacing: [OptionDescription] =
    [
      .output, .inPlace, .backup, .outputDirectory, .dryRun, .force, .keepTimes, .journal,
      .noJournal, .backupDirectory, .resume, .trust, .wait,
    ] + batch + [.allowEmpty]
}
