// The folder of the user's state in which journals are, and the runs that are known there.

import Basics
import CommandLineInterface
import FileTransactions

/// The folder for journals without `--journal`.
enum StateFolder {
  /// The folder; nil if the environment names neither it nor a home folder.
  static var path: String? { XDGFolder.state.map { $0 + "/archtool" } }

  /// The beginning of the name of a journal: when the run began, and which it is.
  static func name(of run: RunIdentifier) -> String {
    "\(Timestamp.now.filter { $0 != "-" && $0 != ":" })-\(run)"
  }
}

extension Session {
  /// The recorded runs: of the journals and folders that operands name, or of the state folder.
  ///
  /// What cannot be read is reported.
  ///
  /// - Parameter remedy: what to do without a state folder.
  func recordedRuns(remedy: String = "name a folder") throws(ArchiveError) -> RecordedRuns {
    var places = arguments.operands
    if places.isEmpty {
      guard let folder = StateFolder.path else {
        throw ArchiveError(.cannotOpen, "neither XDG_STATE_HOME nor HOME is set; \(remedy)")
      }
      places = FolderListing.isFolder(folder) ? [folder] : []
    }
    let runs = RecordedRuns(in: places, key: sealingKey)
    for problem in runs.problems { report(problem.error, file: shortened(problem.path)) }
    return runs
  }

  /// The user's key; journals can be shown without one.
  var sealingKey: SealingKey? {
    do throws(ArchiveError) {
      return try UserKey.found()
    } catch {
      warn("archtool: warning: \(error.message)")
      return nil
    }
  }
}

// MARK: - A journal where an archive belongs: it is named, with the command that shows it

extension ArchiveError {
  /// The error for an input that cannot be read: of a journal of archtool it says that it is one.
  ///
  /// - Parameter storage: the input.
  func naming(_ storage: ByteStorage) -> ArchiveError {
    guard file == nil, path == nil, ExitStatus(self) == .undecodable,
      JournalHeader.begins(storage)
    else { return self }
    return ArchiveError(
      .unsupported, "is a journal of archtool, which 'archtool journal show' shows")
  }
}
