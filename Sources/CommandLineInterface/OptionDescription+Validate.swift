// Options of `archtool validate`.

extension OptionDescription {
  /// `--schema NAME[@VERSION]`: the schema that files must fit.
  public static let schema = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Validate against the family NAME, or one version of it, instead of the one detected.")

  /// `--format-only`: no schema, only whether the bytes are well formed.
  public static let formatOnly = flag(
    "format-only",
    help: "Check that files are well-formed property lists, archives or JSON; no schema is needed.")

  /// `--lint`: what is sound and still worth a word.
  public static let lint = flag(
    "lint", help: "Warn of what can be read and is questionable all the same.")

  /// `--allow-classes FILE`: the classes that objects may have.
  public static let allowedClasses = text(
    "allow-classes", valueName: "LIST",
    help: "Allow objects of the classes only whose names or patterns the lines of LIST are.")

  /// `--format` of validation: for people, programs, code scanning or dashboards.
  public static let validationFormat = choice(
    "format", valueName: "FORMAT", of: ["text", "json", "ndjson", "sarif", "junit"],
    help: "Write the results as FORMAT.")

  /// `--structure`: the output structure of JSON Schema.
  public static let structure = choice(
    "structure", valueName: "NAME", of: ["basic", "detailed"],
    help: "Write errors in JSON as a flat list, or nested as the schemas that did not fit.")

  /// `--explain`: an excerpt of the graph for each violation.
  public static let explain = flag(
    "explain", help: "Show the value of each violation where it stands, and the schema's keyword.")

  /// `--fail-fast`: the first file that is not valid is the last.
  public static let failFast = flag(
    "fail-fast", help: "Stop after the first file that is not as it should be.")

  /// `--max-errors`: how many violations of a file are reported.
  public static let maximumErrors = integer(
    "max-errors", in: 0...1_000_000_000, default: 0,
    help:
      "Report no more than N violations for each file; 0 reports the first 10000, and counts all.")
}
