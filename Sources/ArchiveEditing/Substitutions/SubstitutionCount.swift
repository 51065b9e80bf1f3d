// How often a rule was applied.

import ArchiveWriting
import KeyedArchives
import Synchronization

/// What one rule did in an archive and in all that are nested in it.
package struct SubstitutionCount: Hashable, Sendable {
  /// What kind of rule it is.
  package enum Kind: String, Sendable {
    /// A class gets another name.
    case classRename = "rename-class"
    /// The archiver gets another name.
    case archiver = "set-archiver"
    /// The objects of a class become nil.
    case droppedClass = "drop-class"
    /// A key of a class gets another name.
    case keyRename = "rename-key"
    /// A top-level key gets another name.
    case topRename = "rename-top"
    /// What nothing reaches is removed.
    case pruning = "prune"
  }

  /// The kind of rule.
  package let kind: Kind
  /// The rule as it is written.
  package let rule: String
  /// Whether the rule matched anything, even if it left it unchanged.
  package internal(set) var isMatched = false
  /// How many class records or classes of a typedstream were changed, or how many archives named their archiver
  /// or had the top-level key, or held what nothing reaches.
  package internal(set) var records = 0
  /// How many objects are concerned: of a class that was renamed or dropped, with a key that was, or removed.
  package internal(set) var objects = 0
  /// How many references to dropped objects are gone.
  package internal(set) var references = 0

  init(_ kind: Kind, _ rule: String) {
    self.kind = kind
    self.rule = rule
  }

  /// Whether the rule changed nothing.
  package var isZero: Bool { records == 0 && objects == 0 && references == 0 }

  /// A summary of the changes, in one phrase; empty without changes.
  package var summary: String {
    if isZero { return "" }
    switch kind {
    case .classRename:
      return "\(rule) (\(times(records, "class record")), \(times(objects, "object")))"
    case .archiver: return "$archiver=\(rule) (\(times(records, "archive")))"
    case .droppedClass:
      return "\(rule)=nil (\(times(objects, "object")), \(times(references, "reference")))"
    case .keyRename: return "\(rule) (\(times(objects, "object")))"
    case .pruning:
      return objects == 0
        ? "unused values removed" : "\(times(objects, "unused object")) removed"
    case .topRename: return "$top: \(rule) (\(times(records, "archive")))"
    }
  }

  private func times(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

// MARK: - Which rules matched anything at all, over all the inputs of a run

/// Gathers from all threads of a run what its rules matched.
package final class SubstitutionTally: Sendable {
  private struct State {
    var matched: Set<Int> = []
    var rules: [SubstitutionCount] = []
  }

  private let state = Mutex(State())

  /// Makes a tally of nothing.
  package init() {}

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
  package var unmatchedRules: [String] {
    state.withLock { state in
      state.rules.indices.filter { !state.matched.contains($0) }
        .map { "--\(state.rules[$0].kind.rawValue) \(state.rules[$0].rule)" }
    }
  }
}
