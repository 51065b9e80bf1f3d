// A rewriting of the archives that lie in data values of a file, as in an application's user defaults.

import Basics
import Batches
import KeyedArchives
import ObjectGraph

/// Rewrites archives where they lie in a file, and leaves the rest of the file as it is.
public struct EmbeddedRewriting: ArchiveRewriting {
  private let path: DataPath
  private let limits: Limits
  private var base: any ArchiveRewriting

  /// Makes a rewriting of what lies at a path.
  public init(at path: DataPath, _ base: any ArchiveRewriting, limits: Limits = Limits()) {
    self.path = path
    self.limits = limits
    self.base = base
  }

  /// Rewrites the archives of one file; it is refused as a whole if one of them is.
  ///
  /// - Throws: `ArchiveError` with the path of the archive, as the rewriting of it does.
  public mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    let embedded = try EmbeddedArchives(at: path, in: input.storage, limits: limits)
    var replacements: [Int: ByteStorage] = [:]
    var archives: [RewriteDetails.Embedded] = []
    var summaries: [String] = []
    var warnings: [ArchiveError] = []
    var reasons: [String] = []
    for (position, part) in embedded.parts.enumerated() {
      switch try rewrite(part, input) {
      case .refused(let reason, let violations, let details):
        return .refused("\(part.path) \(reason)", violations: violations, details: details)
      case .unchanged(let reason, _): reasons.append("\(part.path) \(reason)")
      case .changed(let archive):
        if case .written = archive.lost {
          return .refused(
            "\(part.path) would lose values, which --keep-lost keeps for whole files only; --keep-lost-inside keeps them in the archive",
            violations: [], details: archive.details)
        }
        replacements[position] = archive.storage
        archives.append(.init(path: part.path, details: archive.details))
        summaries.append("\(part.path) \(archive.summary)")
        warnings += archive.details.warnings.map { Self.located($0, part) }
      }
    }
    if replacements.isEmpty { return .unchanged(reasons.joined(separator: "; ")) }
    let more = summaries.count > 3 ? " and \(summaries.count - 3) more" : ""
    return .changed(
      RewrittenArchive(
        storage: try embedded.replacing(replacements),
        summary: summaries.prefix(3).joined(separator: ", ") + more,
        details: RewriteDetails(embedded: archives, warnings: warnings)))
  }

  private mutating func rewrite(
    _ part: EmbeddedArchives.Part, _ input: RewriteInput
  ) throws(ArchiveError) -> Rewritten {
    do throws(ArchiveError) {
      return try base.rewrite(
        RewriteInput(storage: part.storage, name: "\(input.name) \(part.path)", path: nil))
    } catch {
      throw Self.located(error, part)
    }
  }

  /// An error of an archive at the place of the data value; its offset counts in the archive, not in the file.
  private static func located(
    _ error: ArchiveError, _ part: EmbeddedArchives.Part
  ) -> ArchiveError {
    ArchiveError(
      error.code, error.message,
      path: part.path + "⟨archive⟩" + String((error.path ?? "$").dropFirst()))
  }
}
