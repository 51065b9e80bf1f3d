// `archtool validate`: whether files fit a schema, and what is wrong with those that cannot be read.

import Basics
import Batches
import CommandLineInterface
import Rendering

struct Validate: Command {
  static let name = "validate"
  static var description: CommandDescription { .validate }

  private let session: Session
  private let worker: ValidationWorker
  private let output: ValidationOutput

  init(_ session: Session) throws {
    self.session = session
    worker = try ValidationWorker(session.arguments)
    output = try ValidationOutput(session)
  }

  func run() throws {
    if session.arguments.has(.records) { return try ValidateRecords(session).run() }
    var output = output
    let first = FirstWorker(worker)
    let arguments = session.arguments
    let runner = try BatchRunner<[ValidatedFile]>(
      session, arguments.selection, BatchOutcome.ofValidation, .verdicts)
    try runner.run(
      { () throws(ArchiveError) in
        if let worker = first.take() { return worker.examine }
        return try ValidationWorker.another(arguments).examine
      },
      take: { result in
        switch result.outcome {
        case .made(let files): output.add(files)
        case .failed(let error):
          output.add([worker.unreadable(result.name, error, result.byteCount)])
        case .passedOver: []
        }
      })
    try output.finish()
  }
}

extension CommandDescription {
  /// Checks files against a schema.
  public static let validate = CommandDescription(
    name: Validate.name,
    abstract: "check archives against a schema",
    operands: .files,
    options: [
      .at, .schema, .schemaFile, .schemaFolders, .assertFormats, .formatOnly, .lint,
      .allowedClasses,
      .validationFormat, .structure, .explain, .maximumErrors, .json5, .records,
    ] + OptionDescription.batch + [.allowEmpty],
    commonOptions: OptionDescription.common,
    rules: [
      .exclusive([.at, .records]),
      .exclusive([.schema, .schemaFile]), .exclusive([.schema, .formatOnly]),
      .exclusive([.schemaFile, .formatOnly]), .exclusive([.assertFormats, .formatOnly]),
      .implies(.explain, .validationFormat, value: "text"),
      .replacesOperands(.records),
      .exclusive([.formatOnly, .explain]), .exclusive([.formatOnly, .structure]),
      .exclusive([.explain, .structure]),
      .exclusive([.formatOnly, .schemaFolders]), .exclusive([.at, .json5]),
      .exclusive([.records, .formatOnly]), .exclusive([.records, .lint]),
      .exclusive([.records, .allowedClasses]), .exclusive([.records, .validationFormat]),
      .exclusive([.records, .structure]), .exclusive([.records, .explain]),
      .exclusive([.records, .failFast]), .exclusive([.records, .allowEmpty]),
      .exclusive([.records, .report]), .exclusive([.records, .noProgress]),
    ],
    discussion: [
      """
      The schema family and version are detected unless --schema gives them, and the verdict says \
      why: the envelope, and how many of the required members there are. Where none fits, that is \
      the verdict, with the nearest and what keeps the file from being of it. Every violation is \
      reported with its path, with what was expected there and what was found.
      """,
      """
      With --schema-file any JSON Schema 2020-12 is held against the model in each archive, or \
      against property lists and JSON as they are. Schemas that it refers to are looked for beside \
      it and in the folders of --schemas; nothing is fetched from a network. A schema that is wrong \
      itself is an error with its path in the schema, and the exit status 65.
      """,
      """
      A file that cannot be decoded is looked through for every fault of its structure, not only \
      the first. With --lint warnings tell as well what can be read and is questionable, and what the schema \
      calls deprecated. Objects that nothing leads to are one warning with their number; reports \
      list each. \
      With --allow-classes objects of other classes than those listed are faults: what a decoder \
      that requires secure coding would refuse.
      """,
      """
      The formats json and ndjson are the output structures of JSON Schema, a document of all files \
      and a line for each; sarif is for code scanning, junit for dashboards. With several \
      files a summary by file and by rule ends what is printed on standard error.
      """,
      """
      An error answer of the weather service that was archived where a feed belongs is named as \
      such, with its code and message.
      """,
      """
      A number that fits the schema but not the method by which a class decodes it is a warning: \
      NSKeyedUnarchiver takes no real for an integer, and no integer for a real.
      """,
      """
      With --records each line of standard input is an object whose member data is an archive in \
      Base64. The answers come in the same order, each a line with the id of the record, an outcome \
      (valid, invalid or failed), the version, the first ten violations, or the error, and the \
      record's further members. A line that is no record gets an error with its number. The exit \
      status is 1 if any record is not valid.
      """,
      """
      With --format-only a file is valid if it can be read whole, with all archives in its data \
      values. What cannot be read is an error with its byte offset, and the exit status 65.
      """,
    ],
    examples: [
      Example(
        command: "archtool validate WeatherFeed",
        explanation: "Find the schema of WeatherFeed and check the archive against it."),
      Example(
        command: "archtool validate --schema WeatherFeed@v2 -r Feeds",
        explanation: "Check that every file in the folder Feeds is a WeatherFeed in v2."),
      Example(
        command: "archtool validate --format-only WeatherFeed Movie",
        explanation: "Check that both files are well formed, whatever they hold."),
      Example(
        command: "archtool validate --schema-file city.schema.json --explain city.json",
        explanation: "Check JSON against a JSON Schema, and show each value that does not fit."),
      Example(
        command: "archtool validate --format sarif -r Fixtures",
        explanation: "Report on every file in the folder Fixtures for code scanning."),
    ],
    exits: [
      Exit(.done, "Every file is valid."),
      Exit(.answerIsNo, "A file does not fit its schema, or no schema is known for it."),
      Exit(.undecodable, "A file cannot be decoded, or a schema is wrong."), .cannotOpenOrNone,
      Exit(.inputOutput),
    ])
}

extension OptionDescription {
  /// `--schema NAME[@VERSION]`: the schema that files must fit.
  public static let schema = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Validate against the family NAME, or one version of it, instead of the one detected.")

  /// `--format-only`: no schema, only whether the bytes are well formed.
  public static let formatOnly = flag(
    "format-only",
    help: "Check that files are well-formed property lists, archives or JSON; no schema is needed.")

  /// `--lint`: what is sound and still worth a word.
  public static let lint = flag(
    "lint", help: "Warn of what can be read and is questionable all the same.")

  /// `--allow-classes FILE`: the classes that objects may have.
  public static let allowedClasses = text(
    "allow-classes", valueName: "LIST",
    help: "Allow objects of the classes only whose names or patterns the lines of LIST are.")

  /// `--format` of validation: for people, programs, code scanning or dashboards.
  public static let validationFormat = choice(
    "format", valueName: "FORMAT", of: ["text"] + ReportFormat.all.map { $0.name },
    help: "Write the results as FORMAT.")

  /// `--structure`: the output structure of JSON Schema.
  public static let structure = choice(
    "structure", valueName: "NAME", of: OutputStructure.self,
    help: "Write errors in JSON as a flat list, or nested as the schemas that did not fit.")

  /// `--explain`: an excerpt of the graph for each violation.
  public static let explain = flag(
    "explain", help: "Show the value of each violation where it stands, and the schema's keyword.")

  /// `--max-errors`: how many violations of a file are reported.
  public static let maximumErrors = integer(
    "max-errors", in: 0...1_000_000_000, default: 0,
    help:
      "Report no more than N violations for each file; 0 reports the first 10000, and counts all.")
}
