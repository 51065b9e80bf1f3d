// `archtool validate`.

extension CommandDescription {
  /// Checks files against a schema.
  public static let validate = CommandDescription(
    name: "validate",
    abstract: "check archives against a schema",
    operands: .files,
    options: [.schema, .json5, .reportFormat, .maximumErrors],
    commonOptions: OptionDescription.common,
    rules: [],
    discussion: [
      """
      The schema family and version are detected and named, unless --schema gives them. Every \
      violation is reported with its path, with what was expected there and what was found.
      """,
      """
      An error answer of the weather service that was archived where a feed belongs is named as \
      such, with its code and message.
      """,
    ],
    examples: [
      Example(
        command: "archtool validate WeatherFeed",
        explanation: "Find the schema of WeatherFeed and check the archive against it."),
      Example(
        command: "archtool validate --schema WeatherFeed@v2 -r Feeds",
        explanation: "Check that every file in the folder Feeds is a WeatherFeed in v2."),
    ],
    exits: [
      Exit(.done, "Every file fits its schema."),
      Exit(.answerIsNo, "A file does not fit its schema, or fits none that is known."),
      Exit(.undecodable), Exit(.cannotOpen), Exit(.inputOutput),
    ])
}
