// The outcome of one input, as a single word.

import FileTransactions

/// The outcome of one input.
package enum BatchOutcome: String, Sendable {
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

  /// The outcomes of runs that rewrite files.
  package static let ofRewriting: [BatchOutcome] = [.changed, .unchanged, .refused, .failed]
  /// The outcomes of runs that display files.
  package static let ofReading: [BatchOutcome] = [.shown, .failed]
  /// The outcomes of runs that check files.
  package static let ofValidation: [BatchOutcome] = [.valid, .noSchema, .invalid, .failed]

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
