// `archtool create`.

extension CommandDescription {
  /// Makes an archive from a service's JSON answer.
  public static let create = CommandDescription(
    name: "create",
    abstract: "make an archive from JSON",
    operands: Operands(name: "FILE", minimum: 1, maximum: 1),
    options: [.targetSchema, .schemaFolders, .output, .fetchedAt, .className, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.targetSchema]), .oneOf([.output])],
    discussion: [
      """
      FILE is JSON that fits the model of the schema. For WeatherFeed it is the answer of the \
      weather service to a request for the top cities; members that the model does not know are \
      left out. Text becomes a date (ISO 8601) or data (Base64) where the schema says x-plist-type \
      date or data; the typed JSON of dump is taken for what it tells. An output file that exists is \
      replaced only with --force.
      """
    ],
    examples: [
      Example(
        command: "archtool create --schema WeatherFeed@v2 topcities.json -o TopCities",
        explanation: "Make the v2 archive TopCities from the answer in topcities.json.")
    ],
    exits: [
      Exit(.done), Exit(.answerIsNo, "The JSON does not fit the schema."), Exit(.undecodable),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
