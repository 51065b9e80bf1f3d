// `archtool dump`.

extension CommandDescription {
  /// Shows the object graph of files.
  public static let dump = CommandDescription(
    name: "dump",
    abstract: "show what archives and property lists hold",
    operands: .files,
    options: [
      .at, .dumpFormat, .typed, .raw, .depth, .noNested, .compact, .offsets, .hex, .recover, .json5,
      .output, .force,
    ],
    commonOptions: OptionDescription.common,
    rules: [
      .implies(.typed, .dumpFormat, value: "json"),
      .implies(.compact, .dumpFormat, value: "json"),
      .implies(.offsets, .dumpFormat, value: "tree"), .implies(.hex, .dumpFormat, value: "tree"),
      .exclusive([.hex, .offsets]), .exclusive([.hex, .typed]), .exclusive([.hex, .depth]),
      .needs(.force, anyOf: [.output]), .exclusive([.at, .json5]),
      .exclusive([.typed, .noNested]), .exclusive([.raw, .noNested]),
    ],
    discussion: [
      """
      The tree names the class of each object. An object that is referred to more than once is \
      shown where it is met first, and by its number afterwards. Swift class names are demangled.
      """,
      """
      An archive or property list that lies inside a data value is decoded in its place, to any \
      depth, unless --no-nested is given. Both --typed and --compact mean --format json.
      """,
      """
      With --recover a property list in binary or XML or a typedstream whose trailer, offset \
      table, end or objects are missing or damaged, compressed or not, is read as far as it \
      goes. Where something is lost, the key $lost says what; each loss is reported as well.
      """,
      """
      With several files, one that cannot be read is reported and the others are shown. An output \
      file that exists is replaced only with --force.
      """,
    ],
    examples: [
      Example(
        command: "archtool dump WeatherFeed",
        explanation: "Show the archive WeatherFeed as a tree."),
      Example(
        command: "archtool dump --format json Movie",
        explanation: "Show the archive Movie as JSON."),
      Example(
        command: "archtool dump --raw Movie",
        explanation: "Show the object table that the archive Movie stores."),
      Example(
        command: "archtool dump --hex '$.name' Movie",
        explanation: "Show the bytes of one value of the archive Movie."),
    ],
    exits: [
      Exit(.done), Exit(.undecodable), Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}

extension CommandDescription.Operands {
  /// Any number of files, at least one.
  static let files = CommandDescription.Operands(name: "FILE", minimum: 1, maximum: nil)
}
