// `archtool convert`.

import FileTransactions

extension CommandDescription {
  /// Writes files in another format.
  public static let convert = CommandDescription(
    name: "convert",
    abstract: "write property lists and archives in another format",
    operands: .files,
    options: [
      .at, .conversionTarget, .typed, .compact, .noTags, .keys, .json5,
    ] + OptionDescription.replacing,
    commonOptions: OptionDescription.common,
    rules: [
      .oneOf([.conversionTarget, .resume]), .exclusive([.at, .json5]),
      .implies(.typed, .conversionTarget, value: "json"),
      .implies(.compact, .conversionTarget, value: "json"),
      .severalNeed([.outputDirectory, .inPlace, .compact, .dryRun]),
    ] + OptionRule.replacing() + OptionRule.fleetNeedsPlaces,
    discussion: [
      """
      What is stored is converted: a keyed archive stays the keyed archive it is, in another \
      encoding. What the format cannot spell is refused with its path: a UID in JSON without \
      --typed, a null in XML, an integer of over 64 bits.
      """,
      """
      A typedstream becomes a keyed archive, in whichever encoding. Foundation's value classes get \
      their own keys; the values of other classes go by their number, $0 being the first, or by \
      the names that --keys gives them.
      """,
      """
      With --in-place and --output-dir files are replaced, journaled, resumed and undone as by \
      migrate: --in-place writes a journal and keeps the old files, and archtool undo takes the run \
      back. A file that would get the bytes that it has is left alone.
      """,
    ],
    examples: [
      Example(
        command: "archtool convert --to xml1 Movie -o Movie.plist",
        explanation: "Write the archive Movie as XML to Movie.plist."),
      Example(
        command: "archtool convert --to keyed-archive --keys AppThing=name Old -o New",
        explanation:
          "Make a keyed archive of a typedstream, in which the first value of an AppThing is its name."
      ),
    ],
    exits: [
      Exit(.done), Exit(.undecodable, "An input cannot be decoded, or not be spelled in FORMAT."),
      .cannotOpenOrNone, Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
