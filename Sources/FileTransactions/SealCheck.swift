// Whether a journal or a plan is as archtool wrote it, for the user who runs it now.

import Basics

/// What seals are checked with.
package struct SealCheck: Sendable {
  package let key: SealingKey?
  /// Whether what cannot be verified is used nevertheless.
  package let isWaived: Bool

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - key: the user's key, or nil.
  ///   - isWaived: whether what cannot be verified is used nevertheless, because a person vouches for it.
  package init(key: SealingKey?, isWaived: Bool = false) {
    self.key = key
    self.isWaived = isWaived
  }
}

/// The result for the lines that were checked.
package enum SealState: Hashable, Sendable {
  /// Every line is as it was written.
  case intact
  /// The lines have no seals.
  case missing
  /// They are of a key that this user does not have.
  case foreign
  /// The line of this number, or one before it, is not as it was written.
  case broken(line: Int)

  /// The state in a few words, for reports.
  package var words: String {
    switch self {
    case .intact: "intact"
    case .missing: "missing"
    case .foreign: "of another key"
    case .broken(let line): "broken at line \(line)"
    }
  }

  /// Why a file is not used; nil if it is as it was written.
  ///
  /// - Parameter kind: `journal` or `plan`.
  package func problem(of kind: String) -> ArchiveError? {
    let advice = "nothing was done; if you have checked the \(kind), --trust accepts it"
    switch self {
    case .intact: return nil
    case .missing:
      return ArchiveError(
        .malformed,
        "the \(kind) is not sealed: an older archtool wrote it, or somebody removed its seals; \(advice)"
      )
    case .foreign:
      return ArchiveError(
        .malformed,
        "the \(kind) is sealed with a key that you do not have: it comes from another user or machine, or the key was lost; \(advice)"
      )
    case .broken(let line):
      return ArchiveError(
        .malformed,
        "line \(line) of the \(kind) was not written like this by archtool: it was changed, or lines before it were added, removed or moved; \(advice)"
      )
    }
  }
}

/// Looks at the lines of a file, one after another.
package struct SealInspection: Sendable {
  package private(set) var state: SealState
  /// The chain to continue after the last line; nil if the seals are not all intact.
  var chain: SealChain? { state == .intact ? sealed : nil }
  private var sealed: SealChain?
  private var lines = 0

  /// Begins with the first line.
  ///
  /// - Parameters:
  ///   - name: the name of the key in the first line.
  ///   - key: the user's key.
  package init(_ name: String?, key: SealingKey?) {
    guard let name else {
      state = .missing
      return
    }
    guard let key, key.name == name else {
      state = .foreign
      return
    }
    state = .intact
    sealed = SealChain(key)
  }

  /// Looks at the next line.
  package mutating func look(at line: ArraySlice<UInt8>) {
    lines += 1
    if state == .intact, sealed?.takes(line) != true { state = .broken(line: lines) }
  }

  /// Checks a line after the first, with any lines in between.
  package mutating func look(atAny line: ArraySlice<UInt8>) {
    lines += 1
    var copy = sealed
    if state == .intact, copy?.takes(line) != true { state = .broken(line: lines) }
  }
}
