// The outcome of one input, as a single word.

import FileTransactions

/// The outcome of one input.
package enum BatchOutcome: String, CaseIterable, Sendable {
  /// It was rewritten.
  case changed
  /// Nothing needed to be done.
  case unchanged
  /// It was not valid, and is unchanged.
  case refused
  /// It was displayed.
  case shown
  /// It fits its schema.
  case valid
  /// It is well formed, and no known schema is for it.
  case noSchema
  /// It does not fit its schema.
  case invalid
  /// It could not be read, or the result could not be written.
  case failed

  /// Its place among all outcomes, from 0.
  var place: Int {
    switch self {
    case .changed: 0
    case .unchanged: 1
    case .refused: 2
    case .shown: 3
    case .valid: 4
    case .noSchema: 5
    case .invalid: 6
    case .failed: 7
    }
  }

  /// Whether `--fail-fast` ends the run here.
  package var isBad: Bool { self == .refused || self == .invalid || self == .failed }

  /// The outcome of a file that was to be rewritten.
  package init(_ outcome: FileOutcome) {
    self =
      switch outcome {
      case .changed: .changed
      case .unchanged: .unchanged
      case .refused: .refused
      case .failed: .failed
      }
  }
}

/// The possible outcomes of a run's inputs.
///
/// A bit for each: the first use of a type of array or dictionary would take longer than a run's whole counting.
package struct BatchOutcomes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A single outcome.
  package init(_ outcome: BatchOutcome) { rawValue = 1 << UInt8(outcome.place) }

  /// Of runs that undo others.
  package static let ofUndoing = BatchOutcomes(.changed).union(BatchOutcomes(.failed))
  /// Of runs that rewrite files.
  package static let ofRewriting = ofUndoing.union(BatchOutcomes(.unchanged))
    .union(BatchOutcomes(.refused))
  /// Of runs that display files.
  package static let ofReading = BatchOutcomes(.shown).union(BatchOutcomes(.failed))
  /// Of runs that check files.
  package static let ofValidation = BatchOutcomes(.valid).union(BatchOutcomes(.noSchema))
    .union(BatchOutcomes(.invalid)).union(BatchOutcomes(.failed))

  /// Whether an outcome is possible.
  package func includes(_ outcome: BatchOutcome) -> Bool { contains(BatchOutcomes(outcome)) }

  /// The outcomes, in the order in which they are reported.
  var inOrder: [BatchOutcome] { BatchOutcome.allCases.filter { includes($0) } }
}
