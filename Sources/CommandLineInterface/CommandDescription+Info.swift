// `archtool info`.

extension CommandDescription {
  /// Says what files are.
  public static let info = CommandDescription(
    name: "info",
    abstract: "say what archives and property lists are",
    operands: .files,
    options: [
      .at, .schemaFolders, .json5, .reportFormat,
    ],
    commonOptions: OptionDescription.common,
    rules: [.exclusive([.at, .json5])],
    discussion: [
      """
      For each file the report gives its size and encoding, the archiver and the top-level keys \
      of an archive, the class of the root object, the envelope, the schema family and version \
      that fit, and the number of objects of each class.
      """
    ],
    examples: [
      Example(
        command: "archtool info WeatherFeed",
        explanation: "Say what kind of archive WeatherFeed is and which schema it fits.")
    ],
    exits: [Exit(.done), Exit(.undecodable), Exit(.cannotOpen), Exit(.inputOutput)])
}
