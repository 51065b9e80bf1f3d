// Which rules matched anything at all, over all the inputs of a run.

import Synchronization

/// Gathers from all threads of a run what its rules matched.
public final class SubstitutionTally: Sendable {
  private struct State {
    var matched: Set<Int> = []
    var rules: [SubstitutionCount] = []
  }

  private let state = Mutex(State())

  /// Makes a tally of nothing.
  public init() {}

  /// Adds what rules did in an input.
  func add(_ counts: [SubstitutionCount]) {
    state.withLock { state in
      if state.rules.isEmpty { state.rules = counts }
      for (number, count) in counts.enumerated() where count.isMatched || !count.isZero {
        state.matched.insert(number)
      }
    }
  }

  /// The rules that matched nothing in any input, as a command line gives them: `--rename-class A=B`.
  public var unmatchedRules: [String] {
    state.withLock { state in
      state.rules.indices.filter { !state.matched.contains($0) }
        .map { "--\(state.rules[$0].kind.rawValue) \(state.rules[$0].rule)" }
    }
  }
}
