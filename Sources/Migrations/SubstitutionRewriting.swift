// Substitutions as a rewriting, side by side with migrations.

import KeyedArchives
import ObjectGraph
import PropertyLists

/// Puts new names in the place of old ones in archives.
public struct SubstitutionRewriting: ArchiveRewriting {
  /// The rules.
  public let substitutions: Substitutions
  /// The bounds that hold for what is read.
  public let limits: Limits
  /// What a person should know of the archive that was rewritten last.
  public private(set) var warnings: [ArchiveError] = []

  /// Makes a rewriting.
  public init(_ substitutions: Substitutions, limits: Limits = Limits()) {
    self.substitutions = substitutions
    self.limits = limits
  }

  /// Applies the rules to an archive; the new bytes are proved to be the old ones but for the names.
  ///
  /// - Throws: `ArchiveError` if the archive cannot be decoded, its root would be dropped, keys would collide, or the
  ///   proof fails.
  public mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    warnings = []
    let outcome = try SubstitutionRun.apply(substitutions, to: input.storage, limits: limits)
    warnings = outcome.warnings
    guard let storage = outcome.storage else { return .unchanged("no rule matches anything in it") }
    let applied = outcome.counts.filter { !$0.isZero }
    return .changed(
      RewrittenArchive(
        storage: storage, summary: applied.map(\.summary).joined(separator: ", "),
        facts: [("rules", .list(outcome.counts.map(Self.fact)))]))
  }

  private static func fact(_ count: SubstitutionCount) -> JSONTree {
    .members([
      ("kind", .string(count.kind.rawValue)), ("rule", .string(count.rule)),
      ("records", .integer(count.records)), ("objects", .integer(count.objects)),
      ("references", .integer(count.references)),
    ])
  }
}
