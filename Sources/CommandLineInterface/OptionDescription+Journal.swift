// Options about journals: of the commands that write them, and of those that read them.

extension OptionDescription {
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

  /// `--files` of a journal's report.
  public static let listFiles = flag(
    "files",
    help: "List every file with what became of it, not only those that failed or were refused.")

  /// `-n` of an undo.
  public static let dryUndo = flag(
    "dry-run", letter: "n", help: "Say which files would be restored and write nothing.")

  /// `-f` of an undo.
  public static let forceUndo = flag(
    "force", letter: "f", help: "Restore files that were changed after the run, too.")
}
