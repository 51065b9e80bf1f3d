// What the archives of a run lose because their new envelope cannot hold it.

import Basics
import KeyedArchives
import Synchronization

/// Gathers from all threads of a run the classes, storage and mutability that its archives lose.
package final class LossTally: Sendable {
  private struct State {
    var archiveCount = 0
    var counts: [StoredDifference.Kind: Int] = [:]
  }

  private let state = Mutex(State())

  /// Makes a tally of nothing.
  package init() {}

  /// Adds the losses of an archive.
  func add(_ losses: [MigrationLoss]) {
    let losses = losses.filter(\.kind.isEnvelopes)
    if losses.isEmpty { return }
    state.withLock { state in
      state.archiveCount += 1
      for loss in losses { state.counts[loss.kind, default: 0] += loss.count }
    }
  }

  /// What was lost, in a line; nil if nothing was.
  package var text: String? {
    state.withLock { state in
      guard state.archiveCount > 0 else { return nil }
      let kinds = StoredDifference.Kind.allCases.compactMap { kind in
        state.counts[kind].map { "\(kind.rawValue) \(Counted.number($0))" }
      }
      let archives = Counted.text(state.archiveCount, "archive")
      return "\(archives) cannot hold what the old one did (\(kinds.joined(separator: ", "))); "
        + "--keep-lost keeps it for the way back, --strict refuses"
    }
  }
}
