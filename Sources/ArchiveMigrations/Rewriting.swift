// The common form of all operations that replace archives: bytes in, verified bytes out.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import FileTransactions
import KeyedArchives

/// An archive to be rewritten.
package struct RewriteInput: Sendable {
  /// The archive's bytes.
  package let storage: ByteStorage
  /// The bytes in the file, which differ if an earlier step has changed them.
  package let original: ByteStorage
  /// Its name in messages.
  package let name: String
  /// Its path, beside which companions such as `FILE.lost.json` are stored; nil for standard input and records.
  package let path: String?
  /// The lost values that were passed with the archive, in the form of a companion; nil if there are none.
  package let lost: ByteStorage?

  /// Makes an input.
  package init(
    storage: ByteStorage, original: ByteStorage? = nil, name: String, path: String?,
    lost: ByteStorage? = nil
  ) {
    self.original = original ?? storage
    self.lost = lost
    self.storage = storage
    self.name = name
    self.path = path
  }
}

/// Verified new bytes for an archive.
package struct RewrittenArchive: Sendable {
  /// The new bytes.
  package internal(set) var storage: ByteStorage
  /// What was done, in one phrase: `WeatherFeed@v1 to v2`.
  package internal(set) var summary: String
  /// The details for reports, plans, records and journals, with warnings.
  package var details: RewriteDetails
  /// The change to the file beside the new archive, `FILE.lost.json`.
  package let lost: Companion
  /// Whether the format is that of the old bytes in any case.
  package internal(set) var keepsFormat: Bool
  /// The change to the file with lost values beside an archive.
  package enum Companion: Sendable {
    /// It is unchanged, or remains absent.
    case unchanged
    /// These bytes are written.
    case written(ByteStorage)
    /// It is no longer needed: its values are in the archive again.
    case removed
  }

  /// Makes a result.
  package init(
    storage: ByteStorage, summary: String, details: RewriteDetails = RewriteDetails(),
    lost: Companion = .unchanged, keepsFormat: Bool = false
  ) {
    self.storage = storage
    self.summary = summary
    self.details = details
    self.lost = lost
    self.keepsFormat = keepsFormat
  }

  /// What the old text had beside its values, and the new bytes have not.
  ///
  /// - Parameter isReplaced: whether the old text is gone.
  package func lostText(of old: ByteStorage, isReplaced: Bool) -> [ArchiveError] {
    EditableFile.warnings(about: old, isReplaced: isReplaced) { encoding in
      keepsFormat || Formats.all.detect(storage.bytes).encoding == encoding
    }
  }
}

/// The result of rewriting an archive.
package enum Rewritten: Sendable {
  /// New bytes.
  case changed(RewrittenArchive)
  /// Nothing needs to be done, for this reason: `is WeatherFeed@v2 already`; with the known details of the archive.
  case unchanged(String, details: RewriteDetails = RewriteDetails())
  /// The archive is refused, for this reason.
  ///
  /// The violations are included if they are the reason, and the details of the rewriting as far as they are known.
  case refused(
    String, violations: [Diagnostic] = [], details: RewriteDetails = RewriteDetails())
}

/// Rewrites archives.
///
/// An instance is used by one thread at a time: each worker makes its own.
package protocol ArchiveRewriting {
  /// Rewrites one archive, without writing files.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, or the result cannot be verified.
  mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten
}

/// A rewriting by a function.
private struct FunctionRewriting: ArchiveRewriting {
  let function: (RewriteInput) throws(ArchiveError) -> Rewritten

  mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    try function(input)
  }
}

// MARK: - A conversion as a rewriting, so that it can replace files like any other rewriting

extension Conversion: ArchiveRewriting {
  /// Converts one input.
  ///
  /// - Throws: the error of the conversion.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    var output = OutputBuffer(descriptor: nil)
    let notes = try run(input.storage, name: input.name, to: &output)
    let storage = output.intoBytes().intoStorage()
    let format = target.rawValue
    if notes.warnings.isEmpty, notes.losses.isEmpty,
      storage.bytes.count == input.storage.bytes.count,
      storage.bytes.elementsEqual(input.storage.bytes)
    {
      return .unchanged("is \(format) already")
    }
    return .changed(
      RewrittenArchive(
        storage: storage, summary: "to \(format)",
        details: RewriteDetails(
          format: target, warnings: notes.warnings, losses: notes.losses)))
  }
}

// MARK: - Applies substitutions before another rewriting

extension ArchiveRewriting {
  /// The rewriting of what substitutions make of archives.
  package func after(_ substitution: RenameRewriter) -> any ArchiveRewriting {
    var (substitution, base) = (substitution, self)
    return FunctionRewriting { (input) throws(ArchiveError) in
      guard case .changed(let named) = try substitution.rewrite(input) else {
        return try base.rewrite(input)
      }
      let step = RewriteInput(
        storage: named.storage, original: input.original, name: input.name, path: input.path,
        lost: input.lost)
      let rewritten = try base.rewrite(step)
      if case .unchanged = rewritten { return .changed(named) }
      guard case .changed(var archive) = rewritten else { return rewritten }
      archive.details.rename = named.details.rename
      archive.details.warnings = named.details.warnings + archive.details.warnings
      archive.summary += " (\(named.summary))"
      archive.keepsFormat = false
      return .changed(archive)
    }
  }
}

// MARK: - Substitutions as a rewriting, like migrations

/// Replaces names in archives.
package struct RenameRewriter: ArchiveRewriting {
  /// The rules.
  package let substitutions: Substitutions
  /// The limits for reading.
  package let limits: Limits
  private let tally: SubstitutionTally?

  /// Makes a rewriting.
  ///
  /// - Parameter tally: records which rules matched something.
  package init(
    _ substitutions: Substitutions, limits: Limits = Limits(), tally: SubstitutionTally? = nil
  ) {
    self.substitutions = substitutions
    self.limits = limits
    self.tally = tally
  }

  /// Applies the rules to an archive, and verifies that the new bytes equal the old ones except for the names.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, its root would be dropped, keys would collide, or the
  ///   verification fails.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    let outcome = try SubstitutionRun.apply(
      substitutions, to: input.storage, limits: limits, tally: tally)
    guard let storage = outcome.storage else {
      let unread = outcome.warnings.map { "; \($0.message)" }.joined()
      return .unchanged("no rule matches anything in it\(unread)")
    }
    let applied = outcome.counts.filter { !$0.isZero }
    return .changed(
      RewrittenArchive(
        storage: storage, summary: applied.map(\.summary).joined(separator: ", "),
        details: RewriteDetails(
          rename: outcome.counts, warnings: outcome.warnings),
        lost: try Self.companion(of: input, storage), keepsFormat: true))
  }

  /// Assigns the lost values beside an archive to its new bytes, if they belonged to the old ones.
  private static func companion(
    of input: RewriteInput, _ new: ByteStorage
  ) throws(ArchiveError) -> RewrittenArchive.Companion {
    guard let record = try LostValues.companion(of: input) else { return .unchanged }
    let old = Array(try ContentHash(of: input.original).description.utf8)
    var bytes = Array(record.bytes)
    guard let range = bytes.firstOccurrence(of: old) else { return .unchanged }
    bytes.replaceSubrange(range, with: Array(try ContentHash(of: new).description.utf8))
    return .written(ByteStorage(copying: bytes))
  }
}

// MARK: - Rewrites the archives in data values of a file, such as an application's user defaults

extension ArchiveRewriting {
  /// The rewriting of the archives at a path in files, whose other parts stay unchanged; without a path, of files.
  ///
  /// The whole file is refused if one of them is; errors have the path of the archive.
  package func embedded(at path: DataPath?) -> any ArchiveRewriting {
    guard let path else { return self }
    var base = self
    return FunctionRewriting { (input) throws(ArchiveError) in
      let embedded = try EmbeddedArchives(at: path, in: input.storage)
      var replacements: [Int: ByteStorage] = [:]
      var archives: [RewriteDetails.Embedded] = []
      var summaries: [String] = []
      var warnings: [ArchiveError] = []
      var reasons: [String] = []
      for (position, part) in embedded.parts.enumerated() {
        let inner = RewriteInput(
          storage: part.storage, name: "\(input.name) \(part.path)", path: nil)
        let result: Rewritten
        do throws(ArchiveError) { result = try base.rewrite(inner) } catch {
          throw part.located(error)
        }
        switch result {
        case .refused(let reason, let violations, let details):
          return .refused("\(part.path) \(reason)", violations: violations, details: details)
        case .unchanged(let reason, _): reasons.append("\(part.path) \(reason)")
        case .changed(let archive):
          if case .written = archive.lost {
            return .refused(
              "\(part.path) would lose values, which --keep-lost keeps for whole files only; --keep-lost-inside keeps them in the archive",
              details: archive.details)
          }
          replacements[position] = archive.storage
          archives.append(.init(path: part.path, details: archive.details))
          summaries.append("\(part.path) \(archive.summary)")
          let lost = archive.lostText(of: part.storage, isReplaced: true)
          warnings += (lost + archive.details.warnings).map(part.located)
        }
      }
      if replacements.isEmpty { return .unchanged(reasons.joined(separator: "; ")) }
      let more = summaries.count > 3 ? " and \(summaries.count - 3) more" : ""
      return .changed(
        RewrittenArchive(
          storage: try embedded.replacing(replacements),
          summary: summaries.prefix(3).joined(separator: ", ") + more,
          details: RewriteDetails(embedded: archives, warnings: warnings), keepsFormat: true))
    }
  }

  /// The rewriting of archives in layers, such as Base64 in a column of a database, which are put on again.
  package func inLayers() -> any ArchiveRewriting {
    var base = self
    return FunctionRewriting { (input) throws(ArchiveError) in
      var allowance = Limits().inflation(of: input.storage.bytes.count)
      let layered = try LayeredData(input.storage, limits: Limits(), allowance: &allowance)
      let result = try base.rewrite(
        RewriteInput(storage: layered.content, name: input.name, path: nil))
      guard case .changed(var archive) = result else { return result }
      if case .written = archive.lost {
        return .refused(
          "would lose values, which --keep-lost keeps for files only; --keep-lost-inside keeps them in the archive",
          details: archive.details)
      }
      archive.storage = try layered.wrapped(archive.storage)
      return .changed(archive)
    }
  }
}

extension EmbeddedArchives.Part {
  /// An error of the archive, with the path of its data value; its offset is relative to the archive, not to the file.
  fileprivate func located(_ error: ArchiveError) -> ArchiveError {
    ArchiveError(
      error.code, error.message,
      path: path.appending(.content("archive")).appending(error.path ?? GraphPath()))
  }
}

// MARK: - Rewritings for plans

extension ArchiveRewriting {
  /// The rewriting whose details have the SHA-256 of the old and of the new bytes.
  package func recordingHashes() -> any ArchiveRewriting {
    var base = self
    return FunctionRewriting { (input) throws(ArchiveError) in
      let rewritten = try base.rewrite(input)
      guard case .changed(var archive) = rewritten else { return rewritten }
      archive.details.hashes = .init(
        old: try ContentHash(of: input.storage), new: try ContentHash(of: archive.storage))
      return .changed(archive)
    }
  }

  /// The rewriting of exactly what a plan specifies.
  ///
  /// It throws code `mismatch` if the archive is not the planned one, or its result would differ from the plan.
  package func enforcing(_ plan: Plan) -> any ArchiveRewriting {
    var base = self
    return FunctionRewriting { (input) throws(ArchiveError) in
      guard let expected = plan.expectation(of: input.path ?? input.name) else {
        throw ArchiveError(.mismatch, "the plan is not about this file")
      }
      guard try ContentHash(of: input.storage) == expected.old else {
        throw ArchiveError(.mismatch, "the file was changed since the plan was made")
      }
      let rewritten = try base.rewrite(input)
      guard case .changed(let archive) = rewritten else {
        throw ArchiveError(.mismatch, "the file would not be changed, contrary to the plan")
      }
      guard try ContentHash(of: archive.storage) == expected.new else {
        throw ArchiveError(
          .mismatch,
          "the new bytes would differ from the plan; schemas, lenses or the program have changed")
      }
      return rewritten
    }
  }
}

// MARK: - Archives as file changes: the archive, and the file with its lost values

extension FileTransaction {
  /// A new file for an archive, together with the file of its lost values.
  ///
  /// - Parameters:
  ///   - location: the new file.
  ///   - archive: its contents.
  ///   - replacing: whether existing files are replaced.
  ///   - bound: the upper bound of the new files' permissions.
  /// - Throws: `ArchiveError` with code `cannotOpen` if the file with lost values cannot have a path.
  package init(
    creating location: FileLocation, _ archive: RewrittenArchive, replacing: Bool,
    allowing bound: FilePermissions
  ) throws(ArchiveError) {
    let before: FileChange.Precondition = replacing ? .anything : .absent
    var changes = [FileChange(location, content: archive.storage, before: before)]
    if case .written(let lost) = archive.lost {
      let companion = try location.sibling(SideFile.lostValues(of: location.name))
      changes.append(FileChange(companion, content: lost, before: before))
    }
    self.init(location, changes: changes, facts: archive.details.members)
    self.bound = bound
  }

  /// An archive that is replaced by its rewritten form, together with the file of its lost values.
  ///
  /// - Parameters:
  ///   - location: the archive.
  ///   - old: the bytes that were read and rewritten.
  ///   - archive: its new form.
  /// - Throws: `ArchiveError` with code `unsupported` if the system cannot compute SHA-256.
  package init(
    _ location: FileLocation, old: ByteStorage, rewritten archive: RewrittenArchive
  ) throws(ArchiveError) {
    var changes = [
      FileChange(location, content: archive.storage, before: .content(try ContentHash(of: old)))
    ]
    let companion = try location.sibling(SideFile.lostValues(of: location.name))
    switch archive.lost {
    case .unchanged: break
    case .written(let storage):
      changes.append(FileChange(companion, content: storage, before: .anything))
    case .removed: changes.append(FileChange(companion, content: nil, before: .anything))
    }
    self.init(location, changes: changes, facts: archive.details.members)
  }
}

// MARK: - Rewrites or validates the archives of records

/// How many violations an answer lists.
private let mostViolations = 10

/// Rewrites the archives of records.
package struct RewritingRecords: RecordHandling {
  private var rewriting: any ArchiveRewriting

  /// Makes a handler for one worker.
  package init(_ rewriting: any ArchiveRewriting) { self.rewriting = rewriting }

  /// Rewrites a record's archive.
  package mutating func answer(_ record: Record) -> RecordAnswer {
    do throws(ArchiveError) {
      let input = RewriteInput(
        storage: record.data, name: record.name, path: nil, lost: record.lost)
      switch try rewriting.rewrite(input) {
      case .changed(let result): return changed(result)
      case .unchanged(let reason, let details):
        var answer = RecordAnswer(
          "unchanged", isGood: true, members: Self.members(reason, details))
        answer.data = .same
        return answer
      case .refused(let reason, let violations, let details):
        return RecordAnswer(
          "refused", isGood: false,
          members: [
            ("error", Diagnostic.refusal(reason, violations))
          ] + Diagnostic.members(of: violations) + details.members)
      }
    } catch {
      return RecordAnswer(error)
    }
  }

  private static func members(
    _ summary: String, _ details: RewriteDetails
  ) -> [(name: String, value: JSONTree)] {
    [("summary", .string(summary))] + details.members
  }

  private func changed(_ result: RewrittenArchive) -> RecordAnswer {
    var answer = RecordAnswer(
      "changed", isGood: true, members: Self.members(result.summary, result.details))
    answer.data = .bytes(result.storage)
    if let loss = result.details.losses.first {
      answer.isGood = false
      answer.members.append(("error", loss.tree))
    }
    switch result.lost {
    case .unchanged: answer.lost = .same
    case .removed: answer.lost = .none
    case .written(let storage): answer.lost = .bytes(storage)
    }
    return answer
  }
}

/// Validates the archives of records.
package struct ValidatingRecords: RecordHandling {
  private let validation: Validation
  private let reader: ArchiveReader
  private let limit: Int
  /// Whether it is an error that no known schema fits.
  private let requiresSchema: Bool
  /// Whether an archive is valid as soon as it is well-formed.
  private let isFormatOnly: Bool

  /// Makes a handler for one worker.
  ///
  /// - Parameters:
  ///   - limit: how many violations an answer lists; 0 for the first ten.
  ///   - requiresSchema: whether an archive that no known schema fits is invalid.
  ///   - isFormatOnly: whether no schema is applied.
  package init(
    _ validation: Validation, reader: ArchiveReader, limit: Int = 0, requiresSchema: Bool = false,
    isFormatOnly: Bool = false
  ) {
    self.validation = validation
    self.isFormatOnly = isFormatOnly
    self.requiresSchema = requiresSchema || validation.isForOneFamily
    self.reader = reader
    self.limit = limit > 0 ? limit : mostViolations
  }

  /// Validates a record's archive.
  package func answer(_ record: Record) -> RecordAnswer {
    do throws(ArchiveError) {
      let graph = try reader.read(record.data)
      let result = try validation.run(graph)
      let isUnknown = result.version == nil && !requiresSchema
      let unknown = isFormatOnly ? "valid" : "noSchema"
      if isUnknown, let fault = graph.contentFaults(from: graph.root).first { throw fault }
      let isValid = result.version != nil && result.violationCount == 0
      var answer = RecordAnswer(
        isUnknown ? unknown : isValid ? "valid" : "invalid", isGood: isValid || isUnknown,
        members: [
          ("version", result.version.map { .string($0.label) } ?? .null),
          ("violations", .list(result.violations.prefix(limit).map(\.tree))),
          ("violationCount", .integer(result.violationCount)),
        ])
      if !result.warnings.isEmpty {
        answer.members.append(
          ("warnings", .list(result.warnings.prefix(limit).map(\.tree))))
      }
      if result.version == nil, !isFormatOnly, let reason = result.reason {
        answer.members.append(("reason", .string(reason)))
      }
      return answer
    } catch {
      return RecordAnswer(error)
    }
  }
}

// MARK: - Refusals as members of JSON, for reports on files and answers to records

extension Diagnostic {
  /// Why an archive was refused, for reports of files: the reason as an error, and the first violations.
  package static func members(
    ofRefusal reason: String, _ violations: [Diagnostic]
  ) -> [(String, JSONTree)] {
    let error = ("error", refusal(reason, violations))
    return [error] + (violations.isEmpty ? [] : members(of: violations))
  }

  fileprivate static func members(of violations: [Diagnostic]) -> [(String, JSONTree)] {
    [
      ("violations", .list(violations.prefix(mostViolations).map(\.tree))),
      ("violationCount", .integer(violations.count)),
    ]
  }

  /// Why an archive was refused, as an object like that of an error, with the location of the first violation.
  static func refusal(_ reason: String, _ violations: [Diagnostic]) -> JSONTree {
    .problem(
      ("code", "refused"), reason, offset: violations.first?.offset, path: violations.first?.path)
  }
}
