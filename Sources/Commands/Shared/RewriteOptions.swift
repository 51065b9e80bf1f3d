// Options of commands that replace archives.

import CommandLineInterface

extension OptionDescription {
  /// `--in-place`: replaces the files themselves.
  package static let inPlace = flag(
    "in-place", help: "Replace each file by its new form. The new form is verified first.")

  /// `--backup`: keeps the old file beside the new one.
  package static let backup = text(
    "backup", valueName: "SUFFIX",
    help: "Keep each old file with SUFFIX added to its name. This needs --in-place.")

  /// `--output-dir`: the destination folder of the migrated files.
  package static let outputDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write results to the folder DIR. Each keeps the name of its file.")

  /// `-n`: writes nothing.
  package static let dryRun = flag(
    "dry-run", letter: "n", help: "Show what would change and write nothing.")

  /// `--plan`: shows what would be done, with operations and losses.
  package static let plan = flag(
    "plan",
    help: """
      Show operations and losses, and write nothing. With --format json the output is a plan \
      for --apply.
      """)

  /// `--apply`: applies a plan.
  package static let applyPlan = text(
    "apply", valueName: "PLAN",
    help: "Do what PLAN says. Files that have changed since are left alone.")

  /// `--no-journal`: writes no journal.
  package static let noJournal = flag(
    "no-journal", help: "Write no journal. The run cannot be undone then.")

  /// `--journal`: writes a journal.
  package static let journal = text(
    "journal", valueName: "FILE",
    help: "Write a journal to the new file FILE. With it the run can be resumed and undone.")

  /// `--resume`: continues an interrupted run.
  package static let resume = text(
    "resume", valueName: "JOURNAL",
    help: "Continue the interrupted run of JOURNAL. Files that failed are tried again.")

  /// `--trust`: uses a journal or a plan even if its seals cannot be verified.
  package static let trust = flag(
    "trust",
    help: "Accept a journal or plan without valid seals. Seals show who wrote it.")

  /// `--backup-dir`: the folder for old files.
  package static let backupDirectory = text(
    "backup-dir", valueName: "DIR",
    help: "Keep the old files in DIR. The default is FILE.backup beside the journal FILE.")

  /// `--keep-times`: new files keep the times of the old ones.
  package static let keepTimes = flag(
    "keep-times", help: "Give each new file the times of the old one.")

  /// `--wait`: waits for another run.
  package static let wait = flag(
    "wait",
    help: """
      Wait for other runs instead of giving up. Two runs cannot work in one folder at the \
      same time.
      """)

  /// The options about destinations, transactions and plans of commands that rewrite archives.
  static let rewriting = replacing + [.records]

  /// The same options for commands that do not handle records.
  static let replacing: [OptionDescription] =
    [
      .output, .inPlace, .backup, .outputDirectory, .dryRun, .force, .keepTimes, .journal,
      .noJournal, .backupDirectory, .resume, .trust, .wait,
    ] + batch + [.allowEmpty]
}
