// Options that select the available schemas.

import CommandLineInterface

extension OptionDescription {
  /// `--schemas DIR`: folders of families and of schemas that others refer to.
  package static let schemaFolders = text(
    "schemas", valueName: "DIR", isRepeatable: true,
    help: """
      Look for schemas in the folder DIR. These may be families, or schemas that others \
      refer to.
      """)

  /// `--schema-file FILE`: a single schema without a family.
  package static let schemaFile = text(
    "schema-file", valueName: "SCHEMA",
    help: """
      Check against the JSON Schema in the file SCHEMA. Inputs may then be JSON as well.
      """
  )
  .completed(from: .files)

  /// `--assert-formats`: `format` is an assertion.
  package static let assertFormats = flag(
    "assert-formats",
    help: "Treat a string in the wrong format as a violation.")

  /// `--meta`: the meta-schema.
  package static let meta = flag(
    "meta", help: "Show the meta-schema of archtool's schemas.")

  /// `--class`: the class of the root object of an `nscoding` archive.
  package static let className = text(
    "class", valueName: "NAME",
    help: """
      Set the class of the root object to NAME. This is for v0 archives; App.MovieClass is \
      such a NAME.
      """
  )
  .completed(from: .classes)
}
