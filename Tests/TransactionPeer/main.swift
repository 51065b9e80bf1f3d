// A program that replaces files in transactions and does not use archives; tests kill it.
//
// usage: TransactionPeer run JOURNAL FOLDER [BATCH [THREADS]]
//        TransactionPeer resume JOURNAL FOLDER
//        TransactionPeer undo JOURNAL [--force]
//
// A file's new bytes are "new " and its old ones. A file with "lost" in its name gets a companion, one with "found"
// loses its companion.

import ArchiveBasics
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import FileTransactions
import Foundation

struct Peer {
  let journal: Journal?
  let backups: BackupStore?
  let preparer: Stager
  var batch = 2
  var threads = 1

  init(_ journal: Journal) throws {
    self.journal = journal
    let run = journal.header.run
    backups = try journal.header.backups.map {
      (folder) throws(ArchiveError) in try BackupStore(folder: folder, run: run)
    }
    preparer = Stager(run: run, backups: backups, journal: journal)
  }

  /// Replaces the files of a folder that are not settled.
  func replaceAll(_ folder: String, _ settled: (String) -> Bool) throws {
    let root = try FileLocation.resolved(folder)
    let names = try FolderListing.names(in: root).map { String(decoding: $0, as: UTF8.self) }
      .filter { !$0.hasPrefix(RunIdentifier.filePrefix) && !$0.hasSuffix(".lost.json") }
    let places = try names.map { try FileLocation(root: root, relativePath: $0) }
      .filter { !settled($0.path) }
    var done = 0
    for start in stride(from: 0, to: places.count, by: batch) {
      let part = Array(places[start..<min(start + batch, places.count)])
      for outcome in try preparer.commit(prepared(part)) {
        if let failure = outcome.failure {
          print("failed \(outcome.location.relativePath): \(failure.message)")
        } else {
          done += 1
        }
        for warning in outcome.warnings { print("warning: \(warning)") }
      }
    }
    try journal?.append([.end(at: Timestamp.now, counts: [("done", done)])])
    try journal?.synchronise()
    print("replaced \(done)")
  }

  /// Prepares files on as many threads as there are.
  private func prepared(_ places: [FileLocation]) -> [StagedTransaction] {
    let results = Results()
    DispatchQueue.concurrentPerform(iterations: threads) { [preparer, threads] thread in
      for index in stride(from: thread, to: places.count, by: threads) {
        do {
          let old = try ByteStorage.open(path: places[index].path)
          results.add(try preparer.prepare(try Self.item(places[index], old)))
        } catch {
          results.complain("failed \(places[index].relativePath): \(error)")
        }
      }
    }
    return results.items
  }

  private static func item(_ place: FileLocation, _ old: ByteStorage) throws(ArchiveError)
    -> FileTransaction
  {
    let new = ByteStorage(copying: Array("new ".utf8) + Array(old.bytes))
    let lost: RewrittenArchive.Companion =
      place.relativePath.contains("lost")
      ? .written(ByteStorage(copying: Array("lost".utf8)))
      : place.relativePath.contains("found") ? .removed : .unchanged
    return try FileTransaction(
      place, old: old,
      rewritten: RewrittenArchive(
        storage: new, summary: "renewed", lost: lost))
  }
}

final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var items: [StagedTransaction] = []

  func add(_ item: StagedTransaction) { lock.withLock { items.append(item) } }
  func complain(_ line: String) { lock.withLock { print(line) } }
}

/// Where archtool itself has the user's key.
let keyFolder = (ProcessInfo.processInfo.environment["XDG_STATE_HOME"] ?? "") + "/archtool"

func seals() throws(ArchiveError) -> SealCheck {
  SealCheck(key: try SealingKey.found(in: keyFolder))
}

func run(_ arguments: [String]) throws -> Int32 {
  let journal = arguments[1]
  switch arguments[0] {
  case "run":
    let folder = try FileLocation.resolved(arguments[2])
    let header = JournalHeader(
      run: RunIdentifier(), directory: "/", arguments: arguments, backups: journal + ".backup",
      roots: [JournalHeader.Root(path: folder, isRecursive: true)])
    var peer = try Peer(
      try Journal.create(journal, header: header, key: try SealingKey.made(in: keyFolder)))
    if arguments.count > 3 { peer.batch = Int(arguments[3]) ?? 2 }
    if arguments.count > 4 { peer.threads = Int(arguments[4]) ?? 1 }
    let lock = try RunLock([folder], journal: journal)
    defer { lock.release() }
    try peer.replaceAll(folder) { _ in false }
  case "resume":
    switch try Recovery.resume(journal, seals: try seals()) {
    case .finished: print("finished already")
    case .resumed(let recovery):
      print("completed \(recovery.completed), changed \(recovery.changed.count)")
      try Peer(recovery.journal).replaceAll(arguments[2]) { recovery.settled($0) != nil }
    }
  default:
    var kept = 0
    try Undo(journal, seals: try seals(), isForced: arguments.contains("--force")).run { outcome in
      switch outcome {
      case .restored(let path, _): print("restored \(path)")
      case .kept(let path, let error):
        kept += 1
        print("kept \(path): \(error.message)")
      case .left(let path): print("left \(path)")
      }
    }
    return kept > 0 ? 1 : 0
  }
  return 0
}

do {
  exit(try run(Array(CommandLine.arguments.dropFirst())))
} catch let error as ArchiveError {
  print(error.line(file: "peer"))
  exit(74)
} catch {
  print("error: \(error)")
  exit(70)
}
