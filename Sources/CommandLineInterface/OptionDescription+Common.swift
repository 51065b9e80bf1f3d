// Options that several commands take.

extension OptionDescription {
  /// `-r`: folders are read.
  public static let recursive = flag(
    "recursive", letter: "r",
    help: "Read every regular file in the folders that are named, but those of archtool itself.")

  /// `--color`: when output is coloured.
  public static let color = choice(
    "color", valueName: "WHEN", of: ["auto", "always", "never"],
    help: "Say when to colour the output; auto means on a terminal.")

  /// `-q`: only data and errors.
  public static let quiet = flag(
    "quiet", letter: "q",
    help: "Suppress notes, verdicts and summaries; data, warnings and errors stay.")

  /// `--json5`: JSON inputs may be JSON5.
  public static let json5 = flag(
    "json5", help: "Read JSON inputs as JSON5: comments, bare keys, trailing commas and the like.")

  /// `-h`: help instead of the command.
  public static let help = flag("help", letter: "h", help: "Show help and do nothing else.")

  /// `--version`: the program's version.
  public static let version = flag("version", help: "Show the version and do nothing else.")

  /// `-o`: where the result goes.
  public static let output = text(
    "output", letter: "o", valueName: "FILE",
    help: "Write the result to FILE, or to standard output if FILE is '-'.")

  /// `-f`: existing outputs are replaced.
  public static let force = flag(
    "force", letter: "f", help: "Replace an output file that exists.")

  /// `--class`: the class of the root object of an `nscoding` archive.
  public static let className = text(
    "class", valueName: "NAME",
    help: "Give the root object of a v0 archive the class NAME, such as App.MovieClass.")

  /// `--format` of a report: as text or as JSON.
  public static let reportFormat = choice(
    "format", valueName: "FORMAT", of: ["text", "json"], help: "Write the report as FORMAT.")

  /// The options that every command over archives takes.
  static let common: [OptionDescription] = selection + [.color, .quiet, .help]
}
