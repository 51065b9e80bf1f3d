// `archtool journal show` and `archtool undo`.

extension CommandDescription {
  /// Tells what a journal says.
  public static let journalShow = CommandDescription(
    name: "journal show",
    abstract: "tell what a run did, from its journal",
    operands: Operands(name: "JOURNAL", minimum: 1, maximum: 1),
    options: [.reportFormat, .listFiles],
    commonOptions: [.quiet, .help],
    rules: [],
    discussion: [
      """
      The report names the run, when it was started and with which arguments, whether it came to \
      its end, how many files came to which outcome, and each file that failed or was refused, with the \
      reason. \
      The format of journals is in archtool-journal(5).
      """
    ],
    examples: [
      Example(
        command: "archtool journal show feeds.journal",
        explanation: "Say what the run of feeds.journal did.")
    ],
    exits: [
      Exit(.done), Exit(.undecodable, "JOURNAL is no journal, or a line of it is wrong."),
      Exit(.cannotOpen), Exit(.inputOutput),
    ])

  /// Takes a run back.
  public static let undo = CommandDescription(
    name: "undo",
    abstract: "take back what a run did, from its journal",
    operands: Operands(name: "JOURNAL", minimum: 1, maximum: 1),
    options: [.dryUndo, .forceUndo, .trust],
    commonOptions: [.quiet, .color, .help],
    rules: [],
    discussion: [
      """
      Every file that the run replaced gets its old bytes back, with the mode, the times and the \
      extended attributes that it had. Files that the run created are deleted, and those that it \
      deleted are restored. The last file comes first. Each is replaced as a whole or not at all.
      """,
      """
      A file that was changed after the run stays as it is, unless --force is given; what was \
      changed is lost then. An undo that was interrupted can be done again. The old files are in \
      the folder that the journal names; while it exists, a run can be undone.
      """,
      """
      The lines of a journal are sealed with a key of the user. One that was edited, or that comes \
      from another user or machine or from an older version, is refused; --trust accepts it. Check \
      it before, with archtool journal show.
      """,
    ],
    examples: [
      Example(
        command: "archtool undo --dry-run feeds.journal",
        explanation: "Say which files would get their old bytes back."),
      Example(
        command: "archtool undo feeds.journal", explanation: "Take the run of feeds.journal back."),
    ],
    exits: [
      Exit(.done, "Every file is as it was before the run."),
      Exit(.answerIsNo, "A file could not be restored."),
      Exit(.undecodable, "JOURNAL is no journal, or a line of it is wrong."), Exit(.cannotOpen),
      Exit(.cannotCreate, "JOURNAL, or a folder of its run, is in use by another process."),
      Exit(.inputOutput),
    ])
}
