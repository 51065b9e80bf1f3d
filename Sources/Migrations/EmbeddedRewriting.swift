// Rewrites the archives in data values of a file, such as an application's user defaults.

import Basics
import Batches
import KeyedArchives
import ObjectGraph

/// Rewrites archives inside a file, and leaves the remaining parts of the file unchanged.
package struct EmbeddedRewriting: ArchiveRewriting {
  private let path: DataPath
  private let limits: Limits
  private var base: any ArchiveRewriting

  /// Makes a rewriting of the archives at a path.
  package init(at path: DataPath, _ base: any ArchiveRewriting, limits: Limits = Limits()) {
    self.path = path
    self.limits = limits
    self.base = base
  }

  /// Rewrites the archives of one file; the whole file is refused if one of them is.
  ///
  /// - Throws: `ArchiveError` of the archive's rewriting, with the path of the archive.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
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
        let lost = archive.lostText(of: part.storage, isReplaced: true)
        warnings += (lost + archive.details.warnings).map { Self.located($0, part) }
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

  /// An error of an archive, with the path of its data value; its offset is relative to the archive, not to the file.
  private static func located(
    _ error: ArchiveError, _ part: EmbeddedArchives.Part
  ) -> ArchiveError {
    ArchiveError(
      error.code, error.message,
      path: part.path.appending(.content("archive")).appending(error.path ?? GraphPath()))
  }
}
