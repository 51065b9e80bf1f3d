// The removal of a journal with the old files of its run.

import Basics

/// Removes journals, after which their runs cannot be undone.
package enum JournalPruning {
  /// What was removed, or would be.
  package struct Removal: Sendable {
    /// How many bytes are free again.
    package fileprivate(set) var bytes = 0
    /// A folder with old files that is left, since other runs may have some in it; nil if there is none.
    package fileprivate(set) var keptBackups: String?
    /// What in the folder of the old files is not archtool's, and stays.
    package fileprivate(set) var strangers: [String] = []
  }

  /// Removes the journal of a run, and the old files that are its own.
  ///
  /// Old files in a folder that `--backup-dir` named stay, because other runs may have put theirs there as well.
  ///
  /// - Parameters:
  ///   - others: the runs that stay.
  ///   - isDryRun: whether nothing is written.
  /// - Throws: `ArchiveError` if the journal is in use, belongs to another user, or cannot be removed.
  package static func remove(
    _ run: RecordedRun, others: OtherRuns, isDryRun: Bool
  ) throws(ArchiveError) -> Removal {
    let path = run.journal
    // Held until the file is gone, so that nobody resumes or undoes the run meanwhile.
    let file = try Journal.held(path, O_RDONLY | O_NOFOLLOW)
    var removal = Removal()
    if let backups = run.report.header.backups {
      let isOwn = backups.hasSameScalars(as: path + ".backup")
      if isOwn, !others.mayNeed(backups) {
        (removal.bytes, removal.strangers) = BackupStore.remove(
          backups, of: run.report.header.run, isDryRun: isDryRun)
      } else if FolderListing.isFolder(backups) {
        removal.keptBackups = backups
      }
    }
    removal.bytes += Int(try file.status().st_size)
    guard !isDryRun, unlink(path.asPath) != 0 else { return removal }
    throw ArchiveError(
      .inputOutput, "cannot remove the journal: \(systemMessage())", file: path)
  }
}
