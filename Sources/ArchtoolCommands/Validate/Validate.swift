// `archtool validate`: checks whether files fit a schema, and explains why a file cannot be read.

import ArchiveBasics
import ArchiveBatches
import ArchiveMigrations
import ArchiveRendering
import ArchiveSchemas
import CommandLineInterface
import KeyedArchives

struct Validate: Command {
  static let name = "validate"
  static let description = CommandDescription(
    name: name,
    abstract: "check archives against a schema",
    operands: .files,
    options: [
      .at, .schema, .schemaFile, .schemaFolders, .assertFormats, .requireSchema, .formatOnly,
      .lint, .ruleSeverity, .failOn, .allowedClasses,
      .validationFormat, .structure, .explain, .maximumErrors, .json5, .recover,
    ] + OptionDescription.inputKinds + OptionDescription.recordStream + OptionDescription.batch
      + [.allowEmpty],
    commonOptions: OptionDescription.common,
    rules: [
      .exclusive([.at, .records]),
      .exclusive([.schema, .schemaFile]), .implies(.explain, .validationFormat, value: "text"),
      .exclusive([.explain, .structure]), .exclusive([.at, .json5]),
    ]
      + OptionRule.exclusive([.schema, .schemaFile, .assertFormats], with: [.formatOnly])
      + OptionRule.exclusive([.requireSchema], with: [.schema, .schemaFile, .formatOnly])
      + OptionRule.exclusive([.formatOnly], with: [.explain, .structure, .schemaFolders])
      + OptionRule.records(
        without: OptionDescription.selection + [
          .lint, .ruleSeverity, .failOn, .recover, .allowedClasses, .validationFormat,
          .structure, .explain, .failFast, .allowEmpty, .report, .noProgress,
        ] + OptionDescription.inputKinds),
    discussion: """
      The schema family and version are detected unless --schema names them. The verdict includes
      the reason: the envelope, and how many of the required members are present. Every violation is
      reported with its path, the value that was expected and the one that was found.

      For a file that is of no known family the verdict is 'no schema', with the kind of the file,
      once it was decoded completely; if a version is near, the verdict names it and what rules it
      out. That is an error only with --require-schema. The families are those in the folders of
      --schemas and in the user's configuration, and a few examples that are built in; archtool
      schema list shows them.

      With --schema-file any JSON Schema 2020-12 is applied to the model in each archive, or to
      property lists and JSON as they are. Schemas that it refers to are looked for beside it and in
      the folders of --schemas; nothing is fetched from a network. An invalid schema is an error
      with its path in the schema, and the exit status is 65.

      In a file that cannot be decoded every structural fault is reported, not only the first. With
      --lint there are also warnings about legal but suspicious content, and about what the schema
      marks as deprecated, and notes. Objects that nothing refers to are counted in one warning;
      reports list each of them. With --allow-classes objects of any class that is not listed are
      faults: a decoder that requires secure coding would refuse them.

      Each lint has a severity: error, warning, note, or off, which is that of lints for what
      Foundation itself writes. --rule gives a lint another one, and runs it even without --lint;
      archtool-lints(7) lists them. Errors make a file invalid; with --fail-on warning warnings do
      so as well, and with --fail-on note all findings.

      The formats json and ndjson are the output structures of JSON Schema, one document for all
      files or one line for each; sarif is for code scanning, junit for dashboards. With several
      files standard error ends with a summary by file and by rule.

      A number that fits the schema but not the method with which a class decodes it is a warning:
      NSKeyedUnarchiver does not accept a real as an integer, nor an integer as a real.

      With --records each line of a FILE, or of standard input, is an object whose member data is an
      archive in Base64. The answers come in the same order, one for each line, even a blank one,
      with the id of the record, an outcome (valid, noSchema, invalid or failed), the version, the
      first ten violations or the error, and the record's other members. A line that is not a record
      gets an error with its line number. The exit status is 1 if any record is
      invalid or failed.

      With --recover a damaged file is invalid, not unreadable: each loss is an error of the report,
      and what is left is checked against the schema.

      With --format-only a file is valid if it can be decoded completely, with all archives in its
      data values. If not, there is an error with its byte offset, and the exit status is 65.
      """,
    examples: [
      "archtool validate Movie":
        "Find the schema of the archive Movie and check the archive against it.",
      "archtool validate --schema Movie@v2 -r Movies":
        "Check that every file in the folder Movies is a Movie in v2.",
      "archtool validate --format-only Backup Movie":
        "Check that both files can be decoded, without a schema.",
      "archtool validate --schema-file city.schema.json --explain city.json":
        "Check JSON against a JSON Schema, and show each value that does not fit.",
      "archtool validate --format sarif -r Fixtures":
        "Report on every file in the folder Fixtures for code scanning.",
    ],
    exits: .reading,
    meanings: [
      .done: "Every file is valid, or well formed and without a schema.",
      .answerIsNo: "A file does not fit its schema, or has none with --require-schema.",
      .undecodable: "A file cannot be decoded, or a schema is invalid.",
      .cannotOpen: ExitStatus.cannotOpenOrNone,
    ])

  private let session: Session
  private let worker: ValidationWorker
  private let output: ValidationOutput

  init(_ session: Session) throws {
    self.session = session
    worker = try ValidationWorker(session.arguments)
    output = try ValidationOutput(session)
    if !session.arguments.has(.report) { session.streams.sources.ignore() }
  }

  func run() throws {
    let arguments = session.arguments
    if arguments.has(.records) {
      let limit = try arguments.integer(of: .maximumErrors) ?? 0
      return try session.answerRecords(RecordFormat(arguments)) { () throws(ArchiveError) in
        ValidatingRecords(
          try ArchiveError.wrapping { try Validation(arguments) },
          reader: ArchiveReader(allowsJSON5: arguments.has(.json5)), limit: limit,
          requiresSchema: arguments.has(.requireSchema),
          isFormatOnly: arguments.has(.formatOnly))
      }
    }
    var output = output
    let runner = try BatchRunner<[ValidatedFile]>(
      session, arguments.selection, .ofValidation, .verdicts)
    // A worker alone runs on this thread.
    nonisolated(unsafe) let own = runner.workers == 1 ? worker : nil
    try runner.run(
      { () throws(ArchiveError) in
        if let own { return own.examine }
        return try ArchiveError.wrapping { try ValidationWorker(arguments) }.examine
      },
      handle: { result in
        switch result.outcome {
        case .made(let files): output.add(files)
        case .failed(let error):
          output.add([worker.unreadable(result.name, error, result.byteCount)])
        case .passedOver, .foreign: []
        }
      })
    try output.finish()
  }
}

extension OptionDescription {
  static let schema = text(
    "schema", valueName: "NAME[@VERSION]",
    help: "Check against this family or version. The default is to detect it.")

  static let requireSchema = flag(
    "require-schema", help: "Treat a file that no known schema fits as invalid.")

  static let formatOnly = flag(
    "format-only",
    help: """
      Check only that files can be decoded. They may be property lists, archives or JSON; no \
      schema is needed.
      """)

  static let lint = flag(
    "lint", help: "Also warn about legal but suspicious content.")

  static let ruleSeverity = text(
    "rule", valueName: "LINT=SEVERITY", isRepeatable: true,
    help: "Set a lint's severity. It is error, warning, note or off; archtool-lints(7) lists lints."
  )

  static let failOn = choice(
    "fail-on", valueName: "SEVERITY",
    of: [Severity.warning.rawValue, Severity.note.rawValue], hasDefault: false,
    help: "Fail for warnings, or for notes too.")

  static let allowedClasses = text(
    "allow-classes", valueName: "LIST",
    help: """
      Allow only the classes listed in LIST. LIST is a file with one name or pattern per \
      line.
      """)

  static let validationFormat = choice(
    "format", valueName: "FORMAT", of: ["text"] + ReportFormat.all.map { $0.name },
    help: "Write the results as FORMAT.")

  static let structure = choice(
    "structure", valueName: "NAME", of: OutputStructure.allCases.map { $0.rawValue },
    help: """
      Structure errors in JSON as NAME. They are a flat list, or nested as the schemas that \
      did not fit.
      """)

  static let explain = flag(
    "explain", help: "Show each wrong value and its schema keyword.")

  static let maximumErrors = integer(
    "max-errors", in: 0...1_000_000_000, default: 0,
    help: """
      Report at most N violations for each file. With 0, the first 10,000 are reported and \
      all are counted.
      """)
}
