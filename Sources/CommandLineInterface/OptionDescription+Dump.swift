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

  /// `--offsets`: where each node stands.
  public static let offsets = flag(
    "offsets", help: "Tell each node's first byte and its number of bytes, as in @92+7.")

  /// `--hex`: the bytes of one node.
  public static let hex = text(
    "hex", valueName: "PATH",
    help: "Show the bytes of the node at PATH, such as $.name, field by field.")

  /// `--recover`: damaged files are read as far as they go.
  public static let recover = flag(
    "recover", help: "Show what a damaged file still holds, and exit with 65 if anything is lost.")
}
