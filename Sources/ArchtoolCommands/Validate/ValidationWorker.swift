// Validates files against schemas and checks them for faults, with the state that one thread needs.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveRendering
import ArchiveSchemas
import ArchiveWriting
import CommandLineInterface
import KeyedArchives

struct ValidationWorker {
  private let reader: ArchiveReader
  private let validation: Validation
  private let integrity: IntegrityCheck
  /// Whether valid files are checked for lints as well.
  private let runsLints: Bool
  private let isFormatOnly: Bool
  private let includesDeprecated: Bool
  /// The severities of lints that have another one than usual; nil for those that are off.
  private let severities: [Lint: Severity?]
  /// The least severity that makes a file invalid.
  private let threshold: Severity
  /// Whether it is an error that no known schema fits.
  private let requiresSchema: Bool
  private let dataPath: DataPath?
  private let text: ReportText?

  init(_ arguments: ParsedArguments) throws {
    reader = ArchiveReader(
      recovering: arguments.has(.recover), allowsJSON5: arguments.has(.json5), keepsPositions: true)
    isFormatOnly = arguments.has(.formatOnly)
    validation = try Validation(arguments)
    let allowed = try arguments.value(of: .allowedClasses).map(AllowedClasses.read)
    let severities = try arguments.values(of: .ruleSeverity).reduce(into: [:]) {
      (severities: inout [Lint: Severity?], text) throws in
      let (lint, severity) = try Self.severity(text)
      severities[lint] = .some(severity)
    }
    let lints = Lint.allCases.filter { lint in
      if let severity = severities[lint] { return severity != nil || !lint.isAdvisory }
      return (arguments.has(.lint) || !lint.isAdvisory) && lint.severity != nil
    }
    self.severities = severities
    threshold =
      arguments.value(of: .failOn).flatMap(Severity.init(rawValue:)) ?? .error
    integrity = IntegrityCheck(
      lints: Set(lints), allowedClasses: allowed, allowsJSON5: arguments.has(.json5))
    runsLints = arguments.has(.lint) || allowed != nil || !severities.isEmpty
    includesDeprecated = arguments.has(.lint)
    requiresSchema = arguments.has(.requireSchema) || validation.isForOneFamily
    dataPath = try Session.dataPath(arguments)
    text = try ReportText(arguments)
  }

  /// Reads a value of `--rule`.
  private static func severity(_ text: String) throws(UsageError) -> (Lint, Severity?) {
    guard let sign = text.firstIndex(of: "=") else {
      throw UsageError("'--rule' needs LINT=SEVERITY; found \(quoted(text))")
    }
    let (name, word) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
    guard let lint = Lint(rawValue: name) else {
      let near =
        Suggestion.nearest(to: name, among: Lint.allCases.map(\.rawValue))
        .map { "; did you mean '\($0)'?" } ?? ""
      throw UsageError(
        "'--rule': there is no lint \(quoted(name))\(near); archtool-lints(7) lists them")
    }
    guard word == "off" || Severity(rawValue: word) != nil else {
      throw UsageError(
        "'--rule': \(quoted(word)) is no severity; they are error, warning, note and off")
    }
    return (lint, Severity(rawValue: word))
  }

  /// Examines a file, or the archives in it; each of several archives has its own result.
  func examine(
    _ input: Input, _ storage: ByteStorage
  ) throws(ArchiveError) -> [ValidatedFile] {
    var files: [ValidatedFile] = []
    do throws(ArchiveError) {
      try input.forEachArchive(
        at: dataPath, in: storage,
        { (input, storage) throws(ArchiveError) in files.append(try validated(input, storage)) },
        failed: { files.append(unreadable($0.name, $1)) })
    } catch {
      throw error.code == .missingValue ? error.located(in: storage.bytes) : error
    }
    return files
  }

  private func validated(
    _ input: Input, _ storage: ByteStorage
  ) throws(ArchiveError) -> ValidatedFile {
    var messages: [MessageLine] = []
    do throws(ArchiveError) {
      let graph = try reader.read(storage)
      let found = runsLints ? integrity.run(storage).compactMap(weighed) : []
      messages = Session.messages(of: graph, input, storage, besides: found)
      let result = isFormatOnly ? nil : try validation.run(graph)
      // Archives in data values were read for the schema: what they have lost is known now.
      let faults = graph.losses.map { Diagnostic($0) } + found
      let examined = ExaminedBytes(storage: storage, graph: graph, model: result?.model)
      let report = examined.located(try report(result, on: graph, input, faults))
      return ValidatedFile(
        messages: messages, report: report, lines: text?.lines(of: report, examined) ?? [],
        status: report.verdict == .invalid ? .answerIsNo : .done, byteCount: storage.bytes.count)
    } catch {
      // A file that cannot be read may be too large for the checks as well.
      guard error.code != .limit else { throw error }
      let found = integrity.run(storage)
      guard found.contains(where: { $0.severity == .error }) else { throw error }
      let named = error.naming(storage)
      if named != error { throw named }
      let examined = ExaminedBytes(storage: storage, graph: nil)
      let report = examined.located(FileReport(file: input.name, unreadable: found))
      return ValidatedFile(
        messages: messages, report: report, lines: text?.lines(of: report, examined) ?? [],
        status: ExitStatus(error.code), byteCount: storage.bytes.count, error: error)
    }
  }

  func unreadable(
    _ name: String, _ error: ArchiveError, _ byteCount: Int? = nil
  ) -> ValidatedFile {
    let isMissing = error.code == .missingValue
    let report =
      isMissing
      ? FileReport(file: name, missing: Diagnostic(error))
      : FileReport(file: name, unreadable: [Diagnostic(error)])
    return ValidatedFile(
      report: report, lines: text?.lines(of: report, nil) ?? [], status: ExitStatus(error.code),
      byteCount: byteCount, error: isMissing ? nil : error)
  }

  /// A finding about a file that can be read, as severe as the user said; nil if its lint is off.
  private func weighed(_ finding: Diagnostic) -> Diagnostic? {
    guard finding.isLint, let lint = Lint(rawValue: finding.rule), let severity = severities[lint]
    else { return finding }
    guard let severity else { return nil }
    var finding = finding
    finding.severity = severity
    return finding
  }

  /// The report on a readable file; without a result, only its format is checked.
  private func report(
    _ result: ValidationOutcome?, on graph: ObjectGraph, _ input: Input, _ faults: [Diagnostic]
  ) throws(ArchiveError) -> FileReport {
    if let result, result.version != nil || requiresSchema {
      return FileReport(
        file: input.name, result, faults: faults, includesDeprecated: includesDeprecated,
        threshold: threshold)
    }
    let contents = graph.contents(from: graph.root)
    if let fault = contents.faults.first { throw fault }
    // The checks for lints have reported these.
    let faults =
      faults + (runsLints ? [] : contents.undecoded.map { Diagnostic($0, severity: .note) })
    let format = FormatDescription(graph)
    guard let result else {
      return FileReport(
        file: input.name, format: format.text, faults: faults, threshold: threshold)
    }
    return FileReport(
      file: input.name, result, faults: faults, format: format.shortText, threshold: threshold)
  }
}

// MARK: - The result for one file, made by a worker and written in order

struct ValidatedFile: Sendable {
  /// Messages that are written regardless of the report.
  var messages: [MessageLine] = []
  let report: FileReport
  /// The report as lines, if it is for people.
  let lines: [MessageLine]
  let status: ExitStatus
  /// Its size; nil if it could not be opened.
  var byteCount: Int?
  /// Why it cannot be read; nil if it can.
  var error: ArchiveError?
}

// MARK: - The file of `--allow-classes`: one class or pattern per line

enum AllowedClasses {
  /// The names and patterns in a file; empty lines and those that begin with `#` are ignored.
  ///
  /// - Throws: `ArchiveError` that names the file if it cannot be read.
  static func read(_ path: String) throws(ArchiveError) -> Set<String> {
    try ArchiveError.inFile(path) { () throws(ArchiveError) in
      let storage = try ByteStorage.open(path: path)
      guard let text = String(validating: storage.bytes, as: UTF8.self) else {
        throw ArchiveError(.malformed, "the list of classes is not UTF-8")
      }
      let lines = text.split(whereSeparator: \.isNewline)
      let names = lines.map { line in
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
      return Set(names.filter { !$0.isEmpty && !$0.hasPrefix("#") })
    }
  }
}

// MARK: - How the options of `archtool validate` select the schemas for validation

extension Validation {
  init(_ arguments: ParsedArguments) throws {
    let sources = SchemaSources(arguments)
    let limit = try arguments.integer(of: .maximumErrors) ?? 0
    let most = limit == 0 ? ValidationOutcome.usualViolations : min(limit, 1_000_000)
    if let path = arguments.value(of: .schemaFile) {
      self.init(
        catalog: SchemaCatalog(families: []), family: nil,
        version: try sources.version(file: path), mostViolations: most)
      return
    }
    let catalog =
      arguments.has(.formatOnly) ? SchemaCatalog(families: []) : try sources.catalog()
    let selection = try SchemaSelection(arguments.value(of: .schema), in: catalog)
    self.init(
      catalog: catalog, family: selection.family, version: selection.version, mostViolations: most)
  }
}
