// Options of `archtool convert`.

extension OptionDescription {
  /// `--to` of a conversion: the format to write.
  public static let conversionTarget = choice(
    "to", valueName: "FORMAT",
    of: ["binary1", "xml1", "openstep", "json", "swift", "objc", "keyed-archive"],
    hasDefault: false, help: "Write FORMAT.")

  /// `--in-place` of a conversion: the files themselves are replaced.
  public static let convertInPlace = flag(
    "in-place", help: "Replace each file by its converted form once that is whole.")

  /// `--no-tags`: typed JSON is read as ordinary JSON.
  public static let noTags = flag(
    "no-tags", help: "Read the tags of typed JSON as members of ordinary dictionaries.")
}
