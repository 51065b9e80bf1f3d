// Options of the commands over schemas.

extension OptionDescription {
  /// `--schemas DIR`: folders of families and of schemas that others refer to.
  public static let schemaFolders = text(
    "schemas", valueName: "DIR", isRepeatable: true,
    help: "Look for schema families, and for schemas that others refer to, in the folder DIR.")

  /// `--schema-file FILE`: a schema that stands alone.
  public static let schemaFile = text(
    "schema-file", valueName: "SCHEMA",
    help: "Validate against the JSON Schema in the file SCHEMA; inputs may be JSON as well.")

  /// `--assert-formats`: `format` is an assertion.
  public static let assertFormats = flag(
    "assert-formats",
    help: "Let a string that does not have the format of its schema be a violation.")

  /// `--meta`: the meta-schema.
  public static let meta = flag(
    "meta", help: "Show the meta-schema that schemas of archtool are written in.")

  /// `--family NAME` of `schema infer`: the family that the schema becomes a version of.
  public static let inferredFamily = text(
    "family", valueName: "NAME",
    help: "Write the schema as a version of the family NAME, into a folder of that name.")

  /// `--version NAME` of `schema infer`: the version that the schema becomes.
  public static let inferredVersion = text(
    "version", valueName: "NAME", help: "Give the version in the family the name NAME, such as v1.")

  /// `--title TEXT` of `schema infer`.
  public static let title = text(
    "title", valueName: "TEXT", help: "Give the schema the title TEXT.")

  /// `--output-dir DIR` of `schema infer`: where the family's folder is.
  public static let familyDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write the folder of the family into the folder DIR instead of the current one.")

  /// `--open`: members that no example has are allowed.
  public static let open = flag(
    "open", help: "Allow members that none of the examples has.")

  /// `--ranges`: the least and greatest values become limits.
  public static let ranges = flag(
    "ranges", help: "Make the least and greatest numbers, lengths and counts that were met limits.")

  /// `--no-enums`: strings that recur stay strings.
  public static let noEnums = flag(
    "no-enums", help: "Allow any string where a few recur, instead of listing them.")

  /// `--no-formats`: strings of a format stay strings.
  public static let noFormats = flag(
    "no-formats", help: "Do not name the format of strings that all have one.")

  /// `--family NAME` of `schema diff`: the family whose versions are compared.
  public static let comparedFamily = text(
    "family", valueName: "NAME", help: "Take the operands for versions of the family NAME.")

  /// `--compatibility KIND`: what `schema diff` must find.
  public static let compatibility = choice(
    "compatibility", valueName: "KIND", of: ["backward", "forward", "full"], hasDefault: false,
    help: "Exit with 0 if the change is compatible so, and with 1 if it is not.")

  /// `--models`: envelopes do not count.
  public static let models = flag(
    "models", help: "Compare the models alone, whatever envelopes they are in.")

  /// `--notes`: changes of annotations are listed.
  public static let notes = flag(
    "notes", help: "List changes of titles, descriptions and the like as well.")

  /// `--type NAME`: the name of the outermost type.
  public static let typeName = text(
    "type", valueName: "NAME", help: "Name the outermost type NAME instead of as the family.")
}
