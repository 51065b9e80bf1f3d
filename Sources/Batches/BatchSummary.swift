// What became of many files, counted.

import Basics
import PropertyLists

/// Counts of a run over many files.
public struct BatchSummary: Hashable, Sendable {
  /// The outcomes that files of the run may have.
  private let outcomes: [BatchOutcome]
  private var counts: [BatchOutcome: Int] = [:]
  /// How many bytes the files had that were rewritten.
  public private(set) var bytesBefore = 0
  /// How many bytes those have now.
  public private(set) var bytesAfter = 0
  /// How many bytes were read.
  public private(set) var bytesRead = 0
  /// How long it took.
  public var seconds = 0.0

  /// Makes a summary of nothing.
  ///
  /// - Parameter outcomes: the outcomes that files of the run may have.
  public init(_ outcomes: [BatchOutcome] = BatchOutcome.ofRewriting) { self.outcomes = outcomes }

  /// How many files had an outcome.
  public func count(_ outcome: BatchOutcome) -> Int { counts[outcome] ?? 0 }

  /// How many files there were.
  public var total: Int { counts.values.reduce(0, +) }

  /// How many files were not as they should be, or failed.
  public var badCount: Int { counts.reduce(0) { $0 + ($1.key.isBad ? $1.value : 0) } }

  /// How many files were done in a second.
  public var rate: Double { seconds > 0 ? Double(total) / seconds : 0 }

  /// Counts a file.
  ///
  /// - Parameters:
  ///   - bytes: its size.
  ///   - newBytes: its size once it was rewritten.
  public mutating func add(_ outcome: BatchOutcome, bytes: Int = 0, newBytes: Int = 0) {
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
    let parts = outcomes.filter { count($0) > 0 }.map { outcome in
      "\(Quantity.count(count(outcome))) \(outcome == .unchanged ? unchanged : outcome.rawValue)"
    }
    let files = Counted.text(total, "file")
    let first = parts.isEmpty ? files : "\(files): \(parts.joined(separator: ", "))"
    let time = "in \(Quantity.decimal(seconds)) s"
    guard count(.changed) > 0 else { return ["\(first), \(time)"] }
    return [
      first, "\(Quantity.bytes(bytesBefore)) became \(Quantity.bytes(bytesAfter)), \(time)",
    ]
  }

  /// The summary for programs.
  var tree: JSONTree {
    let rewrites = outcomes.contains(.changed)
    var members = [("files", JSONTree.integer(total))]
    members += outcomes.map { ($0.rawValue, .integer(count($0))) }
    members.append(("bytes", .integer(rewrites ? bytesBefore : bytesRead)))
    if rewrites { members.append(("newBytes", .integer(bytesAfter))) }
    members.append(("seconds", .real((seconds * 1000).rounded() / 1000)))
    return .members(members)
  }
}
