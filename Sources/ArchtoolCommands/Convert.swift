// `archtool convert`: writes files in another format.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct Convert: Command {
  static let name = "convert"
  static let description = CommandDescription(
    name: name,
    abstract: "convert property lists and archives to another format",
    operands: .files,
    options: [
      .at, .conversionTarget, .plain, .typed, .compact, .noTags, .keys, .controlCharacters, .skip,
      .json5,
      .recover,
      .fileExtension,
    ] + OptionDescription.replacing + OptionDescription.recordStream,
    commonOptions: OptionDescription.common,
    rules: [
      .oneOf([.conversionTarget, .resume]), .exclusive([.at, .json5]), .exclusive([.at, .plain]),
      .exclusive([.at, .skip]), .exclusive([.inPlace, .skip]),
      .needs(.recover, anyOf: [.plain]), .exclusive([.recover, .inPlace]),
      .needs(.fileExtension, anyOf: [.outputDirectory]),
      .implies(.typed, .conversionTarget, value: "json"),
      .implies(.controlCharacters, .conversionTarget, value: "xml1"),
      .implies(.compact, .conversionTarget, value: "json"),
      .severalNeed([.outputDirectory, .inPlace, .compact, .dryRun, .records]),
      // Files are written to standard output one after another.
      .needs(.jobs, anyOf: [.inPlace, .outputDirectory, .dryRun, .resume, .records]),
      .exclusive([.records, .fileExtension]),
    ] + OptionRule.replacing() + OptionRule.rewrittenRecords,
    discussion: """
      The stored form is converted: a keyed archive stays the same keyed archive, in another
      encoding. A value that the format cannot represent is refused with its path: a UID in JSON
      without --typed, a null in XML, an integer of more than 64 bits in all formats but binary1,
      keyed-archive and typed JSON.

      With --plain the result is an ordinary property list of the values: Foundation's values as
      themselves, other objects as dictionaries of their fields with the class as $class, sets as
      arrays. Fields that are nil are left out, with a warning. An object that contains itself is
      refused. With --recover as well a damaged file becomes a sound property list of what is left:
      $lost describes what is missing, and the text of a string that is cut says how much of it is
      there. The list is written, and each loss is an error (exit status 65).

      XML 1.0 has no control characters but tabs and ends of lines. They are refused, unless the
      input is XML that has some; --control-characters keep writes them as Foundation does, and
      refuse refuses them in any input.

      A typedstream becomes a keyed archive, in whichever encoding. Foundation's value classes get
      their own keys. Typedstreams store the values of other classes without keys; name them with
      --keys, otherwise they are numbered from $0.

      With --in-place and --output-dir files are replaced, journaled, resumed and undone as by
      migrate: --in-place writes a journal and keeps the old files, and archtool undo undoes the
      run. A file whose bytes would not change is left alone. A text that is replaced loses its
      comments, with a warning, and a text that is written again in its own format loses an encoding
      other than UTF-8, too.

      With --records each line of a FILE, or of standard input, is a record, as for migrate: the
      member data of its answer is the new file, text as well, in the digits of the record.
      """,
    examples: [
      "archtool convert --to xml1 Movie -o Movie.plist":
        "Write the archive Movie as XML to Movie.plist.",
      "archtool convert --to keyed-archive --keys AppThing=name Old -o New":
        "Make a keyed archive from a typedstream; the first value of an AppThing is its name.",
    ],
    exits: .writing,
    meanings: [
      .answerIsNo: "An input has values that FORMAT cannot represent.",
      .cannotOpen: ExitStatus.cannotOpenOrNone,
    ])

  private let session: Session
  private var conversion: Conversion
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let name = arguments.value(of: .conversionTarget) ?? ""
    guard let target = ConversionTarget(rawValue: name) else {
      throw UsageError("'--to' has no format '\(name)'")
    }
    conversion = Conversion(to: target)
    dataPath = try Session.dataPath(arguments)
    conversion.isTyped = arguments.has(.typed)
    conversion.isPlain = arguments.has(.plain)
    if conversion.isPlain, [.keyedArchive, .typedStream].contains(target) {
      throw UsageError("'--plain' makes a property list, not an archive")
    }
    conversion.isRecovering = arguments.has(.recover)
    conversion.keepsControlCharacters = arguments.value(of: .controlCharacters).map { $0 == "keep" }
    conversion.isCompact = arguments.has(.compact)
    conversion.readsTags = !arguments.has(.noTags)
    conversion.allowsJSON5 = arguments.has(.json5)
    conversion.skipped = arguments.skipped
    for text in arguments.values(of: .keys) {
      // The name of an Objective-C class contains no '=', nor does any realistic key.
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("'--keys' needs CLASS=KEY,KEY; found '\(text)'")
      }
      let names = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      var seen: Set<CodePointString> = []
      for name in names where !name.isEmpty && !seen.insert(CodePointString(name)).inserted {
        throw UsageError("'--keys' names the key '\(name)' twice in '\(text)'")
      }
      conversion.keys[String(parts[0])] = names
    }
  }

  func run() throws {
    let (arguments, dataPath) = (session.arguments, dataPath)
    let conversion = conversion
    let make: RewriteRun.Maker = { () throws(ArchiveError) in
      conversion.embedded(at: dataPath)
    }
    guard [.inPlace, .outputDirectory, .dryRun, .records].contains(where: arguments.has) else {
      return try pour(make)
    }
    try RewriteRun(session: session, wording: Self.wording).run(make)
  }

  private static let wording = RewriteWording(
    done: "converted", undone: "not converted", verb: "convert")

  /// Writes the converted inputs to standard output or to one file.
  private func pour(_ make: RewriteRun.Maker) throws {
    var rewriting = try make()
    let destination = OutputDestination(of: session.arguments)
    try session.forEachInput(.ofRewriting, .results, undone: Self.wording.undone) {
      (input, storage) throws(ArchiveError) in
      var details = RewriteDetails(format: conversion.target)
      var entry = BatchEntry(
        file: input.name, outcome: .changed, summary: "to \(conversion.target.rawValue)",
        bytes: storage.bytes.count)
      let lost = EditableFile.warnings(
        about: storage, isReplaced: destination.replaces(input.path)
      ) { dataPath != nil || Formats.all[$0]?.targetName == conversion.target.rawValue }
      try session.write(to: destination) { (output) throws(ArchiveError) in
        let start = output.mark
        defer { entry.newBytes = output.mark - start }
        if dataPath == nil {
          let notes = try conversion.run(
            storage, name: input.name, isConsumed: true, to: &output)
          (details.warnings, details.losses) = (notes.warnings, notes.losses)
          return
        }
        let source = RewriteInput(storage: storage, name: input.name, path: nil)
        guard case .changed(let archive) = try rewriting.rewrite(source) else {
          return output.bytes.append(storage.bytes)
        }
        output.bytes.append(archive.storage.bytes)
        (entry.summary, details) = (archive.summary, archive.details)
      }
      // Only of an input without warnings are the bytes gone.
      let located = details.located(in: storage.bytes)
      details.warnings = lost + details.warnings
      for warning in lost + located.warnings { session.warn(warning, file: input.name) }
      for loss in located.losses { session.report(loss, file: input.name) }
      entry.members = { details.members }
      return entry
    }
  }
}

extension OptionDescription {
  static let typed = flag(
    "typed",
    help: """
      Write typed JSON, which loses nothing. Types, classes and references are written out.
      """)

  static let conversionTarget = choice(
    "to", valueName: "FORMAT",
    of: ConversionTarget.allCases.map { $0.rawValue }, aliases: ConversionTarget.aliases,
    hasDefault: false, help: "Convert to FORMAT.")

  static let plain = flag(
    "plain", help: "Write the values as an ordinary property list.")

  static let fileExtension = text(
    "extension", valueName: "EXT", help: "Give output files the extension EXT.")

  static let noTags = flag(
    "no-tags", help: "Treat typed-JSON tags as ordinary keys.")

  static let controlCharacters = choice(
    "control-characters", valueName: "WHAT", of: ["keep", "refuse"], hasDefault: false,
    help: "Keep or refuse control characters in XML.")

  static let keys = text(
    "keys", valueName: "CLASS=KEY,...", isRepeatable: true,
    help: "Name the values of a typedstream's CLASS in order.")
}
