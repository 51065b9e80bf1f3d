// Options of `archtool convert`.

import KeyedArchives

extension OptionDescription {
  /// `--to` of a conversion: the format to write.
  public static let conversionTarget = choice(
    "to", valueName: "FORMAT",
    of: ConversionTarget.allCases.map(\.rawValue),
    hasDefault: false, help: "Write FORMAT.")

  /// `--no-tags`: typed JSON is read as ordinary JSON.
  public static let noTags = flag(
    "no-tags", help: "Read the tags of typed JSON as members of ordinary dictionaries.")

  /// `--keys`: names for the values of a typedstream's class.
  public static let keys = text(
    "keys", valueName: "CLASS=KEY,...", isRepeatable: true,
    help: "Name the values that a typedstream's objects of CLASS hold, in their order.")
}
