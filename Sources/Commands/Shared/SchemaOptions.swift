// Options that say which schemas there are.

import CommandLineInterface

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

  /// `--class`: the class of the root object of an `nscoding` archive.
  public static let className = text(
    "class", valueName: "NAME",
    help: "Give the root object of a v0 archive the class NAME, such as App.MovieClass.")
}
