// `archtool extract`, `archtool insert` and `archtool merge`.

import Batches

extension CommandDescription {
  /// Takes a part out of an archive.
  public static let extract = CommandDescription(
    name: "extract",
    abstract: "write a part of an archive as an archive of its own",
    operands: Operands(name: "PATH FILE", minimum: 2, maximum: 2),
    options: [.output, .force], commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.output])],
    discussion: [
      """
      PATH is a path as dump shows it, such as $.cities[2]: $ is the root, or with several \
      top-level keys the dictionary of them. The object that it leads to becomes the root of a keyed \
      archive, with all that it leads to; classes, storage and sharing stay as they are, and nothing \
      else of FILE is in it. A string or a number becomes an archive with that root. Of a plain \
      property list the value becomes a property list. A path goes on into an archive in a data \
      value.
      """,
      """
      The encoding stays that of FILE. What is written is decoded again and compared with what was \
      extracted. FILE itself is not changed. An output file that exists is replaced only with --force.
      """,
    ],
    examples: [
      Example(
        command: "archtool extract '$.topCityWeathers[0]' Saved -o Part",
        explanation: "Write the first of the cities in Saved as an archive to Part.")
    ],
    exits: [
      Exit(.done),
      Exit(.undecodable, "FILE cannot be decoded, or has nothing at PATH that can be a root."),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])

  /// Puts a part into an archive.
  public static let insert = CommandDescription(
    name: "insert",
    abstract: "put the root of an archive into another archive",
    operands: Operands(name: "PATH PART FILE", minimum: 3, maximum: 3),
    options: [.output, .insertInPlace, .backup, .force],
    commonOptions: [.color, .quiet, .help],
    rules: [
      .oneOf([.output, .insertInPlace]), .exclusive([.output, .insertInPlace]),
      .needs(.backup, anyOf: [.insertInPlace]), .needs(.force, anyOf: [.output]),
      .filesOnly(.insertInPlace),
    ],
    discussion: [
      """
      The root of PART takes the place of what PATH leads to in FILE. A key that a dictionary does \
      not have yet is added to it, and so is an element whose number is the length of a list. The \
      objects of PART are copied as they are, with their classes; a class record that FILE has \
      already is used again. What nothing in FILE leads to afterwards is removed. Only the place \
      that PATH names changes: other places that hold the same object keep it.
      """,
      """
      Refused are a path that leads nowhere, a new field for an object of an application's class, a \
      number in place, as encodeInt: writes it, that an object would replace, and a plain property \
      list for a keyed archive, or the other way round. The result is decoded again and compared \
      with FILE and PART before it is written. PART or FILE may be '-' for standard input.
      """,
    ],
    examples: [
      Example(
        command: "archtool insert '$.topCityWeathers[1]' Part Saved -o Saved.new",
        explanation: "Put the root of Part at the end of a list that had one element.")
    ],
    exits: [
      Exit(.done), Exit(.undecodable, "A file cannot be decoded, or PART cannot be put there."),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])

  /// Makes one archive of several.
  public static let merge = CommandDescription(
    name: "merge",
    abstract: "make one keyed archive of several, a top-level key for each",
    operands: Operands(name: "KEY=FILE", minimum: 1, maximum: nil),
    options: [.output, .force], commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.output])],
    discussion: [
      """
      The root of each FILE is what the new archive has under the top-level key KEY, where \
      decodeObject(forKey:) finds it. Objects keep their classes, their storage and what they share \
      within their file; equal class records become one. Each FILE is a keyed archive with one \
      top-level object, or with one under the key root; convert --to keyed-archive makes one of a \
      property list or a typedstream. extract '$.KEY' takes it out again.
      """
    ],
    examples: [
      Example(
        command: "archtool merge -o Both first=Saved second=Part",
        explanation: "Write an archive with the root of Saved as first and that of Part as second.")
    ],
    exits: [
      Exit(.done), Exit(.undecodable, "A file cannot be decoded, or has no root."),
      Exit(.cannotOpen), Exit(.cannotCreate), Exit(.inputOutput),
    ])
}
