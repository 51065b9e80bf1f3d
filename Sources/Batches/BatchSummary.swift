// The counts of the outcomes of many files.

import Basics
import PropertyLists

/// Counts of a run over many files.
package struct BatchSummary: Hashable, Sendable {
  /// The possible outcomes of the run's files.
  private let outcomes: [BatchOutcome]
  private var counts: [BatchOutcome: Int] = [:]
  /// The total size of the rewritten files before.
  package private(set) var bytesBefore = 0
  /// The total size of the rewritten files now.
  package private(set) var bytesAfter = 0
  /// How many bytes were read.
  package private(set) var bytesRead = 0
  /// The duration of the run.
  package var seconds = 0.0

  /// Makes an empty summary.
  ///
  /// - Parameter outcomes: the possible outcomes of the run's files.
  package init(_ outcomes: [BatchOutcome] = BatchOutcome.ofRewriting) { self.outcomes = outcomes }

  /// How many files had an outcome.
  package func count(_ outcome: BatchOutcome) -> Int { counts[outcome] ?? 0 }

  /// How many files there were.
  package var total: Int { counts.values.reduce(0, +) }

  /// How many files were invalid or refused, or failed.
  package var badCount: Int { counts.reduce(0) { $0 + ($1.key.isBad ? $1.value : 0) } }

  /// How many files were processed per second.
  package var rate: Double { seconds > 0 ? Double(total) / seconds : 0 }

  /// Counts a file.
  ///
  /// - Parameters:
  ///   - bytes: its size.
  ///   - newBytes: its size after it was rewritten.
  package mutating func add(_ outcome: BatchOutcome, bytes: Int = 0, newBytes: Int = 0) {
    counts[outcome, default: 0] += 1
    bytesRead &+= bytes
    guard outcome == .changed else { return }
    bytesBefore &+= bytes
    bytesAfter &+= newBytes
  }

  /// The summary as text for people.
  ///
  /// - Parameter unchanged: the name of the files that needed no change.
  package func lines(unchanged: String = "already current") -> [String] {
    let parts = outcomes.filter { count($0) > 0 }.map { outcome in
      "\(Counted.number(count(outcome))) \(outcome == .unchanged ? unchanged : outcome.rawValue)"
    }
    let files = Counted.text(total, "file")
    let first = parts.isEmpty ? files : "\(files): \(parts.joined(separator: ", "))"
    let time = "in \(Quantity.decimal(seconds)) s"
    guard count(.changed) > 0 else { return ["\(first), \(time)"] }
    return [
      first, "\(Quantity.bytes(bytesBefore)) became \(Quantity.bytes(bytesAfter)), \(time)",
    ]
  }

  /// The summary for other programs.
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
