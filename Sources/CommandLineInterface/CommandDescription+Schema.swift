// `archtool schema …`: looking at schemas, and checking them.

extension CommandDescription {
  /// Lists the families.
  public static let schemaList = CommandDescription(
    name: "schema list",
    abstract: "list the schema families that are known",
    operands: Operands(name: "NAME", minimum: 0, maximum: nil),
    options: [.schemaFolders, .reportFormat],
    commonOptions: [.quiet, .help],
    rules: [],
    discussion: [
      """
      Families are found in the folders of --schemas, in those of the environment variable \
      ARCHTOOL_SCHEMAS, in archtool/schemas below XDG_CONFIG_HOME, and built in. Of two \
      of one name the first counts.
      """
    ],
    examples: [
      Example(
        command: "archtool schema list --schemas Schemas",
        explanation: "List the families in the folder Schemas and those that are built in.")
    ],
    exits: [
      Exit(.done), Exit(.answerIsNo, "There is no family NAME."), Exit(.undecodable),
      Exit(.cannotOpen),
    ])

  /// Shows a schema.
  public static let schemaShow = CommandDescription(
    name: "schema show",
    abstract: "show a schema, or the meta-schema",
    operands: Operands(name: "NAME@VERSION", minimum: 0, maximum: 1),
    options: [.meta, .schemaFolders, .output, .force],
    commonOptions: [.quiet, .help],
    rules: [.needs(.force, anyOf: [.output]), .exclusive([.meta, .schemaFolders])],
    discussion: [
      """
      With --meta the meta-schema of archtool's schemas is shown: JSON Schema 2020-12 with \
      x-plist-type and x-archive. Editors that are given it complete and check schema files.
      """
    ],
    examples: [
      Example(
        command: "archtool schema show WeatherFeed@v2",
        explanation: "Show the schema of the second version of WeatherFeed.")
    ],
    exits: [
      Exit(.done), Exit(.usage), Exit(.undecodable), Exit(.cannotOpen), Exit(.cannotCreate),
    ])

  /// Checks families.
  public static let schemaCheck = CommandDescription(
    name: "schema check",
    abstract: "check schema families and their samples",
    operands: Operands(name: "DIR", minimum: 1, maximum: nil),
    options: [.schemaFolders, .assertFormats, .reportFormat],
    commonOptions: [.color, .quiet, .help],
    rules: [],
    discussion: [
      """
      DIR is the folder of a family or holds such folders. Every schema must be well formed, its \
      keywords known. Every file in DIR/samples/VERSION must fit that version and no other, \
      and none of what stands in DIR/samples/VERSION/invalid may fit it.
      """,
      """
      Every lens, DIR/FROM-TO.lens.json, is proved in both directions: what any value of the \
      one version becomes must fit the other. Without lenses the versions have one model; where \
      neighbours cannot, that is a warning.
      """,
    ],
    examples: [
      Example(
        command: "archtool schema check Schemas/Recipe",
        explanation: "Check the family in the folder Schemas/Recipe.")
    ],
    exits: [
      Exit(.done),
      Exit(.answerIsNo, "A sample does not fit as it should, or a lens is not proved."),
      Exit(.undecodable, "A schema or lens is wrong, or a sample cannot be decoded."),
      Exit(.cannotOpen),
    ])

  /// Makes a schema from examples.
  public static let schemaInfer = CommandDescription(
    name: "schema infer",
    abstract: "make a schema from example archives",
    operands: .files,
    options: [
      .inferredFamily, .inferredVersion, .title, .familyDirectory, .open, .ranges, .noEnums,
      .noFormats, .output, .force, .json5,
    ],
    commonOptions: OptionDescription.common,
    rules: [
      .needs(.inferredFamily, anyOf: [.inferredVersion]),
      .needs(.inferredVersion, anyOf: [.inferredFamily]),
      .needs(.familyDirectory, anyOf: [.inferredFamily]),
      .exclusive([.output, .inferredFamily]),
      .needs(.force, anyOf: [.output, .inferredFamily]),
    ],
    discussion: [
      """
      The schema fits every example: it has their types, the members that all of them have as \
      required ones, the strings where few recur, and the formats that all strings of a place \
      have. The examples must have one envelope. The schema is a beginning: read it over.
      """,
      """
      With --family and --version it becomes a version of a family in the folder of that name, \
      which is made if it is not there. A version that exists is replaced only with --force.
      """,
    ],
    examples: [
      Example(
        command: "archtool schema infer --family Recipe --version v1 Recipes/*",
        explanation: "Make the family Recipe from the archives in the folder Recipes.")
    ],
    exits: [
      Exit(.done), Exit(.answerIsNo, "The examples have different envelopes."), Exit(.undecodable),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])

  /// Compares two versions.
  public static let schemaDiff = CommandDescription(
    name: "schema diff",
    abstract: "say what changed between schemas, and whether it is compatible",
    operands: Operands(name: "SCHEMA", minimum: 2, maximum: 2),
    options: [.comparedFamily, .models, .compatibility, .notes, .schemaFolders, .reportFormat],
    commonOptions: [.color, .quiet, .help],
    rules: [],
    discussion: [
      """
      A SCHEMA is NAME@VERSION or a file; with --family it is a version alone. The first is the \
      old one. A change is backward compatible if everything that fits the old schema fits the \
      new one, so that new readers read old data; forward compatible if everything that fits the \
      new schema fits the old one; and fully compatible if it is both. What cannot be proved \
      is said to be so, and does not count as compatible. Readers of one envelope cannot open \
      another, so that versions whose envelopes differ are not compatible; --models leaves the \
      envelopes out.
      """
    ],
    examples: [
      Example(
        command: "archtool schema diff --family WeatherFeed v1 v2",
        explanation: "Compare the versions of WeatherFeed."),
      Example(
        command: "archtool schema diff --compatibility backward old.json new.json",
        explanation: "Fail if data that fits old.json might not fit new.json."),
    ],
    exits: [
      Exit(.done, "Nothing changed, or the change is compatible as --compatibility wants it."),
      Exit(.answerIsNo, "The schemas differ, or the change is not compatible so."),
      Exit(.undecodable), Exit(.cannotOpen),
    ])

  /// Writes Swift for a version.
  public static let schemaSwift = CommandDescription(
    name: "schema swift",
    abstract: "write Codable types for a schema",
    operands: Operands(name: "SCHEMA", minimum: 1, maximum: 1),
    options: [.typeName, .schemaFolders, .output, .force],
    commonOptions: [.quiet, .help],
    rules: [.needs(.force, anyOf: [.output])],
    discussion: [
      """
      A SCHEMA is NAME@VERSION or a file. Members that are no identifiers get coding keys, members \
      that are not required are optional, and dates and data have the types that the property \
      list gives them.
      """
    ],
    examples: [
      Example(
        command: "archtool schema swift WeatherFeed@v2 -o WeatherFeed.swift",
        explanation: "Write structs that decode the second version of WeatherFeed.")
    ],
    exits: [
      Exit(.done), Exit(.usage), Exit(.undecodable), Exit(.cannotOpen), Exit(.cannotCreate),
    ])
}
