// `archtool migrate`.

extension CommandDescription {
  /// Takes files from one version of their schema to another.
  public static let migrate = CommandDescription(
    name: "migrate",
    abstract: "take archives from one version of their schema to another",
    operands: .files,
    options: [
      .from, .to, .family, .schemaFolders, .output, .inPlace, .backup, .outputDirectory, .dryRun,
      .className,
      .force,
    ],
    commonOptions: OptionDescription.common,
    rules: [
      .oneOf([.from]), .oneOf([.to]),
      .oneOf([.output, .inPlace, .outputDirectory, .dryRun]),
      .exclusive([.output, .inPlace, .outputDirectory]), .exclusive([.output, .recursive]),
      .needs(.backup, anyOf: [.inPlace]), .needs(.force, anyOf: [.output, .outputDirectory]),
      .singleOperand(.output), .filesOnly(.inPlace), .filesOnly(.outputDirectory),
    ],
    discussion: [
      """
      The new archive is decoded again, validated against the schema of its version, and compared \
      with the old one value by value before it is written. A file is replaced as a whole or not \
      at all. A file that is in the target version already is left alone.
      """,
      """
      One of --output, --in-place, --output-dir and --dry-run must be given. With --dry-run \
      nothing is written, whatever else is given. An output file that exists is replaced only \
      with --force.
      """,
      """
      References that share an object become copies where the target cannot share. A cycle that \
      the target cannot express is refused with its path.
      """,
    ],
    examples: [
      Example(
        command: "archtool migrate --from v1 --to v2 WeatherFeed -o WeatherFeed.v2",
        explanation: "Write the v1 archive WeatherFeed in v2 to WeatherFeed.v2."),
      Example(
        command: "archtool migrate --from v1 --to v2 --in-place --backup .old -r Feeds",
        explanation: "Migrate every file in the folder Feeds and keep the old ones."),
      Example(
        command: "archtool migrate --from v1 --to v2 --dry-run -r Feeds",
        explanation: "Say what that would change."),
    ],
    exits: [
      Exit(.done, "Every file is in the target version."),
      Exit(.answerIsNo, "A file does not fit the version that it should be in."),
      Exit(.undecodable), Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
