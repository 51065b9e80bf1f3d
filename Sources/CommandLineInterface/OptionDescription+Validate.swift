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

  /// `--max-errors`: how many violations of a file are reported.
  public static let maximumErrors = integer(
    "max-errors", in: 0...1_000_000_000, default: 0,
    help: "Report no more than N violations for each file; 0 reports all.")
}
