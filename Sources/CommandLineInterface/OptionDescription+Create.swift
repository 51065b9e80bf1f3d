// Options of `archtool create` and `archtool help`.

extension OptionDescription {
  /// `--schema NAME[@VERSION]`: the schema of the archive to make.
  public static let targetSchema = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Make an archive of this family and version, such as WeatherFeed@v2, or the newest.")

  /// `--fetched-at`: the text of the feed's `fetchedAt`.
  public static let fetchedAt = text(
    "fetched-at", valueName: "TEXT",
    help: "Write TEXT as the time when the answer was fetched, instead of the time now.")

  /// `--manual`: the manual page itself, for those who build the program.
  public static let manual = flag(
    "manual", isHidden: true, help: "Print the manual page in mdoc.")
}
