// `archtool convert`: files written in another format.

import Basics
import Batches
import CommandLineInterface
import FileTransactions
import KeyedArchives
import Migrations
import PropertyLists

struct Convert: RewritingCommand {
  static let name = "convert"
  static var description: CommandDescription { .convert }

  private let session: Session
  private var conversion: Conversion
  private let dataPath: DataPath?
  private let continuation: RewriteContinuation

  init(_ session: Session, _ continuation: RewriteContinuation = RewriteContinuation()) throws {
    self.session = session
    self.continuation = continuation
    let arguments = session.arguments
    let name = arguments.value(of: .conversionTarget) ?? ""
    guard let target = ConversionTarget(rawValue: name) else {
      throw UsageError("'--to' has no format '\(name)'")
    }
    conversion = Conversion(to: target)
    dataPath = try Session.dataPath(arguments)
    conversion.isTyped = arguments.has(.typed)
    conversion.isCompact = arguments.has(.compact)
    conversion.readsTags = !arguments.has(.noTags)
    conversion.allowsJSON5 = arguments.has(.json5)
    for text in arguments.values(of: .keys) {
      // A class name of Objective-C holds no '=', nor does a key that anyone uses.
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("'--keys' needs CLASS=KEY,KEY; found '\(text)'", command: "convert")
      }
      let names = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      var seen: Set<ExactText> = []
      for name in names where !name.isEmpty && !seen.insert(ExactText(name)).inserted {
        throw UsageError("'--keys' names the key '\(name)' twice in '\(text)'", command: "convert")
      }
      conversion.keys[String(parts[0])] = names
    }
  }

  func run() throws {
    let (arguments, dataPath) = (session.arguments, dataPath)
    let conversion = conversion
    let make: RewriteRun.Maker = { () throws(ArchiveError) in
      let rewriting = ConversionRewriting(conversion)
      return dataPath.map { EmbeddedRewriting(at: $0, rewriting) } ?? rewriting
    }
    guard [.inPlace, .outputDirectory, .dryRun].contains(where: arguments.has) else {
      return try pour(make)
    }
    try RewriteRun(session, wording: Self.wording, continuation: continuation).run(make)
  }

  private static let wording = RewriteWording(
    done: "converted", undone: "not converted", verb: "convert")

  /// Writes what the inputs become to standard output or one file.
  private func pour(_ make: RewriteRun.Maker) throws {
    var rewriting = try make()
    let place = OutputPlace(of: session.arguments)
    try session.forEachInput(BatchOutcome.ofRewriting, .results, undone: Self.wording.undone) {
      (input, storage) throws(ArchiveError) in
      var details = RewriteDetails(format: conversion.target)
      var entry = BatchEntry(
        file: input.name, outcome: .changed, summary: "to \(conversion.target.rawValue)",
        bytes: storage.bytes.count)
      try session.write(to: place, allowing: input.mode) { (output) throws(ArchiveError) in
        let start = output.mark
        defer { entry.newBytes = output.mark - start }
        if dataPath == nil {
          details.warnings = try conversion.run(storage, name: input.name, to: &output)
          return
        }
        let source = RewriteInput(storage: storage, name: input.name, path: nil)
        guard case .changed(let archive) = try rewriting.rewrite(source) else {
          return output.bytes.append(storage.bytes)
        }
        output.bytes.append(archive.storage.bytes)
        (entry.summary, details) = (archive.summary, archive.details)
      }
      for warning in details.located(in: storage.bytes).warnings {
        session.warn(warning, file: input.name)
      }
      entry.members = { details.members }
      return entry
    }
  }
}

extension CommandDescription {
  /// Writes files in another format.
  public static let convert = CommandDescription(
    name: Convert.name,
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
      // One file after another goes to standard output.
      .needs(.jobs, anyOf: [.inPlace, .outputDirectory, .dryRun, .resume]),
    ] + OptionRule.replacing(),
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
      Exit(.done), Exit(.answerIsNo, "An input has values that FORMAT cannot spell."),
      Exit(.undecodable), .cannotOpenOrNone, Exit(.cannotCreate), Exit(.inputOutput),
    ])
}

extension OptionDescription {
  /// `--to` of a conversion: the format to write.
  public static let conversionTarget = choice(
    "to", valueName: "FORMAT",
    of: ConversionTarget.allCases.map { $0.rawValue },
    hasDefault: false, help: "Write FORMAT.")

  /// `--no-tags`: typed JSON is read as ordinary JSON.
  public static let noTags = flag(
    "no-tags", help: "Read the tags of typed JSON as members of ordinary dictionaries.")

  /// `--keys`: names for the values of a typedstream's class.
  public static let keys = text(
    "keys", valueName: "CLASS=KEY,...", isRepeatable: true,
    help: "Name the values that a typedstream's objects of CLASS hold, in their order.")
}
