// Options of `archtool dump`.

extension OptionDescription {
  /// `--format` of a dump: a tree or JSON.
  public static let dumpFormat = choice(
    "format", valueName: "FORMAT", of: ["tree", "json"], help: "Write the graph as FORMAT.")

  /// `--typed`: JSON that loses nothing.
  public static let typed = flag(
    "typed", help: "Write JSON that loses nothing: types, classes and references are spelled out.")

  /// `--raw`: the object table as stored.
  public static let raw = flag(
    "raw", help: "Show the object table as it is stored, without resolving references.")

  /// `--depth`: how deep to go.
  public static let depth = integer(
    "depth", in: 0...1_000_000, help: "Show no more than N levels below the root.")

  /// `--no-nested`: data values stay data.
  public static let noNested = flag(
    "no-nested", help: "Leave archives and property lists inside data values undecoded.")

  /// `--compact`: one line a file.
  public static let compact = flag("compact", help: "Write the JSON of each file on one line.")
}
