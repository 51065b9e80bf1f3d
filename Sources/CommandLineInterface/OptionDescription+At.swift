// The option that names archives inside a file.

extension OptionDescription {
  /// `--at`: the archives in data values of each file.
  public static let at = text(
    "at", valueName: "PATH",
    help: "Take the archives in the data values at PATH, such as $.CACHED or $.items[*].")
}
