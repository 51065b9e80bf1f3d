// A run of a command that edits one file: in place with a journal, to another file, or only shown.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

/// Edits the file that the first operand names.
struct EditRun {
  private let session: Session
  private let rewriting: EditRewriting
  /// The path of the archives that are edited; nil for the file itself.
  private let dataPath: DataPath?

  init(_ session: Session, _ edits: [DocumentEdit], isNumbered: Bool = false) throws {
    self.session = session
    let arguments = session.arguments
    // A schema that is not there is reported before anything is read.
    if arguments.has(.checkResult) { _ = try Validation(arguments) }
    rewriting = EditRewriting(edits, arguments, isNumbered: isNumbered)
    dataPath = try Session.dataPath(arguments)
  }

  /// Makes one edit at the path in the second operand.
  init(_ session: Session, _ edit: @autoclosure () throws -> DocumentEdit.Operation) throws {
    let path = try ValuePath(operand: session.arguments.operands[1])
    try self.init(session, [DocumentEdit(try edit(), at: path)])
  }

  func run() throws {
    let arguments = session.arguments
    if arguments.has(.dryRun) { return show() }
    if arguments.swappedHint != nil {
      // The run below has the file alone.
      return session.report(
        ArchiveError(.cannotOpen, "cannot open the file"), file: arguments.operands[0])
    }
    let command = try RunOrigin.Command(arguments)
    let inner = Session(
      arguments.with(operands: Array(arguments.operands.prefix(1))), session.streams)
    inner.origin.command = command
    session.output.flush()
    let (rewriting, dataPath) = (rewriting, dataPath)
    try RewriteRun(
      session: inner, wording: .init(done: "edited", undone: "not edited", verb: "edit")
    ).run { () -> any ArchiveRewriting in rewriting.embedded(at: dataPath) }
    session.merge(inner.finish())
  }

  private func show() {
    var input = Input(operand: session.arguments.operands[0])
    do throws(ArchiveError) {
      input = try session.input(input.path)
      let storage = try input.open(session.streams)
      guard let dataPath else {
        _ = try show(storage, name: input.name)
        return
      }
      let embedded = try EmbeddedArchives(at: dataPath, in: storage)
      var results: [Int: ByteStorage] = [:]
      for (position, part) in embedded.parts.enumerated() {
        let name = input.within(part.path.description).name
        results[position] = try show(part.storage, name: name, prefix: "\(part.path) ")
      }
      // Whether the file can hold them.
      if !results.isEmpty { _ = try embedded.replacing(results) }
    } catch {
      session.report(error, file: input.name)
    }
  }

  /// Shows what would change in an archive.
  ///
  /// - Returns: its new bytes; nil if it is unchanged or refused.
  private func show(
    _ storage: ByteStorage, name: String, prefix: String = ""
  ) throws(ArchiveError) -> ByteStorage? {
    let (document, refusal) = try rewriting.edited(storage, name: name)
    for warning in EditableFile.warnings(about: storage) { session.warn(warning, file: name) }
    if document.records.isEmpty { session.printNote("\(name): unchanged") }
    for record in document.records {
      session.output.bytes.append((prefix + record.line).escapedLine + "\n")
    }
    guard case .refused(let reason, _, _)? = refusal else {
      return document.records.isEmpty ? nil : document.storage
    }
    session.printProblem("\(name): error: would not be edited: \(reason)")
    session.merge(.answerIsNo)
    return nil
  }
}

extension Session {
  /// The value in an operand, or in the file of `--from`.
  func editValue(at position: Int) throws -> EditValue {
    let arguments = arguments
    let text = arguments.operands.count > position ? arguments.operands[position] : nil
    if let file = arguments.value(of: .fromFile) {
      if let text {
        throw UsageError("'--from' replaces VALUE; found '\(text)'")
      }
      return .part(try part(file))
    }
    guard let text else {
      throw UsageError("missing operand VALUE for \(arguments.command.name)")
    }
    return .typed(try typedValue(text))
  }

  /// The archive of `--from`, which can be read; an error is one of that file, not of the one that is edited.
  private func part(_ file: String) throws -> ByteStorage {
    let storage = try open(file)
    do throws(ArchiveError) {
      _ = try ArchiveReader().read(storage)
      return storage
    } catch {
      throw error.located(in: storage.bytes).inFile(Input(operand: file).name)
    }
  }

  private func typedValue(_ text: String) throws -> TypedValue {
    let (quoted, word) = (Self.quoted(text), text.lowercased())
    /// The JSON of a text that is to be of a type; nil if it is not.
    let types: [(option: OptionDescription, name: String, json: () throws -> String?)] = [
      (.asString, "a string", { quoted }),
      (
        .asInteger, "an integer of 64 bits",
        { Int64(text) != nil || UInt64(text) != nil ? "{\"$int\":\(quoted)}" : nil }
      ),
      (
        .asReal, "a real",
        {
          if ["NaN", "Infinity", "-Infinity"].contains(text) { return "{\"$real\":\(quoted)}" }
          return Double(text).flatMap { $0.isFinite ? "{\"$real\":\($0)}" : nil }
        }
      ),
      (
        .asBoolean, "true, false, yes or no",
        { ["true": "true", "yes": "true", "false": "false", "no": "false"][word] }
      ),
      (
        .asDate, "a date such as 2019-04-06T03:50:00Z",
        { Timestamp(text: text) != nil ? "{\"$date\":\(quoted)}" : nil }
      ),
      (.asData, "Base64", { "{\"$data\":\(Self.quoted(try self.base64(text)))}" }),
    ]
    for type in types where arguments.has(type.option) {
      guard let json = try type.json() else {
        throw UsageError("'\(text)' is not \(type.name)")
      }
      return try TypedValue(json: json)
    }
    do throws(ArchiveError) {
      return try TypedValue(json: text)
    } catch {
      // The reader's messages begin in one of two ways.
      let start = "not JSON"
      let fault = error.message.hasPrefix(start) ? error.message : "\(start): \(error.message)"
      throw UsageError("'\(text)' is \(fault); --string takes it as a string")
    }
  }

  /// Opens a file beside the one that is edited.
  func open(_ operand: String) throws -> ByteStorage {
    if operand == "-", arguments.operands.first == "-" {
      throw UsageError("standard input ('-') can be read only once")
    }
    do throws(ArchiveError) {
      return try input(operand).open(streams)
    } catch {
      throw ArchiveError(error.code, error.message, offset: error.offset, file: operand)
    }
  }

  private func base64(_ text: String) throws -> String {
    guard text.hasPrefix("@") else {
      guard Base64.canonicalBytes(of: text) != nil else {
        throw UsageError("'\(text)' is not Base64; @FILE names a file with the bytes")
      }
      return text
    }
    let file = try open(String(text.dropFirst()))
    return withExtendedLifetime(file) { Base64.text(file.bytes) }
  }

  private static func quoted(_ text: String) -> String { JSONTree.string(text).compactText }
}

extension CommandDescription {
  static func editing(
    name: String, abstract: String, operands: Operands,
    options: [OptionDescription] = OptionDescription.editing,
    rules: [OptionRule] = OptionRule.editing, discussion: String,
    examples: KeyValuePairs<String, String>
  ) -> CommandDescription {
    CommandDescription(
      name: name, abstract: abstract, operands: operands, options: options,
      commonOptions: [.passwordFile, .color, .quiet, .help], rules: rules, discussion: discussion,
      examples: examples,
      exits: .writing, meanings: [.answerIsNo: "The edit is refused; nothing is written."])
  }
}

// MARK: - Edits as a rewriting: one file, all edits or none, the result checked if that was requested

struct EditRewriting: ArchiveRewriting, Sendable {
  let edits: [DocumentEdit]
  let sharing: SharedObjects
  /// The command line whose options select the schema that results must fit; nil if they may be anything.
  let check: ParsedArguments?
  /// Whether messages name the edit that failed by its number.
  let isNumbered: Bool
  /// Whether the edited file takes the place of the old one, whose lost values may be beside it.
  let isInPlace: Bool

  init(_ edits: [DocumentEdit], _ arguments: ParsedArguments, isNumbered: Bool = false) {
    self.edits = edits
    sharing =
      arguments.has(.shared) ? .changed : arguments.has(.copyShared) ? .copied : .refused
    check = arguments.has(.checkResult) ? arguments : nil
    self.isNumbered = isNumbered
    isInPlace = arguments.has(.inPlace)
  }

  mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    let (document, refusal) = try edited(input.storage, name: input.name)
    if let refusal { return refusal }
    guard !document.records.isEmpty else {
      return .unchanged("unchanged")
    }
    let lost = try LostValues.belongs(to: input)
    if let lost, isInPlace {
      return .refused(
        "\(lost) has values for migrating back to an earlier version, and would not belong to the edited archive; migrate back before you edit, or remove that file",
        violations: [])
    }
    var warnings = document.warnings.map { $0.located(in: input.storage.bytes) }
    if let lost {
      warnings.append(
        ArchiveError(
          .mismatch,
          "\(lost) does not belong to the edited archive, which cannot be migrated back with it"))
    }
    let count = document.records.count
    let summary =
      count == 1
      ? document.records[0].line : Counted.text(count, "value")
    return .changed(
      RewrittenArchive(
        storage: document.storage, summary: summary,
        details: RewriteDetails(warnings: warnings), keepsFormat: true))
  }

  /// The edited file, or why it is refused.
  ///
  /// - Parameter failing: receives the number of the edit that cannot be made, before the error is thrown.
  func edited(
    _ storage: ByteStorage, name: String, failing: (Int) -> Void = { _ in }
  ) throws(ArchiveError) -> (EditedDocument, Rewritten?) {
    var document = EditedDocument(storage, sharing: sharing)
    var failed = 0
    do throws(ArchiveError) {
      try document.apply(edits) { failed = $0 }
    } catch {
      failing(failed)
      guard isNumbered else { throw error.located(in: storage.bytes) }
      throw ArchiveError(
        error.code, "operation \(failed) (\(edits[failed].path)): \(error.message)",
        offset: error.offset, path: error.path, file: error.file
      ).located(in: storage.bytes)
    }
    guard let check else { return (document, nil) }
    let graph = try ArchiveReader().read(document.storage)
    let validation = try ArchiveError.wrapping { try Validation(check) }
    let report = FileReport(file: name, try validation.run(graph))
    guard report.verdict != .valid else { return (document, nil) }
    let reasons = report.diagnostics.prefix(3).map { diagnostic in
      diagnostic.path.map { "\(diagnostic.message) (at \($0))" } ?? diagnostic.message
    }
    return (
      document,
      .refused(
        "the result does not fit its schema: \(reasons.joined(separator: "; "))", violations: [])
    )
  }
}

// MARK: - Options of the commands that edit values

extension OptionDescription {
  static let asString = flag("string", help: "Take VALUE as a string.")

  static let asInteger = flag("integer", help: "Take VALUE as an integer.")

  static let asReal = flag("real", help: "Take VALUE as a real, such as 64, 0.5 or NaN.")

  static let asBoolean = flag(
    "bool", help: "Take VALUE as a boolean. It is true, false, yes or no.")

  static let asDate = flag(
    "date", help: "Take VALUE as a date, such as 2019-04-06T03:50:00Z.")

  static let asData = flag(
    "data", help: "Take VALUE as data in Base64. With @FILE it is the content of FILE.")

  static let asJSON = flag(
    "json", help: "Take VALUE as JSON. This is what it is without another option.")

  static let fromFile = text(
    "from", valueName: "PART",
    help: "Take the root of the archive PART. It is used in place of VALUE.")

  static let edits = text(
    "edits", valueName: "EDITS",
    help: """
      Do the edits in the file EDITS, all or none. Each line is a JSON object with op, path, \
      and value, key or from.
      """)

  static let shared = flag(
    "shared", help: "Change an object that others refer to. It changes for all of them.")

  static let copyShared = flag(
    "copy", help: "Copy an object that others refer to. The copy at PATH is changed.")

  static let checkResult = flag(
    "check", help: "Refuse a result that does not fit its schema. The schema is detected.")

  static let valueTypes: [OptionDescription] = [
    .asString, .asInteger, .asReal, .asBoolean, .asDate, .asData, .asJSON,
  ]

  static let adding = valueTypes + [.fromFile] + editing

  static let editing: [OptionDescription] = [
    .at, .shared, .copyShared, .checkResult, .schema, .schemaFile, .schemaFolders, .assertFormats,
    .output, .inPlace, .backup, .dryRun, .force, .keepTimes, .journal, .noJournal,
    .backupDirectory, .wait,
  ]
}

extension OptionRule {
  static let adding = [.exclusive(OptionDescription.valueTypes + [.fromFile])] + editing

  static let editing: [OptionRule] =
    [
      .exclusive([.shared, .copyShared]), .exclusive([.schema, .schemaFile]),
      .needs(.schema, anyOf: [.checkResult]), .needs(.schemaFile, anyOf: [.checkResult]),
      .needs(.schemaFolders, anyOf: [.checkResult]), .needs(.assertFormats, anyOf: [.checkResult]),
      .exclusive([.output, .inPlace, .dryRun]), .needs(.force, anyOf: [.output]),
      .firstIsFile(.inPlace), .needs(.wait, anyOf: [.inPlace]), .needs(.journal, anyOf: [.inPlace]),
    ] + keepingOldFiles
}
