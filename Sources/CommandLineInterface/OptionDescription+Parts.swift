// Options of the commands that take archives apart and put them together.

extension OptionDescription {
  /// `--in-place` of an insertion: the file itself is replaced.
  public static let insertInPlace = flag(
    "in-place", help: "Replace FILE by the archive with the part once that is whole.")
}
