// `archtool journal prune`: removes old journals, with the old files of their runs.

import ArchiveBasics
import CommandLineInterface
import FileTransactions

final class JournalPrune: Command {
  static let name = "journal prune"
  static let description = CommandDescription(
    name: name,
    abstract: "remove old journals with the old files of their runs",
    operands: Operands(name: "JOURNAL", minimum: 0, maximum: nil),
    options: [.olderThan, .unfinished, .dryPrune],
    commonOptions: [.color, .quiet, .help],
    rules: [.oneOf([.olderThan])],
    discussion: """
      A run whose journal is removed can neither be undone nor resumed. The files that it changed
      stay as they are. With the journal go the old files of the run, unless --backup-dir named
      their folder or a run that stays has its old files there as well. Each journal is reported
      with what that frees.

      The journals are those that journal list shows: in the user's state folder, and where
      --journal put them, or each JOURNAL and those in a folder. That of a run that did not finish
      stays, unless --unfinished is given; that of one that is running stays in any case. The links
      to removed journals in the state folder go with them, and so do links of that age to journals
      that are gone.
      """,
    examples: [
      "archtool journal prune --older-than 30d -n":
        "Show what can be freed of runs that are older than 30 days.",
      "archtool journal prune --older-than 30d": "Remove the journals and old files of these runs.",
    ],
    exits: .writing,
    meanings: [
      .undecodable: "JOURNAL is not a journal, or one of its lines is wrong.",
      .cannotCreate: "A journal is in use by another process.",
    ])

  private let session: Session
  private let isDryRun: Bool
  /// The moment before which a run must have begun, in seconds from 2001.
  private let limit: Double
  private var removed = 0
  private var freed = 0
  private var kept = 0
  /// The journals that were removed.
  private var gone: Set<CodePointString> = []

  init(_ session: Session) throws {
    self.session = session
    isDryRun = session.arguments.has(.dryPrune)
    let text = session.arguments.value(of: .olderThan) ?? ""
    guard let age = Self.seconds(text) else {
      throw UsageError("'--older-than' needs an age such as 30d, 12h or 4w; found \(quoted(text))")
    }
    let now = Timestamp(text: Timestamp.exactNow)?.secondsFromReference ?? 0
    limit = now - age
  }

  /// The seconds of `90m`, `12h`, `30d` or `4w`; nil for other texts.
  static func seconds(_ text: String) -> Double? {
    let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = text.last.flatMap({ units[$0] }),
      text.dropLast().utf8.allSatisfy({ (0x30...0x39) ~= $0 }),
      let number = Int(text.dropLast()), number < 1_000_000_000
    else { return nil }
    return Double(number) * unit
  }

  func run() throws {
    let recorded = try session.recordedRuns()
    // The user's other runs: they may have old files in the folder of one that goes, and links lead to it.
    let own =
      session.arguments.operands.isEmpty
      ? recorded : RecordedRuns(in: StateFolder.path.map { [$0] } ?? [], key: nil)
    let leaving = recorded.runs.filter { mayGo($0) }
    let paths = Set(leaving.map { CodePointString($0.journal) })
    let staying = (recorded.runs + own.runs).filter {
      !paths.contains(CodePointString($0.journal))
    }
    let others = OtherRuns(
      staying, unreadable: (recorded.problems + own.problems).map(\.path))
    let links = own.links.map { (path: $0, target: FolderListing.resolved($0)) }
    for run in leaving.reversed() { remove(run, others) }
    for link in links where link.target.map({ gone.contains(CodePointString($0)) }) == true {
      _ = unlink(link.path.asPath)
    }
    let words = isDryRun ? "would be removed" : "removed"
    let dangling = links.filter { $0.target == nil && isOld($0.path) && isGone($0.path) }.map(
      \.path)
    if !isDryRun { for path in dangling { _ = unlink(path.asPath) } }
    if !dangling.isEmpty {
      session.printNote(
        "\(Counted.text(dangling.count, "link")) to journals that are gone \(words)")
    }
    guard removed + kept > 0 else {
      return session.printNote(
        dangling.isEmpty ? "nothing to remove" : "no journal is old enough to be removed")
    }
    session.printNote(
      "\(Counted.text(removed, "journal")) \(words), \(Quantity.bytes(freed))"
        + (kept > 0 ? "; \(kept) kept" : ""))
  }

  /// Whether the folder to which a link leads is there, but not its journal, which otherwise may be on a disk that is not
  /// there today.
  private func isGone(_ link: String) -> Bool {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(link.asPath, &bytes, Int(PATH_MAX))
    guard count > 0 else { return false }
    let target = String(pathBytes: bytes.prefix(count).map { UInt8(bitPattern: $0) })
    return target.hasPrefix("/") && FolderListing.isFolder(AtomicFile.folder(of: target))
  }

  /// Whether a link was made before the limit.
  private func isOld(_ link: String) -> Bool {
    guard let moment = FileStatus(of: link, followsLinks: false)?.modification else { return false }
    return Double(moment.tv_sec) - Timestamp.referenceSecondsFrom1970 <= limit
  }

  /// Whether a run is old enough and over; one that is only old is reported.
  private func mayGo(_ run: RecordedRun) -> Bool {
    guard let began = Timestamp(text: run.report.header.started)?.secondsFromReference,
      began <= limit
    else { return false }
    if run.isRunning {
      keep(run, "the run is not over")
      return false
    }
    guard run.report.progress == .unfinished, !session.arguments.has(.unfinished) else {
      return true
    }
    keep(run, "the run did not finish; --resume or undo ends it, --unfinished removes it")
    return false
  }

  private func keep(_ run: RecordedRun, _ reason: String) {
    kept += 1
    session.printNote("\(session.shortened(run.journal)): kept: \(reason)")
  }

  private func remove(_ run: RecordedRun, _ others: OtherRuns) {
    let name = session.shortened(run.journal)
    do throws(ArchiveError) {
      let removal = try run.remove(others: others, isDryRun: isDryRun)
      removed += 1
      freed += removal.bytes
      let size = Quantity.bytes(removal.bytes)
      if isDryRun {
        session.output.append(escapedLine: "\(name): would be removed, \(size)")
      } else {
        gone.insert(CodePointString(run.journal))
        session.printNote("\(name): removed, \(size)")
      }
      if let folder = removal.keptBackups {
        session.printNote(
          "\(name): its old files in \(session.shortened(folder)) stay; other runs may need that folder"
        )
      }
      for path in removal.orphanedFiles {
        session.printProblem("\(session.shortened(path)): warning: is not archtool's; it stays")
      }
    } catch {
      session.report(error, file: name)
    }
  }
}

extension OptionDescription {
  static let olderThan = text(
    "older-than", valueName: "AGE",
    help: """
      Remove the journals of runs that began before AGE. It is a number with m, h, d or w for \
      minutes, hours, days or weeks, such as 30d.
      """)

  static let unfinished = flag(
    "unfinished", help: "Also remove journals of runs that did not finish.")

  static let dryPrune = flag(
    "dry-run", letter: "n", help: "Show which journals would be removed; write nothing.")
}
