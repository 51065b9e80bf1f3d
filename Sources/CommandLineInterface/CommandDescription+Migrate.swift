// `archtool migrate`.

extension CommandDescription {
  /// Takes files from one version of their schema to another.
  public static let migrate = CommandDescription(
    name: "migrate",
    abstract: "take archives from one version of their schema to another",
    operands: .files,
    options: [
      .at, .from, .to, .via, .family, .schemaFolders, .className, .allowLoss, .keepLost,
      .keepLostInside, .plan, .applyPlan, .reportFormat,
    ] + OptionDescription.rewriting + OptionDescription.substitutions,
    commonOptions: OptionDescription.common,
    rules: [
      .oneOf([.to, .resume, .applyPlan]),
      .exclusive([.allowLoss, .keepLost, .keepLostInside]),
      .needs(.reportFormat, anyOf: [.plan]), .replacesOperands(.applyPlan),
      .exclusive([.plan, .dryRun, .records, .resume, .applyPlan]),
      .exclusive([.plan, .output]), .exclusive([.applyPlan, .output]),
    ] + OptionRule.substitutions + OptionRule.rewriting(orElse: [.plan, .applyPlan]),
    discussion: [
      """
      The lenses of the family lead from version to version, by the shortest way or by that of \
      --via; a family without lenses has one model in all its versions. The new archive is decoded \
      again, validated against the schema of its version, taken back through the lenses and \
      compared with the old one value by value before it is written. A file is replaced as a whole \
      or not at all. A file that is in the target version already is left alone; \
      with --output and --output-dir it is copied as it is.
      """,
      """
      An archive that would lose values is refused, and what would be lost is named. With \
      --allow-loss it is lost. With --keep-lost it goes to the file FILE.lost.json beside the \
      archive, with --keep-lost-inside into the archive, and comes back when the archive is \
      migrated back. Names are put in the place of others, as by rename-class, before the version \
      is looked for.
      """,
      """
      One of --output, --in-place, --output-dir, --dry-run, --plan and --records must be given. \
      With --dry-run and --plan nothing is written, whatever else is given. An output file that \
      exists is replaced only with --force.
      """,
      """
      With --in-place a journal is written, to FILE of --journal or to the folder archtool in \
      XDG_STATE_HOME, and the old files are kept beside it: archtool undo takes the run back, \
      --resume goes on with one that was interrupted, or tries the files again that failed. \
      archtool-migrate(1) is the guide.
      """,
      """
      References that share an object become copies where the target cannot share, or where a \
      lens changes it. A cycle that the target cannot express is refused with its path.
      """,
    ],
    examples: [
      Example(
        command: "archtool migrate --from v1 --to v2 WeatherFeed -o WeatherFeed.v2",
        explanation: "Write the v1 archive WeatherFeed in v2 to WeatherFeed.v2."),
      Example(
        command: "archtool migrate --to v2 --plan -r Feeds",
        explanation: "Say what migrating every file in the folder Feeds would do, and lose."),
      Example(
        command: "archtool migrate --to v2 --in-place --journal feeds.journal -r Feeds",
        explanation: "Migrate every file in the folder Feeds, so that it can be undone."),
    ],
    exits: [
      Exit(.done, "Every file is in the target version."),
      Exit(
        .answerIsNo, "A file does not fit the version that it should be in, or would lose values."),
      Exit(.undecodable), .cannotOpenOrNone, Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
