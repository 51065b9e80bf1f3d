// The counts of the outcomes of many files.

import Basics
import PropertyLists

/// Counts of a run over many files.
package struct BatchSummary: Hashable, Sendable {
  /// The possible outcomes of the run's files.
  private let outcomes: BatchOutcomes
  /// The number of files with each outcome, by its place.
  private var counts = [Int](repeating: 0, count: BatchOutcome.failed.place + 1)
  /// The total size of the rewritten files before.
  package private(set) var bytesBefore = 0
  /// The total size of the rewritten files now.
  package private(set) var bytesAfter = 0
  /// How many bytes were read.
  package private(set) var bytesRead = 0
  /// How many files were passed over because they are no archives, by kind.
  package private(set) var passedOver: [String: Int] = [:]
  /// How many databases were read.
  package var databases = 0
  /// The duration of the run.
  package var seconds = 0.0

  /// Makes an empty summary.
  ///
  /// - Parameter outcomes: the possible outcomes of the run's files.
  package init(_ outcomes: BatchOutcomes = .ofRewriting) { self.outcomes = outcomes }

  /// How many files had an outcome.
  package func count(_ outcome: BatchOutcome) -> Int { counts[outcome.place] }

  /// How many files there were.
  package var total: Int { counts.reduce(0, +) }

  /// How many files were invalid or refused, or failed.
  package var badCount: Int {
    BatchOutcome.allCases.reduce(0) { $0 + ($1.isBad ? count($1) : 0) }
  }

  /// How many files were passed over.
  package var passedOverCount: Int { passedOver.values.reduce(0, +) }

  /// How many files were looked at.
  var seenCount: Int { total + passedOverCount }

  /// How many files were processed per second.
  package var rate: Double { seconds > 0 ? Double(seenCount) / seconds : 0 }

  /// Counts a file that was passed over.
  package mutating func passOver(_ kind: String) { passedOver[kind, default: 0] += 1 }

  /// Counts a file.
  ///
  /// - Parameters:
  ///   - bytes: its size.
  ///   - newBytes: its size after it was rewritten.
  package mutating func add(_ outcome: BatchOutcome, bytes: Int = 0, newBytes: Int = 0) {
    counts[outcome.place] += 1
    bytesRead &+= bytes
    guard outcome == .changed else { return }
    bytesBefore &+= bytes
    bytesAfter &+= newBytes
  }

  /// The summary as text for people.
  ///
  /// - Parameter unchanged: the name of the files that needed no change.
  package func lines(unchanged: String = "already current") -> [String] {
    let parts = outcomes.inOrder.filter { count($0) > 0 }.map { outcome in
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
    let rewrites = outcomes.includes(.changed)
    var members = [("files", JSONTree.integer(total))]
    members += outcomes.inOrder.map { ($0.rawValue, .integer(count($0))) }
    if passedOverCount > 0 { members.append(("passedOver", .integer(passedOverCount))) }
    members.append(("bytes", .integer(rewrites ? bytesBefore : bytesRead)))
    if rewrites { members.append(("newBytes", .integer(bytesAfter))) }
    members.append(("seconds", .real((seconds * 1000).rounded() / 1000)))
    return .members(members)
  }
}
