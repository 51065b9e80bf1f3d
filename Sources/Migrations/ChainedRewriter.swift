// Applies substitutions before another rewriting: an archive gets its new names, then its new version.

import Basics
import KeyedArchives

/// Replaces names, and then applies another rewriting to the result.
package struct ChainedRewriter: ArchiveRewriting {
  private var substitution: RenameRewriter
  private var base: any ArchiveRewriting

  /// Makes a rewriting of two steps.
  ///
  /// - Parameter tally: records which rules matched something.
  package init(
    _ substitutions: Substitutions, tally: SubstitutionTally? = nil, then base: any ArchiveRewriting
  ) {
    substitution = RenameRewriter(substitutions, tally: tally)
    self.base = base
  }

  /// Rewrites one archive.
  ///
  /// - Throws: the error of either step.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    guard case .changed(let named) = try substitution.rewrite(input) else {
      return try base.rewrite(input)
    }
    let step = RewriteInput(
      storage: named.storage, original: input.original, name: input.name, path: input.path,
      lost: input.lost)
    switch try base.rewrite(step) {
    case .refused(let reason, let violations, let details):
      return .refused(reason, violations: violations, details: details)
    case .unchanged: return .changed(named)
    case .changed(let archive):
      var details = archive.details
      details.rename = named.details.rename
      details.warnings = named.details.warnings + details.warnings
      return .changed(
        RewrittenArchive(
          storage: archive.storage, summary: "\(archive.summary) (\(named.summary))",
          details: details, lost: archive.lost))
    }
  }
}
