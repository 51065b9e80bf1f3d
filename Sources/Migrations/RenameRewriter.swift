// Substitutions as a rewriting, like migrations.

import Basics
import FileTransactions
import KeyedArchives

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
          rename: RenameDetails(outcome.counts), warnings: outcome.warnings),
        lost: try Self.companion(of: input, storage), keepsFormat: true))
  }

  /// Assigns the lost values beside an archive to its new bytes, if they belonged to the old ones.
  private static func companion(
    of input: RewriteInput, _ new: ByteStorage
  ) throws(ArchiveError) -> RewrittenArchive.Companion {
    guard let record = try KeptRecord.companion(of: input) else { return .unchanged }
    let old = Array(try ContentHash(of: input.original).description.utf8)
    var bytes = Array(record.bytes)
    guard let place = bytes.firstOccurrence(of: old) else { return .unchanged }
    bytes.replaceSubrange(place, with: Array(try ContentHash(of: new).description.utf8))
    return .written(ByteStorage(copying: bytes))
  }
}
