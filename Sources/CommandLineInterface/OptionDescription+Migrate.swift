// Options of `archtool migrate`.

extension OptionDescription {
  /// `--from`: the version that files are in.
  public static let from = text(
    "from", valueName: "VERSION", help: "Migrate files that are in VERSION, such as v1.")

  /// `--to`: the version that files shall be in.
  public static let to = text(
    "to", valueName: "VERSION", help: "Migrate them to VERSION, such as v2.")

  /// `--schema NAME`: the family of the files.
  public static let family = text(
    "schema", valueName: "NAME", help: "Take the files for the family NAME, not the one detected.")

  /// `--in-place`: the files themselves are replaced.
  public static let inPlace = flag(
    "in-place", help: "Replace each file by its migrated form once that is proved equal.")

  /// `--backup`: the old file stays beside the new one.
  public static let backup = text(
    "backup", valueName: "SUFFIX",
    help: "Keep the old file under its name with SUFFIX added; needs --in-place.")

  /// `--output-dir`: where the migrated files go.
  public static let outputDirectory = text(
    "output-dir", valueName: "DIR",
    help: "Write each migrated file under its own name in the folder DIR.")

  /// `-n`: nothing is written.
  public static let dryRun = flag(
    "dry-run", letter: "n", help: "Say what would change and write nothing.")
}
