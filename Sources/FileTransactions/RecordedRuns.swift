// All runs whose journals are in some folders.

import ArchiveBasics
import ArchivePropertyLists

/// The runs of the journals in some places, the newest first.
package struct RecordedRuns: Sendable {
  /// The runs.
  package private(set) var runs: [RecordedRun] = []
  /// What cannot be read.
  package private(set) var problems: [(path: String, error: ArchiveError)] = []
  /// Links in the folders with the names of journals, those to journals that are gone among them.
  package private(set) var links: [String] = []
  private var seen: Set<CodePointString> = []

  /// The end of the names of journals in the user's state folder.
  package static let suffix = ".journal"

  /// Looks for journals.
  ///
  /// - Parameters:
  ///   - paths: journals, and folders with journals in them; a folder that does not exist has none.
  ///   - key: the user's key for the check of the seals, or nil.
  package init(in paths: [String], key: SealingKey?) {
    for path in paths {
      if FolderListing.isFolder(path) { look(in: path, key) } else { add(path, key) }
    }
    runs.sort { RecordedRun.isNewer($0, than: $1) }
  }

  private mutating func look(in folder: String, _ key: SealingKey?) {
    let names: [[UInt8]]
    do throws(ArchiveError) {
      names = try FolderListing.names(in: folder)
    } catch {
      return problems.append((folder, error))
    }
    for name in names {
      let path = "\(folder)/\(String(pathBytes: name))"
      if path.hasSuffix(Self.suffix), FileStatus(of: path, followsLinks: false)?.isLink == true {
        links.append(path)
      }
      if FolderListing.isFile(path), Self.begins(path) { add(path, key, isListed: true) }
    }
  }

  private mutating func add(_ path: String, _ key: SealingKey?, isListed: Bool = false) {
    let resolved = FolderListing.resolved(path) ?? path
    guard seen.insert(CodePointString(resolved)).inserted else { return }
    do throws(ArchiveError) {
      runs.append(try RecordedRun(resolved, key: key))
    } catch {
      // A listed one that is gone was removed by another run.
      if !isListed || !Self.isGone(path) { problems.append((path, error)) }
    }
  }

  /// Whether nothing has this name any more, not even a link.
  static func isGone(_ path: String) -> Bool {
    FileStatus(of: path, followsLinks: false) == nil && errno == ENOENT
  }

  /// Whether a file begins as a journal.
  package static func begins(_ path: String) -> Bool {
    OpenFile(path)?.bytes(JournalHeader.beginning.count) == JournalHeader.beginning
  }

  /// Makes a journal elsewhere known in a folder, by a link; without one the run is merely not listed.
  package static func link(_ journal: String, in folder: String, as name: String) {
    let path = "\(folder)/\(name)\(suffix)"
    // Without the folder the journal is where the user asked for it.
    if (try? AtomicFile.makeFolder(above: path)) != nil { _ = symlink(journal.asPath, path.asPath) }
  }
}

// MARK: - A run that left a journal, as one of many: when it was, what it did, and whether it was undone

/// A journal with what it says of its run.
package struct RecordedRun: Sendable {
  /// The journal's path, links resolved.
  package let journal: String
  /// What the journal says.
  package let report: JournalReport
  /// Whether a process is working on the run now.
  package let isRunning: Bool
  /// When the journal was last written: of two runs of one moment, which only journals without fractions of the second
  /// can have, the later was written later.
  private let written: (seconds: Int, nanoseconds: Int)

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - path: the journal, links resolved.
  ///   - key: the user's key for the check of the seals, or nil.
  /// - Throws: as `JournalReport` does.
  package init(_ path: String, key: SealingKey?) throws(ArchiveError) {
    journal = path
    report = try JournalReport(path, listsFiles: false, key: key)
    isRunning = report.progress == .unfinished && Journal.isLocked(path)
    let moment = FileStatus(of: path, followsLinks: false)?.modification ?? timespec()
    written = (moment.tv_sec, moment.tv_nsec)
  }

  /// How far the run came: `running`, `finished`, `unfinished` or `undone`.
  package var state: String { isRunning ? "running" : report.progress.rawValue }

  /// How many files the run replaced, those that were restored since among them.
  package var changedCount: Int {
    report.contents.count(.done) + report.contents.count(.undone)
  }

  /// Whether an undo has something to restore.
  package var canBeUndone: Bool {
    report.progress != .undone
      && report.contents.count(.done) + report.contents.count(.unfinished) > 0
  }

  static func isNewer(_ left: RecordedRun, than right: RecordedRun) -> Bool {
    // As times: texts with and without a fraction do not compare as such.
    let (began, other) = (left.report.header.started, right.report.header.started)
    if began != other {
      guard let first = Timestamp(text: began), let second = Timestamp(text: other) else {
        return began > other
      }
      return first.secondsFromReference > second.secondsFromReference
    }
    if left.written != right.written { return left.written > right.written }
    return left.journal < right.journal
  }

  /// The run for programs.
  package var tree: JSONTree {
    let members = report.tree.members ?? []
    return .members(
      [("journal", .string(journal.shownPath))]
        + members.filter { $0.0 != "files" && $0.0 != "options" }
        .map { $0.0 == "state" ? ("state", .string(state)) : ($0.0, $0.1) })
  }
}

// MARK: - Runs that stay when journals are removed

/// The runs whose old files must stay.
package struct OtherRuns: Sendable {
  /// Their folders of old files, links resolved.
  private let folders: Set<CodePointString>
  /// Journals that cannot be read as such.
  private let unreadable: [String]
  /// How much of a journal is looked at: it names its folder in its first line.
  private static let mostBytes = 1 << 16

  /// Takes the runs, and the journals that cannot be read: they may be of such runs.
  package init(_ runs: [RecordedRun], unreadable: [String]) {
    folders = Set(
      runs.compactMap(\.report.header.backups).map {
        CodePointString(FolderListing.resolved($0) ?? $0)
      })
    self.unreadable = unreadable
  }

  /// Whether a run may have old files in a folder.
  func mayNeed(_ folder: String) -> Bool {
    if folders.contains(CodePointString(FolderListing.resolved(folder) ?? folder)) { return true }
    let name = Array(folder.utf8.split(separator: UInt8(ascii: "/")).last ?? folder.utf8[...])
    return unreadable.contains { Self.mayName(name, $0) }
  }

  /// Whether a file begins with a text that has a name in it, or cannot be read.
  ///
  /// One that is gone since it was listed needs nothing; a link to a journal that is not there now may.
  private static func mayName(_ name: [UInt8], _ path: String) -> Bool {
    guard let file = OpenFile(path, O_RDONLY | O_NONBLOCK) else {
      return !RecordedRuns.isGone(path)
    }
    return file.bytes(mostBytes).map { $0.firstOccurrence(of: name) != nil } ?? true
  }
}

// MARK: - The removal of a journal with the old files of its run

extension RecordedRun {
  /// What was removed, or would be.
  package struct Removal: Sendable {
    /// How many bytes are free again.
    package fileprivate(set) var bytes = 0
    /// A folder with old files that is left, since other runs may have some in it; nil if there is none.
    package fileprivate(set) var keptBackups: String?
    /// What in the folder of the old files is not archtool's, and stays.
    package fileprivate(set) var orphanedFiles: [String] = []
  }

  /// Removes the journal, after which the run cannot be undone, and the old files that are its own.
  ///
  /// Old files in a folder that `--backup-dir` named stay, because other runs may have put theirs there as well.
  ///
  /// - Parameters:
  ///   - others: the runs that stay.
  ///   - isDryRun: whether nothing is written.
  /// - Throws: `ArchiveError` if the journal is in use, belongs to another user, or cannot be removed.
  package func remove(others: OtherRuns, isDryRun: Bool) throws(ArchiveError) -> Removal {
    let path = journal
    // Held until the file is gone, so that nobody resumes or undoes the run meanwhile.
    let file = try Journal.held(path, O_RDONLY | O_NOFOLLOW)
    var removal = Removal()
    if let backups = report.header.backups {
      let isOwn = backups.hasSameScalars(as: path + ".backup")
      if isOwn, !others.mayNeed(backups) {
        (removal.bytes, removal.orphanedFiles) = BackupStore.remove(
          backups, of: report.header.run, isDryRun: isDryRun)
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
