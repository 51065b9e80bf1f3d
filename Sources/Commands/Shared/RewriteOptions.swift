// Options of commands that replace archives.

import CommandLineInterface

extension OptionDescription {
  static let inPlace = flag(
    "in-place", help: "Replace each file by its new form. The new form is verified first.")

  static let backup = text(
    "backup", valueName: "SUFFIX",
    help: "Keep each old file with SUFFIX added to its name. This needs --in-place.")

  static let outputDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write results to the folder DIR. Each keeps the name of its file.")

  static let dryRun = flag(
    "dry-run", letter: "n", help: "Show what would change and write nothing.")

  static let plan = flag(
    "plan",
    help: """
      Show operations and losses, and write nothing. With --format json the output is a plan \
      for --apply.
      """)

  static let applyPlan = text(
    "apply", valueName: "PLAN",
    help: "Do what PLAN says. Files that have changed since are left alone.")

  static let noJournal = flag(
    "no-journal", help: "Write no journal. The run cannot be undone then.")

  static let journal = text(
    "journal", valueName: "FILE",
    help: "Write a journal to the new file FILE. With it the run can be resumed and undone.")

  static let resume = text(
    "resume", valueName: "JOURNAL",
    help: "Continue the interrupted run of JOURNAL. Files that failed are tried again.")

  static let trust = flag(
    "trust",
    help: "Accept a journal or plan without valid seals. Seals show who wrote it.")

  static let backupDirectory = text(
    "backup-dir", valueName: "DIR",
    help: "Keep the old files in DIR. The default is FILE.backup beside the journal FILE.")

  static let keepTimes = flag(
    "keep-times", help: "Give each new file the times of the old one.")

  static let wait = flag(
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
