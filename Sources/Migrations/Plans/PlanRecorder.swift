// Rewritings that report the hashes of their inputs and results, for plans.

import Basics
import FileTransactions

/// Adds to the details of each archive the SHA-256 of its old and of its new bytes.
package struct PlanRecorder: ArchiveRewriting {
  private var base: any ArchiveRewriting

  /// Plans what a rewriting would do.
  package init(_ base: any ArchiveRewriting) { self.base = base }

  /// Rewrites one archive.
  ///
  /// - Throws: the error of the rewriting, or an error if the system cannot compute SHA-256.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    let rewritten = try base.rewrite(input)
    guard case .changed(var archive) = rewritten else { return rewritten }
    archive.details.hashes = .init(
      old: try ContentHash(of: input.storage), new: try ContentHash(of: archive.storage))
    return .changed(archive)
  }
}

/// Applies exactly what a plan specifies.
package struct PlanEnforcer: ArchiveRewriting {
  private var base: any ArchiveRewriting
  private let plan: Plan

  /// Restricts a rewriting to a plan.
  package init(_ base: any ArchiveRewriting, plan: Plan) {
    self.base = base
    self.plan = plan
  }

  /// Rewrites one archive.
  ///
  /// - Throws: the error of the rewriting, or code `mismatch` if the archive is not the planned one, or its result
  ///   would differ from the plan.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
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
        "the new bytes would differ from the plan; schemas, lenses or the program have changed"
      )
    }
    return rewritten
  }
}
