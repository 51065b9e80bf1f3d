// The archives in a column of a database, counted by what they are.

import Basics
import Batches
import Rendering

/// What a column holds.
struct ScannedColumn {
  /// How many kinds are told apart; the archives of further ones are only counted.
  private static let mostKinds = 1000

  /// The column, with the counts of its rows.
  let counts: ColumnCounts
  private var kinds: [ArchiveFacts: (count: Int, bytes: Int)] = [:]
  /// How many archives are of further kinds.
  private(set) var furtherCount = 0
  /// How many cannot be decoded.
  private(set) var damagedCount = 0
  /// The size of all of them.
  private(set) var byteCount = 0

  init(_ counts: ColumnCounts) { self.counts = counts }

  /// How many archives there are.
  var archiveCount: Int {
    kinds.values.reduce(furtherCount + damagedCount) { $0 + $1.count }
  }

  /// Counts an archive.
  mutating func add(_ archive: ScannedArchive) {
    byteCount &+= archive.byteCount
    switch archive.content {
    case .damaged: damagedCount += 1
    case .sound(let facts):
      guard kinds[facts] != nil || kinds.count < Self.mostKinds else {
        furtherCount += 1
        return
      }
      let (count, bytes) = kinds[facts] ?? (0, 0)
      kinds[facts] = (count + 1, bytes &+ archive.byteCount)
    }
  }

  /// The kinds, the most frequent first.
  var sorted: [(facts: ArchiveFacts, count: Int, bytes: Int)] {
    kinds.map { (facts: $0.key, count: $0.value.count, bytes: $0.value.bytes) }.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.facts.text < $1.facts.text
    }
  }
}
