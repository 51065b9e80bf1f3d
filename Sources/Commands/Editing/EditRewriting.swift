// Edits as a rewriting: one file, all edits or none, the result checked if that was requested.

import Basics
import CommandLineInterface
import KeyedArchives
import Migrations
import PropertyLists
import Queries
import Rendering
import Schemas

/// Edits a file.
struct EditRewriting: ArchiveRewriting, Sendable {
  let edits: [DocumentEdit]
  let sharing: SharedObjects
  /// The command line whose options select the schema that results must fit; nil if they may be anything.
  let check: ParsedArguments?
  /// Whether messages name the edit that failed by its number.
  let isNumbered: Bool
  /// Whether the edited file takes the place of the old one, whose lost values may be beside it.
  let isInPlace: Bool

  /// Makes edits under the options of a command line.
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
    let report = FileReport(file: name, try Self.validation(check).run(graph))
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

  private static func validation(_ arguments: ParsedArguments) throws(ArchiveError) -> Validation {
    do {
      return try Validation(arguments)
    } catch {
      throw ArchiveError(error)
    }
  }
}
