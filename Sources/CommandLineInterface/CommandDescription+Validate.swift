// `archtool validate`.

extension CommandDescription {
  /// Checks files against a schema.
  public static let validate = CommandDescription(
    name: "validate",
    abstract: "check archives against a schema",
    operands: .files,
    options: [.schema, .formatOnly, .json5, .reportFormat, .maximumErrors],
    commonOptions: OptionDescription.common,
    rules: [.exclusive([.schema, .formatOnly]), .exclusive([.formatOnly, .maximumErrors])],
    discussion: [
      """
      The schema family and version are detected and named, unless --schema gives them. Every \
      violation is reported with its path, with what was expected there and what was found.
      """,
      """
      An error answer of the weather service that was archived where a feed belongs is named as \
      such, with its code and message.
      """,
      """
      A number that fits the schema but not the method by which a class decodes it is a warning: \
      NSKeyedUnarchiver takes no real for an integer, and no integer for a real.
      """,
      """
      With --format-only a file is valid if it can be read whole, with all archives in its data \
      values. What cannot be read is an error with its byte offset, and the exit status 65.
      """,
    ],
    examples: [
      Example(
        command: "archtool validate WeatherFeed",
        explanation: "Find the schema of WeatherFeed and check the archive against it."),
      Example(
        command: "archtool validate --schema WeatherFeed@v2 -r Feeds",
        explanation: "Check that every file in the folder Feeds is a WeatherFeed in v2."),
      Example(
        command: "archtool validate --format-only WeatherFeed Movie",
        explanation: "Check that both files are well formed, whatever they hold."),
    ],
    exits: [
      Exit(.done, "Every file fits its schema."),
      Exit(.answerIsNo, "A file does not fit its schema, or fits none that is known."),
      Exit(.undecodable), Exit(.cannotOpen), Exit(.inputOutput),
    ])
}
