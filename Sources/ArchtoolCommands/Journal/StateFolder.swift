// The folder of the user's state in which journals are, and the runs that are known there.

import ArchiveBasics
import ArchiveBatches
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

  /// The user's key, which seals journals and plans; nil if there is none.
  ///
  /// - Throws: the error of `SealingKey`.
  static func key() throws(ArchiveError) -> SealingKey? {
    guard let path else { return nil }
    return try SealingKey.found(in: path)
  }

  /// The user's key, which is created if it is missing.
  ///
  /// - Throws: `ArchiveError` if there is no folder for it, or the error of `SealingKey`.
  static func madeKey() throws(ArchiveError) -> SealingKey {
    if let path { return try SealingKey.made(in: path) }
    throw ArchiveError(
      .cannotCreate,
      "no folder for the key that seals journals and plans: neither XDG_STATE_HOME nor HOME is set; set one of them"
    )
  }
}

extension Session {
  /// The recorded runs: of the journals and folders that operands name, or of the state folder.
  ///
  /// What cannot be read is reported.
  ///
  /// - Parameter remedy: what to do without a state folder.
  func recordedRuns(remedy: String = "name a folder") throws(ArchiveError) -> RecordedRuns {
    var paths = arguments.operands
    if paths.isEmpty {
      guard let folder = StateFolder.path else {
        throw ArchiveError(.cannotOpen, "neither XDG_STATE_HOME nor HOME is set; \(remedy)")
      }
      paths = FolderListing.isFolder(folder) ? [folder] : []
    }
    let runs = RecordedRuns(in: paths, key: sealingKey)
    for problem in runs.problems { report(problem.error, file: shortened(problem.path)) }
    return runs
  }

  /// The user's key; journals can be shown without one.
  var sealingKey: SealingKey? {
    do throws(ArchiveError) {
      return try StateFolder.key()
    } catch {
      printProblem("archtool: warning: \(error.message)")
      return nil
    }
  }
}

// MARK: - A journal or records where an archive belongs: they are named, with what reads them

extension ArchiveError {
  /// The error for an input that cannot be read: of a journal of archtool, and of records, it says what they are.
  func naming(_ storage: ByteStorage) -> ArchiveError {
    guard file == nil, path == nil, ExitStatus(self) == .undecodable else { return self }
    if JournalHeader.begins(storage) {
      return ArchiveError(
        .unsupported, "is a journal of archtool, which 'archtool journal show' shows")
    }
    if let key = RecordFormat.key(ofRecordsIn: storage) {
      let option = key == RecordFormat.usualKey ? "" : " --data-key \(key.shellWord)"
      return ArchiveError(.unsupported, "is JSON lines; use --records\(option)")
    }
    guard let encoding = RecordFormat.encoding(ofLinesIn: storage) else { return self }
    return ArchiveError(
      .unsupported, "has an archive on each line; use --records=\(encoding.rawValue)")
  }
}

// MARK: - The key of the user who runs the program, in archtool's folder among the user's state

extension Session {
  /// What the seals of a journal or a plan are checked with, under `--trust`.
  ///
  /// - Parameter kind: `journal` or `plan`.
  /// - Throws: the error of `SealingKey`, unless a person vouches for the file, and sees it.
  func sealCheck(_ kind: String) throws(ArchiveError) -> SealCheck {
    let isWaived = arguments.has(.trust)
    do throws(ArchiveError) {
      return SealCheck(key: try StateFolder.key(), isWaived: isWaived)
    } catch {
      guard isWaived else {
        throw ArchiveError(
          error.code,
          "\(error.message); nothing was done; if you have checked the \(kind), --trust accepts it without the key"
        )
      }
      printProblem(
        "archtool: warning: \(error.message); the \(kind) is used without a check of its seals, as --trust allows"
      )
      return SealCheck(key: nil, isWaived: true)
    }
  }
}

// MARK: - The user's folders for programs (XDG Base Directory Specification)

enum XDGFolder {
  /// The user's configuration: `$XDG_CONFIG_HOME` or `~/.config`; nil if there is no home folder either.
  static var configuration: String? { folder("XDG_CONFIG_HOME", usual: "/.config") }

  /// The state between runs: `$XDG_STATE_HOME` or `~/.local/state`; nil if there is no home folder either.
  static var state: String? { folder("XDG_STATE_HOME", usual: "/.local/state") }

  /// The text of an environment variable; nil if it is unset or empty.
  static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(path: value)
    return text.isEmpty ? nil : text
  }

  private static func folder(_ name: String, usual: String) -> String? {
    // A relative path must be ignored.
    if let path = variable(name), path.hasPrefix("/") { return path }
    return variable("HOME").map { $0 + usual }
  }
}
