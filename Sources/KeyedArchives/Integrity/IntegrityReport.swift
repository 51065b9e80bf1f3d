// The findings of a run while it goes on: so many of them, each with a place.

import Basics
import ObjectGraph

/// Collects findings up to a bound; those beyond it are counted.
struct IntegrityReport {
  /// Where a finding is among the stored values.
  enum Place {
    /// A stored value.
    case value(UInt32)
    /// What a container refers to at a position.
    case reference(StoredContainer, Int)
    /// No place is known.
    case unknown
  }

  /// How many faults are told, and how much advice.
  static let mostTold = 10_000
  /// How many steps all paths together may have.
  private static let mostSteps = 1_000_000

  let lints: Set<Lint>
  private var faults: [IntegrityFinding] = []
  private var advice: [IntegrityFinding] = []
  private var untold = 0
  private var steps = 0

  init(lints: Set<Lint>) { self.lints = lints }

  /// How many faults were found, told or not.
  private(set) var faultCount = 0

  /// Whether one of some checks is asked for.
  func wants(_ lints: [Lint]) -> Bool { lints.contains { self.lints.contains($0) } }

  /// Adds a finding about a stored value.
  ///
  /// - Parameters:
  ///   - index: the value whose bytes are meant.
  ///   - place: where it is held; nil for the shortest way to the value.
  ///   - message: what is wrong; made only if it is told.
  mutating func add(
    _ lint: Lint, in input: CheckedInput, at index: UInt32, place: Place? = nil,
    _ message: () -> String
  ) {
    guard hasRoom(lint) else { return }
    tell(
      IntegrityFinding(
        lint: lint, message: message(), offset: input.offset(of: index),
        byteCount: input.byteCount(of: index), path: path(place ?? .value(index), in: input)))
  }

  /// Adds an error that a reader has, or would have.
  mutating func add(
    _ lint: Lint, _ error: ArchiveError, in input: CheckedInput, place: Place,
    byteCount: Int? = nil
  ) {
    guard hasRoom(lint) else { return }
    tell(
      IntegrityFinding(
        lint: lint, message: error.message, offset: error.offset, byteCount: byteCount,
        path: path(place, in: input)))
  }

  /// Adds an error of an input that is no table of values yet.
  mutating func add(_ lint: Lint, _ error: ArchiveError, at steps: [GraphPath.Step]) {
    guard hasRoom(lint) else { return }
    let path = steps.isEmpty ? error.path : GraphPath(steps).description
    tell(
      IntegrityFinding(lint: lint, message: error.message, offset: error.offset, path: path))
  }

  /// The findings by their offsets; those without one come last.
  consuming func sorted() -> [IntegrityFinding] {
    let all = (faults + advice).enumerated().sorted { left, right in
      (left.element.offset ?? .max, left.offset) < (right.element.offset ?? .max, right.offset)
    }.map(\.element)
    guard untold > 0 else { return all }
    return all + [
      IntegrityFinding(
        lint: .moreFindings,
        message: "\(untold) more \(untold == 1 ? "finding is" : "findings are") not listed")
    ]
  }

  private mutating func hasRoom(_ lint: Lint) -> Bool {
    guard lints.contains(lint) else { return false }
    if !lint.isAdvisory { faultCount += 1 }
    if (lint.isAdvisory ? advice : faults).count < Self.mostTold { return true }
    untold += 1
    return false
  }

  private mutating func tell(_ finding: IntegrityFinding) {
    if finding.lint.isAdvisory { advice.append(finding) } else { faults.append(finding) }
  }

  private mutating func path(_ place: Place, in input: CheckedInput) -> String? {
    guard steps < Self.mostSteps else { return nil }
    let path: GraphPath?
    switch place {
    case .value(let index): path = input.path(of: index)
    case .reference(let container, let position): path = input.path(of: container, position)
    case .unknown: path = nil
    }
    steps += path?.steps.count ?? 0
    return path?.description
  }
}
