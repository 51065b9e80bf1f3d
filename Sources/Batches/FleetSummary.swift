// What became of many files, counted.

import Basics
import FileTransactions
import PropertyLists

/// Counts of a run over many files.
public struct FleetSummary: Hashable, Sendable {
  private var counts: [FileOutcome: Int] = [:]
  /// How many bytes the files had that were rewritten.
  public private(set) var bytesBefore = 0
  /// How many bytes those have now.
  public private(set) var bytesAfter = 0
  /// How many bytes were read.
  public private(set) var bytesRead = 0
  /// How long it took.
  public var seconds = 0.0

  /// Makes a summary of nothing.
  public init() {}

  /// How many files had an outcome.
  public func count(_ outcome: FileOutcome) -> Int { counts[outcome] ?? 0 }

  /// How many files there were.
  public var total: Int { counts.values.reduce(0, +) }

  /// How many files were refused or failed.
  public var badCount: Int { count(.refused) + count(.failed) }

  /// How many files were done in a second.
  public var rate: Double { seconds > 0 ? Double(total) / seconds : 0 }

  /// Counts a file.
  ///
  /// - Parameters:
  ///   - bytes: its size.
  ///   - newBytes: its size once it was rewritten.
  public mutating func add(_ outcome: FileOutcome, bytes: Int = 0, newBytes: Int = 0) {
    counts[outcome, default: 0] += 1
    bytesRead &+= bytes
    guard outcome == .changed else { return }
    bytesBefore &+= bytes
    bytesAfter &+= newBytes
  }

  /// The summary for people.
  ///
  /// - Parameter unchanged: what files are called for which nothing was to be done.
  public func lines(unchanged: String = "already current") -> [String] {
    let parts = [
      (count(.changed), "changed"), (count(.unchanged), unchanged),
      (count(.refused), "refused"), (count(.failed), "failed"),
    ].filter { $0.0 > 0 }.map { "\(Quantity.count($0.0)) \($0.1)" }
    let files = Counted.text(total, "file")
    let first = parts.isEmpty ? files : "\(files): \(parts.joined(separator: ", "))"
    let time = "in \(Quantity.decimal(seconds)) s"
    guard count(.changed) > 0 else { return ["\(first), \(time)"] }
    return [
      first, "\(Quantity.bytes(bytesBefore)) became \(Quantity.bytes(bytesAfter)), \(time)",
    ]
  }

  /// The summary for programs.
  public var tree: JSONTree {
    var members = FileOutcome.allCases.map { ($0.rawValue, JSONTree.integer(count($0))) }
    members.insert(("files", .integer(total)), at: 0)
    members += [
      ("bytes", .integer(bytesBefore)), ("newBytes", .integer(bytesAfter)),
      ("seconds", .real((seconds * 1000).rounded() / 1000)),
    ]
    return .members(members)
  }
}
